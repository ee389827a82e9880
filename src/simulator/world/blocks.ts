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
  /** How many transactions of strangers are in a block; their numbers begin at three times its height. */
  strangers(height: number): number
  strangerId(number: number): string
  totals(): { blocks: Record<string, number>; transactions: number }
}

/** Of the block that a transaction gets into. */
export type Inclusion = Pick<Block, 'height' | 'time'>

export interface GrowingChain extends Chain {
  /** For the next block: `make` gives the transaction's id, or nothing where it has become impossible meanwhile. */
  submit(make: (block: Inclusion) => string | undefined): void
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
  /** Transactions of strangers in a block, at least and at most three. */
  strangers: readonly [number, number]
  proposers: readonly string[]
}

/** Digits at the end of an id: the number of what it names, so that no two are alike and each can be found. */
export const NUMBER = 8

export function createChain({ seed, name, begin, pace, types, strangers, proposers }: ChainOptions): GrowingChain {
  const times: number[] = []
  const blocks: Record<string, number> = Object.fromEntries(types.map((type) => [type, 0]))
  /** The transactions that were submitted, by the height of their block. */
  const submitted = new Map<number, string[]>()
  let waiting: Parameters<GrowingChain['submit']>[0][] = []
  let transactions = 0
  let next = begin

  const id = (kind: string, number: number) =>
    random(seed, name, kind, number).base58(50 - NUMBER) + toBase58(number, NUMBER)
  const hashOf = (height: number) => (height < 0 ? random(seed, name, 'genesis').base58(50) : id('hash', height))

  /** What is counted as blocks come; millions of them do in one `advance`, so this is all that is worked out then. */
  function traits(height: number) {
    const dice = random(seed, name, height)
    const type = dice.pick(types)
    return {
      dice,
      type,
      count: dice.between(type.includes('Commit') ? 0 : strangers[0], strangers[1]),
      gap: dice.between(...pace),
    }
  }

  const strangerId = (number: number) => id('transaction', number)

  function include(block: Inclusion): number {
    if (waiting.length === 0) return 0
    const made = waiting.flatMap((make) => make(block) ?? [])
    waiting = []
    if (made.length > 0) submitted.set(block.height, made)
    return made.length
  }

  function block(height: number): Block | undefined {
    const time = times[height]
    if (time === undefined) return undefined
    const { dice, type, count } = traits(height)
    const own = submitted.get(height) ?? []
    return {
      height,
      hash: hashOf(height),
      parentHash: hashOf(height - 1),
      time,
      type,
      transactions: [...Array.from({ length: count }, (_, at) => strangerId(3 * height + at)), ...own],
      size: 200 + (count + own.length) * dice.between(300, 900),
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
    strangers: (height) => traits(height).count,
    strangerId,
    submit: (make) => waiting.push(make),
    advance(to) {
      while (next <= to) {
        const { type, count, gap } = traits(times.length)
        times.push(next)
        blocks[type]! += 1
        transactions += count + include({ height: times.length - 1, time: next })
        next += gap
      }
    },
  }
}
