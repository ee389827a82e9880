// The EVM chain that a node is asked about, and numbers as it writes them.

import { chainIdOf } from '../node/node-state.ts'
import { refusal } from '../node/node-words.ts'
import { nodeOf, type Place } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'

/** The node serves it: the path says so. */
export function evmOf(place: Place, chain: string): EvmChain {
  const id = chainIdOf(nodeOf(place), place.world, chain)
  return place.world.evm.find(({ blockchainId }) => blockchainId === id)!
}

/** The height of a block that goes by its height or by a name. Throws a refusal when there is no such block yet. */
export function heightOf(evm: EvmChain, block: string): number {
  const height = block === 'earliest' ? 0 : block.startsWith('0x') ? Number(block) : evm.head()
  if (height > evm.head()) throw refusal('cannot query unfinalized data')
  return height
}

export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}
