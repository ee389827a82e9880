// index-intervals: how evenly each node accepts blocks, each block of its index counted once.
// index.getLastAccepted, getContainerByIndex and getContainerRange (document 2, Index interface).

import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { counter, emptyHistogram, histogram, observe } from '../metrics/define.ts'
import { getContainerByIndex } from '../operations/node/index.getContainerByIndex.ts'
import { getContainerRange } from '../operations/node/index.getContainerRange.ts'
import { getLastAccepted } from '../operations/node/index.getLastAccepted.ts'
import { believed, believedType } from './believed.ts'
import { defineCollector } from './define.ts'
import { type Follow, follow, type Followed, followedType, histogramType } from './follow.ts'
import { type Container, indexedChains, newestContainer, shorterThanBefore, sizeOf } from './indexes.ts'

const acceptanceInterval = histogram({
  name: 'stakewatch_index_acceptance_interval_seconds',
  help: 'Time from block to block as the node `source` accepted them, of the blocks counted since the first start (index.getContainerRange).',
  of: 'chain',
  opinion: true,
  labels: ['index'],
  buckets: [0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600],
})
const gapsTotal = counter({
  name: 'stakewatch_index_acceptance_gaps_total',
  help: 'Times since the first start that blocks went uncounted: too many at once, or an index that the node `source` made anew.',
  of: 'chain',
  opinion: true,
  labels: ['index'],
})

const totalsType = z.object({
  /** The newest counted block. */
  head: z.object({ index: z.string(), time: z.number() }),
  intervals: histogramType,
})
type Totals = z.output<typeof totalsType>
const memory = followedType(totalsType).extend({ size: believedType })

/** A range holds the blocks in full: more of them could pass what an answer may have. */
const PAGE = 64n
/** New blocks read in one run; what lies further back is a gap. */
const LIMIT = 2_000

export const indexIntervals = defineCollector({
  name: 'index-intervals',
  about: 'Times between the blocks that each node with an index accepts; it reads every block in full.',
  every: '1m',
  uses: [getLastAccepted, getContainerByIndex, getContainerRange],
  observer: 'each',
  isObserver: ({ index }) => index,
  isOptIn: true,
  metrics: [acceptanceInterval, gapsTotal],
  memory,
  subjects: indexedChains,
  estimate: () => ({
    calls: [getLastAccepted, getContainerByIndex, getContainerRange].map((operation) => ({ operation, times: 1 })),
    series: 17,
  }),
  async collect({ subject: { of }, memory: from, now, call, attempt }) {
    const newest = await newestContainer(call, of)
    const size = believed(sizeOf(newest), from?.size, now)
    if (from && size.refused) {
      await attempt(Promise.reject(shorterThanBefore()))
      return { samples: [], memory: { ...from, size } }
    }
    const read: Read = {
      one: async (index) => onlyAsked([(await call(getContainerByIndex, { ...of, index })).value], index, index),
      range: async (low, high) => {
        const { value } = await call(getContainerRange, { ...of, startIndex: low, numToFetch: Number(high - low) + 1 })
        return onlyAsked(value.containers, low, high)
      },
    }
    const counted = newest ? await advance(newest, from, read) : from
    if (!counted) return { samples: [] }
    const labels = { index: of.kind }
    return {
      samples: [acceptanceInterval.sample(labels, counted.totals.intervals), gapsTotal.sample(labels, counted.gaps)],
      memory: { ...counted, size },
    }
  },
})

/** Containers by their places in the index. */
interface Read {
  one(index: bigint): Promise<readonly Container[]>
  range(low: bigint, high: bigint): Promise<readonly Container[]>
}

async function advance(newest: Container, from: Followed<Totals> | undefined, read: Read) {
  const anew: Followed<Totals> = {
    position: String(newest.index),
    seen: [newest.id],
    totals: { head: headOf(newest), intervals: from?.totals.intervals ?? emptyHistogram(acceptanceInterval) },
    gaps: from ? from.gaps + 1 : 0,
  }
  if (!from || newest.index < BigInt(from.position)) return anew
  const cursor = BigInt(from.position)
  const counted = newest.index === cursor ? [newest] : await read.one(cursor)
  // An index that was deleted and filled again has other times, or other containers in its places.
  const isInPlace = counted.some(({ id, timestamp }) => from.seen.includes(id) && timestamp === from.totals.head.time)
  if (!isInPlace) return anew
  return follow(blocksOf(from.totals), newestFirst(newest, counted, cursor, read), from)
}

async function* newestFirst(newest: Container, counted: readonly Container[], cursor: bigint, read: Read) {
  if (newest.index > cursor) yield [newest]
  for (let high = newest.index - 1n; high > cursor; high -= PAGE) {
    const low = high - PAGE + 1n
    yield await read.range(low > cursor ? low : cursor + 1n, high)
  }
  yield counted
}

/** All that were asked for are there, as the index ends behind them: one left out would be missed without a word. */
function onlyAsked(containers: readonly Container[], low: bigint, high: bigint): Container[] {
  const asked = containers.filter(({ index }) => index >= low && index <= high)
  if (BigInt(new Set(asked.map(({ index }) => index)).size) <= high - low) {
    throw new BaseError('bad_response', 'the index did not give the containers that it was asked for')
  }
  return asked
}

function blocksOf(start: Totals): Follow<Container, Totals> {
  return { position: ({ index }) => String(index), id: ({ id }) => id, start, add, limit: LIMIT }
}

function add({ head, intervals }: Totals, block: Container): Totals {
  const isNext = block.index === BigInt(head.index) + 1n
  // A node's clock can be set back.
  const took = Math.max(0, block.timestamp - head.time)
  return { head: headOf(block), intervals: isNext ? observe(acceptanceInterval, intervals, took) : intervals }
}

function headOf({ index, timestamp }: Container): Totals['head'] {
  return { index: String(index), time: timestamp }
}
