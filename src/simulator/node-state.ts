// What a node keeps for itself and its operator can change: it is no part of the network.

import { Refusal } from './refusal.ts'

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
  isProfiling: boolean
  /** Writes a file into the node's profile directory. */
  writeProfile: (file: string, text: string) => void
}

const LOGGERS = ['main', 'P', 'X', 'C', 'http', 'network']

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
    isProfiling: false,
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

/** The id of the chain that this node knows by an id or by a name of its own. */
export function chainIdOf({ chainAliases }: NodeState, name: string): string | undefined {
  if (chainAliases.has(name)) return name
  return [...chainAliases].find(([, names]) => names.includes(name))?.[0]
}
