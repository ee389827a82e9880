// EVM chains: the blocks of a chain as the EVM has them. Only the running count of transactions is kept, all else
// follows from the seed.

import type { Chain } from './blocks.ts'
import { random } from './random.ts'

export interface EvmBlock {
  number: number
  hash: string
  parentHash: string
  time: number
  txCount: number
  gasUsed: number
  gasLimit: number
  /** Smallest unit per gas. */
  baseFee: bigint
  fees: bigint
  /** Transactions of the chain up to this block. */
  cumulative: number
}

export interface EvmChain {
  chainId: number
  blockchainId: string
  gasLimit: number
  head(): number
  block(number: number): EvmBlock | undefined
  /** Average transactions per second on a day, counted from 1970. */
  averageTps(day: number): number
}

interface EvmChainOptions {
  seed: number
  chainId: number
  blockchainId: string
  /** Its blocks and their times. */
  blocks: Pick<Chain, 'head' | 'time'>
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  /** Transactions of a block, at most. */
  busy: number
  gasLimit: number
  /** Transactions before the beginning. */
  past: number
}

const GWEI = 1_000_000_000n

export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { seed, chainId, blockchainId, blocks, pace, busy, gasLimit, past } = options
  const cumulative: number[] = []
  const hashOf = (number: number) => {
    const dice = random(seed, 'evm', chainId, 'hash', number)
    return `0x${Array.from({ length: 64 }, () => dice.between(0, 15).toString(16)).join('')}`
  }

  function traits(number: number) {
    const dice = random(seed, 'evm', chainId, number)
    return { dice, txCount: dice.between(0, busy) }
  }

  /** Transactions up to a block, counted when somebody asks. */
  function totalAt(number: number): number {
    while (cumulative.length <= number) {
      cumulative.push((cumulative.at(-1) ?? past) + traits(cumulative.length).txCount)
    }
    return cumulative[number]!
  }

  return {
    chainId,
    blockchainId,
    gasLimit,
    head: blocks.head,
    block(number) {
      const time = blocks.time(number)
      if (time === undefined) return undefined
      const { dice, txCount } = traits(number)
      const gasUsed = Math.min(gasLimit, txCount * dice.between(21_000, 180_000))
      const baseFee = BigInt(dice.between(25, 40)) * GWEI
      return {
        number,
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        time,
        txCount,
        gasUsed,
        gasLimit,
        baseFee,
        fees: BigInt(gasUsed) * (baseFee + GWEI),
        cumulative: totalAt(number),
      }
    },
    averageTps(day) {
      const usual = busy / 2 / ((pace[0] + pace[1]) / 2)
      return Number((usual * (0.7 + 0.6 * random(seed, 'evm', chainId, 'day', day).next())).toFixed(4))
    },
  }
}
