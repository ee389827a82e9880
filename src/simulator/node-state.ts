// What a node keeps for itself and its operator can change: it is no part of the network.

import { Refusal } from './refusal.ts'
import type { World } from './world/world.ts'

export interface NodeState {
  nodeId: string
  /** The admin interface is disabled unless the operator enables it (document 2, Admin interface). */
  isAdminEnabled: boolean
  /** Its chains reject calls until they are done bootstrapping. */
  isBootstrapping: boolean
  /** Names of its own for a chain, by the id of the chain, in the order in which they were given. */
  chainAliases: Map<string, string[]>
  /** Names of its own for an endpoint: `/ext/<alias>` answers as `/ext/<endpoint>`. */
  endpoints: Map<string, string>
  loggers: Map<string, { logLevel: string; displayLevel: string }>
  /** Plugins of virtual machines that were installed after it started, by their id. */
  plugins: Map<string, Plugin>
  /** When the processor profile that is being made began. */
  profiledSince: number | undefined
  /** Writes a file into the node's profile directory. */
  writeProfile: (file: string, text: string) => void
}

/** One that works has names. */
type Plugin = { aliases: string[] } | { failure: string }

const LOGGERS = ['main', 'P', 'X', 'C', 'http', 'network']

const INSTALLED: Readonly<Record<string, Plugin>> = {
  tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: { aliases: ['timestampvm'] },
  sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: { failure: 'the plugin speaks protocol version 30' },
}

export function createNodeState(
  nodeId: string,
  isAdminEnabled: boolean,
  aliases: Readonly<Record<string, readonly string[]>>,
  writeProfile: NodeState['writeProfile'],
): NodeState {
  return {
    nodeId,
    isAdminEnabled,
    isBootstrapping: false,
    chainAliases: new Map(Object.entries(aliases).map(([chain, names]) => [chain, [...names]])),
    endpoints: new Map(),
    loggers: new Map(LOGGERS.map((name) => [name, { logLevel: 'INFO', displayLevel: 'INFO' }])),
    plugins: new Map(Object.entries(INSTALLED)),
    profiledSince: undefined,
    writeProfile,
  }
}

/** The logger of this name, or all of them. Throws a refusal where there is none. */
export function loggersOf({ loggers }: NodeState, name: string | undefined) {
  if (name === undefined) return [...loggers]
  const levels = loggers.get(name)
  if (!levels) throw new Refusal(-32_000, `logger with name "${name}" not found`)
  return [[name, levels] as const]
}

/** The id of the chain that goes by an id or by a name that this node has for it. */
export function chainIdOf({ chainAliases }: NodeState, { l1s }: World, name: string): string | undefined {
  const named = [...chainAliases].find(([id, names]) => id === name || names.includes(name))
  return named ? named[0] : l1s.all.find(({ blockchainId }) => blockchainId === name)?.blockchainId
}

/** Whether it looks like an id. Where live nodes take an id alone, anything else is an error. */
export function isId(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,50}$/.test(text)
}
