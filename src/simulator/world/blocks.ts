// The chains of the primary network: only the times of blocks are kept, all else follows from seed and height.

import { fromBase58, random, toBase58 } from './random.ts'

export interface Block {
  height: number
  hash: string
  parentHash: string
  time: number
  type: string
  transactions: string[]
  size: number
  proposer: string
  /** When the proposer's turn began. */
  turn: number
}

export interface Chain {
  /** Height of the newest block; the first block has height 0. */
  head(): number
  /** When the block was accepted. */
  time(height: number): number | undefined
  block(height: number): Block | undefined
  find(hash: string): Block | undefined
  /** When the next block will be accepted. */
  due(): number
  totals(): { blocks: Record<string, number>; transactions: number }
}

export interface GrowingChain extends Chain {
  /** Accepts every block that is due by then. */
  advance(to: number): void
}

export interface ChainOptions {
  seed: number
  name: string
  /** When the first block is accepted. */
  begin: number
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  types: readonly string[]
  proposers: readonly string[]
}

/** Digits at the end of an id: the number of what it names, so that no two are alike and each can be found. */
export const NUMBER = 8

export function createChain({ seed, name, begin, pace, types, proposers }: ChainOptions): GrowingChain {
  const times: number[] = []
  const blocks: Record<string, number> = Object.fromEntries(types.map((type) => [type, 0]))
  let transactions = 0
  let next = begin

  const id = (kind: string, number: number) =>
    random(seed, name, kind, number).base58(50 - NUMBER) + toBase58(number, NUMBER)
  const hashOf = (height: number) => (height < 0 ? random(seed, name, 'genesis').base58(50) : id('hash', height))

  /** What is counted as blocks come; millions of them do in one `advance`, so this is all that is worked out then. */
  function traits(height: number) {
    const dice = random(seed, name, height)
    const type = dice.pick(types)
    return { dice, type, count: dice.between(type.includes('Commit') ? 0 : 1, 3), gap: dice.between(...pace) }
  }

  function block(height: number): Block | undefined {
    const time = times[height]
    if (time === undefined) return undefined
    const { dice, type, count } = traits(height)
    return {
      height,
      hash: hashOf(height),
      parentHash: hashOf(height - 1),
      time,
      type,
      transactions: Array.from({ length: count }, (_, at) => id('transaction', 3 * height + at)),
      size: 200 + count * dice.between(300, 900),
      // The first few propose half of the blocks: whoever watches them has something to see.
      proposer: dice.pick(dice.next() < 0.5 ? proposers.slice(0, 10) : proposers),
      turn: time - dice.between(0, 5),
    }
  }

  return {
    head: () => times.length - 1,
    time: (height) => times[height],
    block,
    find(hash) {
      const height = fromBase58(hash.slice(-NUMBER))
      return hashOf(height) === hash ? block(height) : undefined
    },
    totals: () => ({ blocks: { ...blocks }, transactions }),
    due: () => next,
    advance(to) {
      while (next <= to) {
        const { type, count, gap } = traits(times.length)
        times.push(next)
        blocks[type]! += 1
        transactions += count
        next += gap
      }
    },
  }
}
