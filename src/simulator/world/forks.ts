// A chain as a node has it that is on a fork: from a height on its blocks have other ids, and the same transactions.

import { type Block, type Chain, NUMBER } from './blocks.ts'
import { NUMBER as EVM_NUMBER, numberIn } from './evm-accounts.ts'
import type { EvmBlock, EvmChain } from './evm-chains.ts'
import { fromBase58, random } from './random.ts'

/** An id ends in the number of its block. */
const otherId = (id: string) => random('fork', id).base58(id.length - NUMBER) + id.slice(-NUMBER)
const otherHash = (hash: string) =>
  `0x${random('fork', hash).hex(hash.length - 2 - EVM_NUMBER)}${hash.slice(-EVM_NUMBER)}`

function forked<B extends Block | EvmBlock>(block: B, height: number, from: number, other: (id: string) => string): B {
  if (height < from) return block
  return { ...block, hash: other(block.hash), parentHash: height > from ? other(block.parentHash) : block.parentHash }
}

export function forkedChain(chain: Chain, from: number): Chain {
  if (from === Infinity) return chain
  const block = (height: number) => {
    const found = chain.block(height)
    return found && forked(found, height, from, otherId)
  }
  return {
    ...chain,
    block,
    find(hash) {
      const found = block(fromBase58(hash.slice(-NUMBER)))
      return found?.hash === hash ? found : undefined
    },
  }
}

export function forkedEvmChain(chain: EvmChain, from: number): EvmChain {
  if (from === Infinity) return chain
  const block = (number: number) => {
    const found = chain.block(number)
    return found && forked(found, number, from, otherHash)
  }
  return {
    ...chain,
    block,
    find(hash) {
      const found = block(numberIn(hash))
      return found?.hash === hash ? found : undefined
    },
  }
}
