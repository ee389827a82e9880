// EVM chains: only the times of blocks and the running count of transactions are kept, all else follows from the seed.

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
  head(): number
  block(number: number): EvmBlock | undefined
  /** Average transactions per second on a day, counted from 1970. */
  averageTps(day: number): number
  advance(to: number): void
}

interface EvmChainOptions {
  seed: number
  chainId: number
  begin: number
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  /** Transactions of a block, at most. */
  busy: number
  gasLimit: number
  /** Transactions before the beginning. */
  past: number
}

const GWEI = 1_000_000_000n

export function createEvmChain({ seed, chainId, begin, pace, busy, gasLimit, past }: EvmChainOptions): EvmChain {
  const times: number[] = []
  const cumulative: number[] = []
  let next = begin
  const hashOf = (number: number) => {
    const dice = random(seed, 'evm', chainId, 'hash', number)
    return `0x${Array.from({ length: 64 }, () => dice.between(0, 15).toString(16)).join('')}`
  }

  function traits(number: number) {
    const dice = random(seed, 'evm', chainId, number)
    return { dice, txCount: dice.between(0, busy), gap: dice.between(...pace) }
  }

  return {
    chainId,
    head: () => times.length - 1,
    block(number) {
      const time = times[number]
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
        cumulative: cumulative[number]!,
      }
    },
    averageTps(day) {
      const usual = busy / 2 / ((pace[0] + pace[1]) / 2)
      return Number((usual * (0.7 + 0.6 * random(seed, 'evm', chainId, 'day', day).next())).toFixed(4))
    },
    advance(to) {
      while (next <= to) {
        const { txCount, gap } = traits(times.length)
        times.push(next)
        cumulative.push((cumulative.at(-1) ?? past) + txCount)
        next += gap
      }
    },
  }
}
