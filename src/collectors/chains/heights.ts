// Counts each block of a chain once, by height. A height that the list leaves out is counted if it comes within ten
// minutes, else missed. A block that is listed but unreadable is missed after three runs. A wholly unreadable list is
// no answer, so none of its blocks is missed.

import { z } from 'zod'
import { type HistogramValue, observe } from '../../metrics/define.ts'
import { mostSince, growth } from '../counting/believed.ts'
import { countType, heightType, momentType } from '../counting/remembered.ts'

/** Cursor and counters in one JSON record, so that they cannot disagree. */
export interface Counted<T> {
  cursor: Cursor
  totals: T
}

const placeType = z.object({
  /** Height of the newest counted block. */
  position: heightType,
  /** Blocks up to this height existed before counting began. */
  start: heightType,
})

export const cursorType = placeType.extend({
  /** Missing heights: lowest and highest of each gap, and when it was seen (milliseconds). */
  holes: z.array(z.tuple([heightType, heightType, momentType])),
  /** Unavailable heights, and how many runs could not read them: after TRIES they are given up. */
  unread: z.array(z.tuple([heightType, countType])).default([]),
  /** Cursor before a leap ahead, as the chain may yet continue from there. */
  left: placeType.optional(),
})
export type Cursor = z.output<typeof cursorType>
type Hole = Cursor['holes'][number]

export function countedType<T extends z.ZodType>(totals: T) {
  return z.object({ cursor: cursorType, totals })
}

export const headType = z.object({ height: heightType, time: momentType })

interface Block {
  blockNumber: bigint
  blockTimestamp: number
}

export function headOf({ blockNumber, blockTimestamp }: Block) {
  return { height: Number(blockNumber), time: blockTimestamp }
}

interface Spaced {
  head?: z.output<typeof headType> | undefined
  /** Times between blocks and their predecessors. */
  intervals: HistogramValue
}

/** With more blocks, in a histogram of these intervals. */
export function spacedBy(metric: { buckets: readonly number[] }, before: Spaced, lowestFirst: readonly Block[]) {
  let { head } = before
  const intervals: number[] = []
  for (const one of lowestFirst.map(headOf)) {
    if (head?.height === one.height - 1) intervals.push(Math.max(0, one.time - head.time))
    if (!head || head.height <= one.height) head = one
  }
  return { head, intervals: observe(metric, before.intervals, intervals) }
}

export interface ByHeight<B, T> {
  start: T
  add(totals: T, lowestFirst: readonly B[]): T
}

/** After this many new blocks one more page is read, to see whether these were all. Older new blocks are missed. */
const LIMIT = 5_000

/** How long (milliseconds) a missing height may still come. */
const PATIENCE = 600_000
/** How far below the cursor the list is read for them, and how many gaps are kept. */
const DEPTH = 500
const MOST_HOLES = 100
/** How many runs try to read a block, */
export const TRIES = 3
/** and for how many heights that is remembered. */
const MOST_UNREAD = 500

/** What a run learned about unavailable blocks. */
export interface Unread {
  /** Number of unreadable items in the pages so far. */
  listed(): number
  /** Heights for which the upstream failed. */
  failed: ReadonlySet<number>
}

/** The first call sets the cursor to the newest block and counts nothing. Undefined if there is none. */
export async function countHeights<B extends Block, T extends { missed: number }>(
  how: ByHeight<B, T>,
  newestFirst: AsyncIterable<readonly B[]>,
  from: Counted<T> | undefined,
  now: number,
  seen: Unread,
): Promise<Counted<T> | undefined> {
  if (from) return advance(how, newestFirst, from, now, seen)
  for await (const page of newestFirst) {
    if (page.length > 0) return { cursor: startAt(Math.max(...page.map(heightOf))), totals: how.start }
  }
  return undefined
}

export function startAt(height: number): Cursor {
  return { position: height, start: height, holes: [], unread: [] }
}

/**
 * Where counting continues if the chain restarted at a height, as three runs agreed. Far ahead, it starts there and
 * keeps the old cursor. Below, it returns to the cursor before a leap. If the service only reads its chain again, it
 * soon reaches the cursor, which stays, so that no height counts twice; a cursor that the chain never reached moves
 * back.
 */
export function moveCursor(cursor: Cursor, height: number | undefined): Cursor {
  if (height === undefined) return cursor
  if (height > cursor.position) {
    return { ...startAt(height), left: { position: cursor.position, start: cursor.start } }
  }
  const before = cursor.left ? { ...cursor.left, holes: [], unread: [] } : cursor
  return before.start - height > Number(mostSince(growth.blocks.since, 0, 0)) ? startAt(height) : before
}

