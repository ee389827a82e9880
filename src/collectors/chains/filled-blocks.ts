// Asks one by one for blocks that the list of a primary network chain leaves out.
// Get primary network block (document 1, operation 15).

import { toBaseError, type BaseError, type ErrorCode } from '../../errors.ts'
import { isInFuture } from '../../lib/clock.ts'
import type { PrimaryNetworkBlock as Block } from '../../operations/data/primary-network-blocks.ts'
import type { Answer } from '../../operations/define.ts'
import { inFuture } from '../counting/believed.ts'
import { type Cursor, TRIES } from './heights.ts'

/** Blocks asked for in one run: each costs as much as five pages. */
const MOST_FILLED = 50

/** Errors that any other request would meet as well. */
const fatal = new Set<ErrorCode>(['aborted', 'config', 'bug'])
/** The service does not have the block, or offers no single blocks: asking again is useless. */
const absent = new Set<ErrorCode>(['not_found', 'unsupported'])

/** The service does not answer at all, or not in time: save the run's time for the rest. */
const down = new Set<ErrorCode>(['timeout', 'network', 'circuit_open', 'over_budget', 'busy', 'paused'])

export type Asking = ReturnType<typeof asking>

/** A block that is not available costs only itself. */
export function asking(get: (height: bigint) => Promise<Answer<Block>>, now: number) {
  const failed = new Set<number>()
  let failure: BaseError | undefined
  let asked = 0
  return {
    /** Undefined if the block is not available, or the limit of requests is reached. */
    async ask(height: bigint): Promise<Block | undefined> {
      asked += 1
      if (asked > MOST_FILLED) return undefined
      if (failure && down.has(failure.code)) {
        failed.add(Number(height))
        return undefined
      }
      try {
        const { value } = await get(height)
        if (isInFuture(value.blockTimestamp, now)) throw inFuture('a block')
        return value
      } catch (thrown) {
        const error = toBaseError(thrown)
        if (fatal.has(error.code)) throw error
        if (absent.has(error.code)) return undefined
        if (!failure || down.has(error.code)) failure = error
        failed.add(Number(height))
        return undefined
      }
    },
    /** Heights that the service did not return but may have: the next run asks again. */
    failed,
    /** One of the failures. */
    failure: (): BaseError | undefined => failure,
  }
}

/**
 * Pages by height, each block once. Heights missing from the list are asked for if they lie above the cursor or were
 * not available before.
 */
export async function* withoutHoles(
  listed: AsyncIterable<readonly Block[]>,
  ask: Asking['ask'],
  from: Pick<Cursor, 'position' | 'unread'> | undefined,
): AsyncGenerator<Block[]> {
  const again = (from?.unread ?? [])
    .filter(([, runs]) => runs < TRIES)
    .map(([height]) => BigInt(height))
    .toSorted((a, b) => (a < b ? 1 : -1))
  let lowest: bigint | undefined
  for await (const blocks of listed) {
    const page: Block[] = []
    for (const block of blocks.toSorted((a, b) => (a.blockNumber < b.blockNumber ? 1 : -1))) {
      const { blockNumber } = block
      // Blocks that arrive while we read push older ones to the next page, so those come twice.
      if (lowest !== undefined && blockNumber >= lowest) continue
      const above = lowest ?? blockNumber
      for (const height of holesBetween(above, blockNumber, from ? BigInt(from.position) : above, again)) {
        // One at a time, because each call costs request units.
        const found = await ask(height)
        if (found?.blockNumber === height) page.push(found)
      }
      page.push(block)
      lowest = blockNumber
    }
    if (page.length > 0) yield page
  }
}

/** Heights between two blocks, highest first: the newest above the cursor, and those to ask for again. */
function* holesBetween(above: bigint, below: bigint, position: bigint, again: readonly bigint[]): Generator<bigint> {
  const floor = below > position ? below : position
  for (let height = above - 1n, many = 0; height > floor && many < MOST_FILLED; height -= 1n, many += 1) yield height
  for (const height of again) if (height < above && height > below && height <= position) yield height
}
