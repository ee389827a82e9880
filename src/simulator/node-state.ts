// What a node keeps for itself and its operator can change: it is no part of the network.

import { Refusal } from './refusal.ts'
import type { World } from './world/world.ts'

/** A node begins with its P-Chain. When that is done it starts the others, which reject calls until they are done too. */
type Phase = 'starting' | 'bootstrapping' | 'running'

export const APIS = ['admin', 'index'] as const

export interface NodeState {
  nodeId: string
  /** What its operator has enabled: by default a node has neither (document 2, Admin interface, Index interface). */
  apis: Set<(typeof APIS)[number]>
  phase: Phase
  /** Chains whose process on this node has died, by id: the node does not start it again. */
  dead: Set<string>
  /** Names of its own for a chain, by the id of the chain, in the order in which they were given. */
  chainAliases: Map<string, string[]>
  /** Names of its own for an endpoint: `/ext/<alias>` answers as `/ext/<endpoint>`. */
  endpoints: Map<string, string>
  /** Those whose levels were changed. */
  loggers: Map<string, Levels>
  /** Plugins of virtual machines that were installed after it started, by the name of their file: the id, if it is right. */
  plugins: Map<string, Plugin>
  /** When the processor profile that is being made began. */
  profiledSince: number | undefined
  /** Writes a file into the node's profile directory. */
  writeProfile: (file: string, text: string) => void
}

interface Levels {
  logLevel: string
  displayLevel: string
}

/** One that works has names. */
type Plugin = { aliases: string[] } | { failure: string }

/** Besides these a node has one for each chain of a subnet that it runs, under the id of the chain. */
const LOGGERS = ['C', 'P', 'X', 'main', 'vm-factory']
const AT_FIRST: Levels = { logLevel: 'INFO', displayLevel: 'INFO' }

const INSTALLED: Readonly<Record<string, Plugin>> = {
  tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: { aliases: ['timestampvm'] },
  sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: { failure: 'handshake failed: vm process not found' },
}

export function createNodeState(
  nodeId: string,
  apis: NodeState['apis'],
  aliases: Readonly<Record<string, readonly string[]>>,
  writeProfile: NodeState['writeProfile'],
): NodeState {
  return {
    nodeId,
    apis,
    phase: 'running',
    dead: new Set(),
    chainAliases: new Map(Object.entries(aliases).map(([chain, names]) => [chain, [...names]])),
    endpoints: new Map(),
    loggers: new Map(),
    plugins: new Map(Object.entries(INSTALLED)),
    profiledSince: undefined,
    writeProfile,
  }
}

/** The logger of this name, or all of them, by name. Throws a refusal where there is none. */
export function loggersOf({ loggers, nodeId }: NodeState, { l1s }: World, name: string | undefined) {
  const followed = l1s.all.filter(({ followers }) => followers.has(nodeId)).map(({ blockchainId }) => blockchainId)
  const all = [...LOGGERS, ...followed].toSorted().map((one) => [one, loggers.get(one) ?? AT_FIRST] as const)
  // A live node takes the empty name for none.
  if (name === undefined || name === '') return all
  const found = all.filter(([one]) => one === name)
  if (found.length === 0) throw new Refusal(-32_000, `logger with name "${name}" not found`)
  return found
}

/** The id of the chain that goes by an id or by a name that this node has for it. */
export function chainIdOf({ chainAliases }: NodeState, { l1s }: World, name: string): string | undefined {
  const named = [...chainAliases].find(([id, names]) => id === name || names.includes(name))
  return named ? named[0] : l1s.all.find(({ blockchainId }) => blockchainId === name)?.blockchainId
}
