// How many transactions each block of an EVM chain has: in turns, every number from none to the most once, in an order
// of its own. All turns have as many, so that nothing needs to be kept.

import { random } from './random.ts'

export interface Counts {
  /** Transactions in a block. */
  of(block: number): number
  /** Transactions in all blocks before it: the number of its first one. */
  before(block: number): number
  /** The block that holds a transaction. */
  blockOf(transaction: number): number
}

const KEPT = 64

export function createCounts(seed: number, chainId: number, most: number): Counts {
  const blocks = most + 1
  const transactions = (most * blocks) / 2

  /** The turns that were asked for last: whoever asks of a block asks of its neighbours too. */
  const turns = new Map<number, readonly number[]>()

  function turn(number: number): readonly number[] {
    let counts = turns.get(number)
    if (counts === undefined) {
      if (turns.size >= KEPT) turns.clear()
      turns.set(number, (counts = shuffled(number)))
    }
    return counts
  }

  function shuffled(number: number): number[] {
    const dice = random(seed, 'evm', chainId, 'turn', number)
    const counts = Array.from({ length: blocks }, (_, at) => at)
    for (let at = most; at > 0; at -= 1) {
      const other = dice.between(0, at)
      ;[counts[at], counts[other]] = [counts[other]!, counts[at]!]
    }
    return counts
  }

  return {
    of: (block) => turn(Math.floor(block / blocks))[block % blocks]!,
    before(block) {
      const number = Math.floor(block / blocks)
      const counts = turn(number).slice(0, block % blocks)
      return number * transactions + counts.reduce((sum, count) => sum + count, 0)
    },
    blockOf(transaction) {
      const number = Math.floor(transaction / transactions)
      let block = number * blocks
      let rest = transaction % transactions
      for (const count of turn(number)) {
        if (rest < count) break
        rest -= count
        block += 1
      }
      return block
    },
  }
}
