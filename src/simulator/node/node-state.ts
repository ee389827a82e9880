// What a node keeps for itself and its operator can change: it is no part of the network.

import { Refusal } from '../refusal.ts'
import { chainIds, NETWORK_ID } from '../world/fixed-ids.ts'
import type { World } from '../world/world.ts'

/** A node begins with its P-Chain. When that is done it starts the others, which reject calls until they are done too. */
type Phase = 'starting' | 'bootstrapping' | 'running'

export const APIS = ['admin', 'index'] as const

export interface NodeState {
  nodeId: string
  /** The number of the network that it belongs to. */
  networkId: number
  /** What its operator has enabled: by default a node has neither (document 2, Admin interface, Index interface). */
  apis: Set<(typeof APIS)[number]>
  phase: Phase
  /** Unix seconds at which its process began. */
  upSince: number
  /** What is wrong with chains of subnets on this node, by the id of the chain. */
  troubles: Map<string, Trouble>
  /** Chains of subnets, by id, that have not begun since the node has started: too little of their weight is connected. */
  waiting: Set<string>
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

/** The process of a chain has died, and the node does not start it again; or it is frozen; or it never came to be. */
export type Trouble = { since: number } & (
  | { kind: 'dead' | 'frozen' }
  | { kind: 'failed'; subnetId: string; reason: keyof typeof failures }
)

/** Why a chain could not be created, in the words of the node. */
export const failures = {
  plugin: 'error while creating vm: handshake failed: vm process not found',
  genesis:
    'error while creating new snowman vm rpc error: code = Unknown desc = failed to parse genesis bytes: trailing buffer space: read 42 provided 46',
} as const

interface Levels {
  logLevel: string
  displayLevel: string
}

/** One that works has names. */
type Plugin = { aliases: string[] } | { failure: string }

/** A node has another one for each chain of a subnet that it runs, under the id of the chain. */
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
    networkId: NETWORK_ID,
    apis,
    phase: 'running',
    upSince: 0,
    troubles: new Map(),
    waiting: new Set(),
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

/** Whether the node runs the chain, which goes by its id: those of the primary network always, unless it only just starts. */
export function runsChain({ nodeId, phase, chainAliases, troubles }: NodeState, { l1s }: World, id: string): boolean {
  if (id === chainIds.P) return true
  if (phase === 'starting' || troubles.get(id)?.kind === 'failed') return false
  const l1 = l1s.all.find(({ blockchainId }) => blockchainId === id)
  return l1 ? l1.hasChain && l1.followers.has(nodeId) : chainAliases.has(id)
}

/** Whether the chain, which the node runs, rejects calls as it has not caught up or not begun. */
export function isBootstrapping({ phase, waiting }: NodeState, id: string): boolean {
  return phase !== 'running' || waiting.has(id)
}

/** Moves the start of the node on, or restarts it: then every process that it starts is a new one. */
export function enter(node: NodeState, phase: Phase, { l1s, now }: World): void {
  if (node.phase === 'running' && phase !== 'running') {
    node.upSince = now()
    for (const [id, { kind }] of node.troubles) if (kind !== 'failed') node.troubles.delete(id)
    node.waiting = new Set(l1s.all.map(({ blockchainId }) => blockchainId))
  }
  node.phase = phase
}
