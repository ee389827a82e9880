// The EVM chain that a node is asked about, and numbers as it writes them.

import { chainIdOf } from '../node-state.ts'
import { nodeOf, type Place } from '../serve.ts'
import type { EvmChain } from '../world/evm-chains.ts'

/** The node serves it: the path says so. */
export function evmOf(place: Place, chain: string): EvmChain {
  const id = chainIdOf(nodeOf(place), place.world, chain)
  return place.world.evm.find(({ blockchainId }) => blockchainId === id)!
}

export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}
