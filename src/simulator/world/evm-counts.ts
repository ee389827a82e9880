// How many transactions each block of an EVM chain has: in turns, every number from none to the most once, in an order
// of its own. All turns have as many, so that nothing needs to be kept but the times at which the most was changed.

import { random } from './random.ts'

export interface Counts {
  /** Transactions in a block. */
  of(block: number): number
  /** Transactions in all blocks before it: the number of its first one. */
  before(block: number): number
  /** The block that holds a transaction; none (Infinity) when no block will have any more. */
  blockOf(transaction: number): number
  /** From this block on, which is still to come, another number is the most. */
  change(block: number, most: number): void
}

const KEPT = 64

/** Blocks from one on, and the number of their first transaction. */
interface Era {
  block: number
  transaction: number
  /** As if these were all blocks of the chain. */
  counts: Pick<Counts, 'of' | 'before' | 'blockOf'>
}

export function createCounts(seed: number, chainId: number, most: number): Counts {
  const eras: Era[] = [{ block: 0, transaction: 0, counts: turns(most, seed, 'evm', chainId, 'turn') }]
  const eraOf = (block: number) => eras.findLast((one) => one.block <= block) ?? eras[0]!

  function before(block: number): number {
    const era = eraOf(block)
    return era.transaction + era.counts.before(block - era.block)
  }

  return {
    of(block) {
      const era = eraOf(block)
      return era.counts.of(block - era.block)
    },
    before,
    blockOf(transaction) {
      const era = eras.findLast((one) => one.transaction <= transaction) ?? eras[0]!
      return era.block + era.counts.blockOf(transaction - era.transaction)
    },
    change(block, next) {
      const transaction = before(block)
      if (eras.at(-1)!.block === block) eras.pop()
      eras.push({ block, transaction, counts: turns(next, seed, 'evm', chainId, 'turn from', block) })
    },
  }
}

function turns(most: number, ...name: readonly (string | number)[]): Era['counts'] {
  const blocks = most + 1
  const transactions = (most * blocks) / 2

  /** A cache of turns: a request for a block is followed by requests for its neighbours. */
  const kept = new Map<number, readonly number[]>()

  function turn(number: number): readonly number[] {
    let counts = kept.get(number)
    if (counts === undefined) {
      if (kept.size >= KEPT) kept.clear()
      kept.set(number, (counts = shuffled(number)))
    }
    return counts
  }

  function shuffled(number: number): number[] {
    const dice = random(...name, number)
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
      if (most === 0) return Infinity
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
