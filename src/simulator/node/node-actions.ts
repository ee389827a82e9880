// What can be done to a single node, by its name.

import { z } from 'zod'
import { beginChains } from './connected.ts'
import { APIS, enter, failures, type NodeState } from './node-state.ts'
import { NETWORK_ID } from '../world/fixed-ids.ts'
import type { World } from '../world/world.ts'

/** `node-a`, `node-b` and so on. */
export const nodeNames = (count: number) =>
  Array.from({ length: count }, (_, at) => `node-${String.fromCodePoint(FIRST_LETTER + at)}`)

const FIRST_LETTER = 'a'.codePointAt(0)!

/** Where a node is after it. */
const phases = { start: 'starting', bootstrap: 'bootstrapping', bootstrapped: 'running' } as const

const node = z.string()

export const nodeActionTypes = [
  /** A node starts with its P-Chain alone; then all its chains reject calls; then they take them. */
  z.strictObject({ kind: z.literal(Object.keys(phases) as (keyof typeof phases)[]), node }),
  /** The process of a chain on a node dies or is frozen, or it works again. */
  z.strictObject({ kind: z.enum(['kill-chain', 'freeze-chain', 'revive-chain']), node, blockchainId: z.string() }),
  /** A node cannot create a chain of a subnet, known or not. */
  z.strictObject({
    kind: z.literal('fail-chain'),
    node,
    blockchainId: z.string(),
    subnetId: z.string(),
    reason: z.literal(Object.keys(failures) as (keyof typeof failures)[]),
  }),
  z.strictObject({ kind: z.enum(['enable', 'disable']), node, api: z.enum(APIS) }),
  /** Puts a file among the plugins of a node: its name has to be the id of a virtual machine. */
  z.strictObject({ kind: z.literal('install'), node, plugin: z.string() }),
  /** A node belongs to another network, 5 being its own: it answers with other blocks, from the first one on. */
  z.strictObject({ kind: z.literal('move-network'), node, networkId: z.int().positive() }),
] as const

const nodeActionType = z.discriminatedUnion('kind', nodeActionTypes)
export type NodeAction = z.output<typeof nodeActionType>

export function act(node: NodeState, action: NodeAction, world: World): void {
  const { apis, plugins, troubles } = node
  const since = world.now()
  switch (action.kind) {
    case 'install':
      plugins.set(action.plugin, { aliases: [] })
      break
    case 'move-network':
      node.networkId = action.networkId
      for (const chain of ['P', 'X', 'C']) {
        const { nodeId } = node
        world.take({ kind: 'unfork', nodeId, chain })
        if (action.networkId !== NETWORK_ID) world.take({ kind: 'fork', nodeId, chain, from: 0 })
      }
      break
    case 'enable':
      apis.add(action.api)
      break
    case 'disable':
      apis.delete(action.api)
      break
    case 'kill-chain':
      troubles.set(action.blockchainId, { kind: 'dead', since })
      break
    case 'freeze-chain':
      troubles.set(action.blockchainId, { kind: 'frozen', since })
      break
    case 'fail-chain': {
      const { blockchainId, subnetId, reason } = action
      troubles.set(blockchainId, { kind: 'failed', since, subnetId, reason })
      break
    }
    case 'revive-chain':
      troubles.delete(action.blockchainId)
      break
    default:
      enter(node, phases[action.kind], world)
  }
  beginChains(node, world)
}
