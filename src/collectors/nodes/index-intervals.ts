// index-intervals: how evenly each node accepts blocks, each block of its index counted once.
// index.getLastAccepted, getContainerByIndex and getContainerRange (document 2, Index interface).

import { z } from 'zod'
import { BaseError, type ErrorCode, toBaseError } from '../../errors.ts'
import { emptyHistogram, observe, opinionOfChain, type Sample } from '../../metrics/define.ts'
import { getContainerByIndex, getContainerRange, getLastAccepted } from '../../operations/node/indexes.ts'
import { believedType, growth, refusalOf, updateTotal } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'
import { type Follow, follow, type Followed, followedType, histogramType } from '../counting/follow.ts'
import { type Container, indexedChains, newestContainer, SHORTER, sizeOf } from './indexes.ts'
import { countType, decimalType, momentType } from '../counting/remembered.ts'

const acceptanceInterval = opinionOfChain.histogram('stakewatch_index_acceptance_interval_seconds', {
  help: "Time between the node's acceptance of a counted block and of the next one (index.getContainerRange).",
  labels: ['index'],
  buckets: [0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600],
})
const gapsTotal = opinionOfChain.counter('stakewatch_index_acceptance_gaps_total', {
  help: 'How often blocks of the node went uncounted since counting began (index.getContainerRange).',
  details: 'Too many came at once, or the index has other blocks in their places.',
  labels: ['index'],
})

const totalsType = z.object({
  head: z.object({ index: decimalType, time: momentType }),
  intervals: histogramType(acceptanceInterval),
})
type Totals = z.output<typeof totalsType>
const memory = followedType(totalsType).extend({
  size: believedType,
  /** How many runs could not read the blocks since then. */
  waited: countType.default(0),
  /** Id of the first block of the index: indexes with the same first block have every block in the same place. */
  first: z.string(),
})
type Counted = Followed<Totals> & { first: string }

/** After this many runs an unreadable block is a gap, if others are readable. */
const PATIENCE = 2
/** With more than this in one run, the node itself is failing. */
const MOST_LEFT = 16

/** A range holds the blocks in full: a longer one could exceed the size limit of an answer. */
const PAGE = 64n
/** New blocks read in one run; older ones are a gap. */
const LIMIT = 2_000

export const indexIntervals = defineCollector({
  name: 'index-intervals',
  about: 'Times between the blocks that each node with an index accepts; reads every block in full.',
  every: '1m',
  uses: [getLastAccepted, getContainerByIndex, getContainerRange],
  observer: 'each',
  isObserver: ({ index }) => index,
  isOptIn: true,
  metrics: [acceptanceInterval, gapsTotal],
  memory,
  subjects: indexedChains,
  estimate: () => ({ series: 17 }),
  async collect({ subject: { of }, memory: from, now, call, flawed }) {
    const newest = await newestContainer(call, of)
    const size = updateTotal(sizeOf(newest), from?.size, now, growth.accepted)
    const refused = refusalOf(size, SHORTER)
    if (from && refused) return { samples: [], memory: { ...from, size }, refused }
    const ranges = readRanges(
      async (low, high) => {
        const { value } = await call(getContainerRange, { ...of, startIndex: low, numToFetch: Number(high - low) + 1 })
        return requestedOnly(value.containers, low, high)
      },
      (from?.waited ?? 0) >= PATIENCE,
    )
    const read: Read = {
      one: async (index) => {
        const { value } = await call(getContainerByIndex, { ...of, index })
        return requestedOnly([value], index, index)[0]!
      },
      range: ranges.read,
    }
    const counted = newest ? await advance(newest, from, read) : from
    if (!counted) return { samples: [] }
    const labels = { index: of.kind }
    const failure = ranges.failure()
    if (from && failure) {
      flawed(failure)
      return { samples: samplesOf(from, labels), memory: { ...from, size, waited: from.waited + 1 } }
    }
    const gaps = counted.gaps + (ranges.hasLeftOut() ? 1 : 0)
    return { samples: samplesOf({ ...counted, gaps }, labels), memory: { ...counted, gaps, size, waited: 0 } }
  },
})

function samplesOf({ totals, gaps }: Counted, labels: { index: string }): Sample[] {
  return [acceptanceInterval.sample(labels, totals.intervals), gapsTotal.sample(labels, gaps)]
}

