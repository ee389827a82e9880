// 10,000 blocks of the data service, for collectors that count them: late, repeated, out of order, and indexed again.

import * as fc from 'fast-check'
import type { Poller, Upstream } from './poll.ts'

interface Block {
  blockNumber: string
  blockHash: string
}

/** The newest block when counting begins, and in the end. */
const [FIRST, LAST] = [50, 10_050]

/** `isCounted` throws where the counters are not those of the blocks from 51 to 10,050, each counted once. */
export async function blocksInBursts(
  started: () => Poller,
  blocks: (high: number, low: number) => readonly Block[],
  isCounted: (poller: Poller) => void,
): Promise<void> {
  const burst = fc.record({
    add: fc.integer({ min: 100, max: 2_000 }),
    lag: fc.nat(99),
    size: fc.integer({ min: 20, max: 100 }),
    disorder: fc.nat(5),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(burst, { minLength: 4, maxLength: 8 }), async (bursts) => {
      const poller = started()
      const poll = async (head: number, how: Order, hash = 'hash') => {
        await poller.poll(listed(blocks, head, how, hash))
        poller.clock.now += 60_000
      }
      const last = { add: LAST, lag: 0, size: 100, disorder: 0 }
      let head = FIRST
      await poll(head, last)
      for (const { add, lag, ...how } of [...bursts, last, last, last]) {
        // One run reads 5,000.
        const more = Math.min(add, 4_900, LAST - head)
        head += more
        // A replica that lags, then one that does not.
        await poll(head - Math.min(lag, more), how)
        await poll(head, how)
      }
      isCounted(poller)
      // The same heights under other hashes, for longer than a list that goes back is refused.
      for (let indexed = 1_000; indexed < head; indexed += 1_000) await poll(indexed, last, 'other')
      await poll(head, last, 'other')
      isCounted(poller)
    }),
    { numRuns: 3 },
  )
}

interface Order {
  size: number
  disorder: number
}

/** Pages by offset, each with the last two of the one before it, and put out of order. */
function listed(
  blocks: (high: number, low: number) => readonly Block[],
  head: number,
  { size, disorder }: Order,
  hash: string,
): Upstream {
  return (_, { query }) => {
    const offset = Number(query['pageToken'] ?? 0)
    const page = blocks(head - offset, Math.max(1, head - offset - size + 1))
    const order = ({ blockNumber }: Block) => Number(blockNumber) % (disorder + 1)
    const next = offset + size - 2
    return {
      blocks: page
        .map((one) => ({ ...one, blockHash: `${hash}-${one.blockNumber}` }))
        .toSorted((a, b) => order(a) - order(b)),
      ...(next < head ? { nextPageToken: String(next) } : {}),
    }
  }
}