/** The same of all that is counted: the last block before a restart is no predecessor of those after it. */
export function continueAt<T, C extends Counted<T>>(counted: C, height: number | undefined): C {
  const totals = height === undefined ? counted.totals : { ...counted.totals, head: undefined }
  return { ...counted, totals, cursor: moveCursor(counted.cursor, height) }
}

async function advance<B extends Block, T extends { missed: number }>(
  how: ByHeight<B, T>,
  newestFirst: AsyncIterable<readonly B[]>,
  { cursor, totals }: Counted<T>,
  now: number,
  seen: Unread,
): Promise<Counted<T>> {
  const { fresh, lowest } = await readFresh(newestFirst, cursor)
  const heights = [...fresh.keys()].toSorted((a, b) => a - b)
  const news = heights.filter((height) => height > cursor.position)
  // Blocks below the last page will not be read later either.
  const unreachable = news.length > 0 && lowest > cursor.position + 1 ? lowest - 1 - cursor.position : 0
  const fromHere = [cursor.position + unreachable, ...news]
  const skipped = news.flatMap((height, at): Hole[] =>
    height > fromHere[at]! + 1 ? [[fromHere[at]! + 1, height - 1, now]] : [],
  )
  const left = [...cursor.holes.flatMap((hole) => without(hole, heights)), ...skipped]
  const unread = unreadIn(left, lowest, cursor.unread, seen)
  const givenUp = unread.filter(([, runs]) => runs >= TRIES).map(([height]) => height)
  const holes = left.flatMap((hole) => without(hole, givenUp))
  const isOver = ([, , since]: Hole, at: number) => now - since >= PATIENCE || holes.length - at > MOST_HOLES
  const missed = unreachable + sizeOf(left) - sizeOf(holes) + sizeOf(holes.filter(isOver))
  const counted = how.add(
    totals,
    heights.map((height) => fresh.get(height)!),
  )
  return {
    cursor: {
      ...cursor,
      position: news.at(-1) ?? cursor.position,
      // The clock may have been set back.
      holes: holes
        .filter((hole, at) => !isOver(hole, at))
        .map(([low, high, since]) => [low, high, Math.min(since, now)]),
      unread,
    },
    totals: { ...counted, missed: counted.missed + missed },
  }
}

/**
 * Adds one run to each missing height that is listed. If the list has as many unreadable items as heights are missing,
 * these are the same. Otherwise some were left out and may come late.
 */
function unreadIn(
  holes: readonly Hole[],
  lowest: number,
  before: Cursor['unread'],
  { listed, failed }: Unread,
): Cursor['unread'] {
  const inReach = holes.filter(([low]) => low > lowest)
  const givenUp = before.filter(([height, runs]) => runs >= TRIES && height > lowest)
  const size = sizeOf(inReach) + givenUp.length
  if (size > MOST_UNREAD) return []
  const areListed = listed() >= size
  const runs = new Map(before)
  const missing = inReach.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, at) => low + at))
  return [
    ...givenUp,
    ...missing
      .filter((height) => areListed || failed.has(height) || runs.has(height))
      .map((height): [number, number] => [height, (runs.get(height) ?? 0) + (areListed ? 1 : 0)]),
  ]
}

function heightOf({ blockNumber }: Block): number {
  return Number(blockNumber)
}

function sizeOf(holes: readonly Hole[]): number {
  return holes.reduce((sum, [low, high]) => sum + high - low + 1, 0)
}

/** Uncounted blocks, and the lowest height that was read. */
async function readFresh<B extends Block>(newestFirst: AsyncIterable<readonly B[]>, { position, holes }: Cursor) {
  const fresh = new Map<number, B>()
  const deep = holes.filter(([low]) => low > position - DEPTH).map(([low]) => low - 1)
  const depth = Math.min(position, ...deep)
  const isMissing = (height: number) => holes.some(([low, high]) => height >= low && height <= high)
  let lowest = Infinity
  for await (const page of newestFirst) {
    const heights = page.map(heightOf)
    if (fresh.size >= LIMIT && heights.some((one) => !fresh.has(one)) && heights.every((one) => one > position)) break
    for (const block of page) {
      const height = heightOf(block)
      lowest = Math.min(lowest, height)
      if (!fresh.has(height) && (height > position || isMissing(height))) fresh.set(height, block)
    }
    if (heights.some((height) => height < depth)) break
  }
  return { fresh, lowest }
}

function without([low, high, since]: Hole, heights: readonly number[]): Hole[] {
  const found = heights.filter((height) => height >= low && height <= high)
  const edges = [low - 1, ...found, high + 1]
  return edges
    .slice(1)
    .flatMap((edge, at): Hole[] => (edge > edges[at]! + 1 ? [[edges[at]! + 1, edge - 1, since]] : []))
}