/** Errors of a range that one block can cause. */
const ofOne = new Set<ErrorCode>(['bad_response', 'too_large', 'rpc_error', 'http_status'])

/**
 * One unreadable block makes its range fail. Once it is time to give it up, ranges are halved until the others are
 * read, and it is left out. If none is readable, the node itself is failing.
 */
function readRanges(ask: Read['range'], isOver: boolean) {
  let failure: BaseError | undefined
  let found = 0
  const left: bigint[] = []
  async function read(low: bigint, high: bigint): Promise<readonly Container[]> {
    try {
      const containers = await ask(low, high)
      found += containers.length
      return containers
    } catch (thrown) {
      failure = toBaseError(thrown)
      if (!ofOne.has(failure.code) || left.length === MOST_LEFT) throw failure
      if (!isOver) return []
    }
    if (low === high) {
      left.push(low)
      return []
    }
    const middle = (low + high) / 2n
    const lower = await read(low, middle)
    return [...(await read(middle + 1n, high)), ...lower]
  }
  return {
    read,
    /** Why the run cannot count the new blocks. */
    failure: () => (isOver && found > 0 ? undefined : failure),
    hasLeftOut: () => left.length > 0,
  }
}

/** Reads the container at one place of the index, or those between two places. */
interface Read {
  one(index: bigint): Promise<Container>
  range(low: bigint, high: bigint): Promise<readonly Container[]>
}

async function advance(newest: Container, from: Counted | undefined, read: Read): Promise<Counted | undefined> {
  // Counting must not start at a place that the index does not have.
  if (!from) return beginAt(await read.one(newest.index), await read.one(0n))
  const cursor = BigInt(from.position)
  if (newest.index < cursor) {
    const first = await read.one(0n)
    // An index that was deleted and fills again has only counted blocks until it is as long as before.
    return first.id === from.first ? from : beginAt(newest, first, from)
  }
  const last = newest.index === cursor ? newest : await read.one(cursor)
  if (!from.seen.some(([id]) => id === last.id)) return beginAt(newest, await read.one(0n), from)
  // Reads the time of the last block again: an index that was refilled has other times.
  const totals = { ...from.totals, head: headOf(last) }
  const counted = await follow({ ...blocks, start: totals }, newestFirst(newest, last, read), { ...from, totals })
  return counted && { ...counted, first: from.first }
}

/** Puts the cursor on the newest block; the blocks before it stay uncounted. */
function beginAt(newest: Container, first: Container, before?: Counted): Counted {
  return {
    position: String(newest.index),
    floor: String(newest.index),
    seen: [[newest.id, String(newest.index)]],
    totals: { head: headOf(newest), intervals: before?.totals.intervals ?? emptyHistogram(acceptanceInterval) },
    gaps: before ? before.gaps + 1 : 0,
    first: first.id,
  }
}

async function* newestFirst(newest: Container, last: Container, read: Read) {
  if (newest.index > last.index) yield [newest]
  for (let high = newest.index - 1n; high > last.index; high -= PAGE) {
    const low = high - PAGE + 1n
    yield await read.range(low > last.index ? low : last.index + 1n, high)
  }
  yield [last]
}

/** The index reaches beyond the range, so it has all of it: a missing container must not go unnoticed. */
function requestedOnly(containers: readonly Container[], low: bigint, high: bigint): Container[] {
  const asked = containers.filter(({ index }) => index >= low && index <= high)
  if (BigInt(new Set(asked.map(({ index }) => index)).size) <= high - low) {
    throw new BaseError('bad_response', 'the index did not return the requested containers')
  }
  return asked
}

const blocks: Omit<Follow<Container, Totals>, 'start'> = {
  position: ({ index }) => index,
  id: ({ id }) => id,
  add,
  limit: LIMIT,
  remembered: 1,
  reach: 0n,
}

function add({ head, intervals }: Totals, block: Container): Totals {
  const isNext = block.index === BigInt(head.index) + 1n
  // The clock of a node may be set back.
  const took = Math.max(0, block.timestamp - head.time)
  return { head: headOf(block), intervals: isNext ? observe(acceptanceInterval, intervals, [took]) : intervals }
}

function headOf({ index, timestamp }: Container): Totals['head'] {
  return { index: String(index), time: timestamp }
}
