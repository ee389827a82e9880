// The chains of the primary network: only the times of blocks are kept, all else follows from seed and height.

import type { Queue } from './queue.ts'
import { random } from './random.ts'

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
  block(height: number): Block | undefined
  /** The block of a hash, by looking at the newest ones first. */
  find(hash: string): Block | undefined
  totals(): { blocks: Record<string, number>; transactions: number }
}

export interface ChainOptions {
  seed: number
  name: 'P' | 'X' | 'C'
  queue: Queue
  begin: number
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  types: readonly string[]
  proposers: readonly string[]
}

export function createChain({ seed, name, queue, begin, pace, types, proposers }: ChainOptions): Chain {
  const times: number[] = []
  const blocks: Record<string, number> = Object.fromEntries(types.map((type) => [type, 0]))
  let transactions = 0
  const hashOf = (height: number) => random(seed, name, 'hash', height).base58(50)

  function block(height: number): Block | undefined {
    const time = times[height]
    if (time === undefined) return undefined
    const dice = random(seed, name, 'block', height)
    const type = dice.pick(types)
    const count = dice.between(type.includes('Commit') ? 0 : 1, 3)
    return {
      height,
      hash: hashOf(height),
      parentHash: hashOf(height - 1),
      time,
      type,
      transactions: Array.from({ length: count }, () => dice.base58(50)),
      size: 200 + count * dice.between(300, 900),
      proposer: dice.pick(proposers),
      turn: time - dice.between(0, 5),
    }
  }

  function accept(at: number): void {
    times.push(Math.floor(at))
    const accepted = block(times.length - 1)!
    blocks[accepted.type]! += 1
    transactions += accepted.transactions.length
    queue.put({ at: at + random(seed, name, 'pace', times.length).between(...pace), happen: accept })
  }

  accept(begin)
  return {
    head: () => times.length - 1,
    block,
    find(hash) {
      for (let height = times.length - 1; height >= 0; height -= 1) if (hashOf(height) === hash) return block(height)
      return undefined
    },
    totals: () => ({ blocks: { ...blocks }, transactions }),
  }
}
