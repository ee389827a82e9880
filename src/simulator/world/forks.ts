// A chain as a node has it that is on a fork: from a height on its blocks have other ids, and the same transactions.

import { type Block, type Chain, NUMBER } from './blocks.ts'
import { NUMBER as EVM_NUMBER, numberIn } from './evm-accounts.ts'
import type { EvmBlock, EvmChain } from './evm-chains.ts'
import { fromBase58, random } from './random.ts'

/** An id ends in the number of its block. */
const otherId = (id: string) => random('fork', id).base58(id.length - NUMBER) + id.slice(-NUMBER)
const otherHash = (hash: string) =>
  `0x${random('fork', hash).hex(hash.length - 2 - EVM_NUMBER)}${hash.slice(-EVM_NUMBER)}`

/** The blocks of a chain that has others from a height on; `numberOf` reads the number that an id ends in. */
function onFork<B extends Block | EvmBlock>(
  blockAt: (height: number) => B | undefined,
  from: number,
  other: (id: string) => string,
  numberOf: (id: string) => number,
) {
  function block(height: number): B | undefined {
    const found = blockAt(height)
    if (!found || height < from) return found
    const parentHash = height > from ? other(found.parentHash) : found.parentHash
    return { ...found, hash: other(found.hash), parentHash }
  }
  function find(hash: string): B | undefined {
    const found = block(numberOf(hash))
    return found?.hash === hash ? found : undefined
  }
  return { block, find }
}

export function forkedChain(chain: Chain, from: number): Chain {
  if (from === Infinity) return chain
  return { ...chain, ...onFork(chain.block, from, otherId, (id) => fromBase58(id.slice(-NUMBER))) }
}

export function forkedEvmChain(chain: EvmChain, from: number): EvmChain {
  if (from === Infinity) return chain
  return { ...chain, ...onFork(chain.block, from, otherHash, numberIn) }
}
