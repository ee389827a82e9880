// Counts each item of an endless list once, even if pages arrive late, repeat or change order.

import { z } from 'zod'
import { countType, decimalType, sumType } from './remembered.ts'

/** Cursor and counters in one JSON record, so that they cannot disagree. */
export interface Followed<T> {
  /** Position of the newest counted item: a decimal integer. */
  position: string
  /** Items up to this position are done: counted, older than the first run, or a gap. */
  floor: string
  /** Known items above it, oldest first: id and position. Any other item above it is late or new. */
  seen: [string, string][]
  totals: T
  /** How often the list did not reach back to the cursor, so that items went uncounted. */
  gaps: number
}

export function followedType<T extends z.ZodType>(totals: T) {
  return z.object({ ...cursorType.shape, totals, gaps: countType })
}

export const cursorType = z.object({
  position: sumType,
  floor: decimalType,
  seen: z.array(z.tuple([z.string(), decimalType])),
})

/** A histogram among the totals. With other buckets, such as from another version, its counts would mean something else. */
export function histogramType({ buckets }: { buckets: readonly number[] }) {
  return z.object({ counts: z.array(countType).length(buckets.length + 1), sum: countType })
}

/** The cursor of an empty list: everything that appears later is new. */
export const beforeAll: z.output<typeof cursorType> = { position: '0', floor: '-1', seen: [] }

export interface Follow<I, T> {
  /** Grows with time: a height or a timestamp. */
  position(item: I): bigint
  id(item: I): string
  start: T
  /** May change the given totals. */
  add(totals: T, item: I): T
  /** After this many new items one more page is read, to see whether these were all. Older new items are a gap. */
  limit: number
  /** How many of the newest items are remembered, to distinguish late items from counted ones. */
  remembered: number
  /** How far beyond the cursor the list is read for late items, in positions. */
  reach: bigint
  /** The list is requested from the cursor on: its end is no gap. */
  beginsAtCursor?: true
}

interface Placed<I> {
  item: I
  position: bigint
}

/**
 * The first call sets the cursor to the newest item and counts nothing. Items below it never count, whenever they are
 * listed.
 */
export async function follow<I, T>(
  how: Follow<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: Followed<T> | undefined,
): Promise<Followed<T> | undefined> {
  return from ? advance(how, newestFirst, from) : begin(how, newestFirst)
}

/** Undefined for an empty list, which has no item for a cursor. */
async function begin<I, T>(how: Follow<I, T>, newestFirst: AsyncIterable<readonly I[]>) {
  const read = new Map<string, bigint>()
  let newest = -1n
  for await (const page of newestFirst) {
    for (const item of page) {
      const position = how.position(item)
      read.set(how.id(item), position)
      if (position > newest) newest = position
    }
    if (read.values().some((position) => position < newest)) break
  }
  if (newest < 0n) return undefined
  return { ...cursorOf(read, newest, newest - 1n, how.remembered), totals: how.start, gaps: 0 }
}

async function advance<I, T>(
  how: Follow<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: Followed<T>,
): Promise<Followed<T>> {
  const cursor = BigInt(from.position)
  const floor = BigInt(from.floor)
  const seen = new Map(from.seen.map(([id, position]) => [id, BigInt(position)]))
  const { fresh, met } = await readFresh(how, newestFirst, { cursor, floor, seen })
  const oldestFirst = inOrder(fresh.values())
  const position = oldestFirst.reduce((newest, one) => (one.position > newest ? one.position : newest), cursor)
  const isGap = !met && oldestFirst.length > 0
  for (const [id, one] of fresh) seen.set(id, one.position)
  return {
    // Older items than those read are a gap from now on.
    ...cursorOf(seen, position, isGap ? oldestFirst[0]!.position : floor, how.remembered),
    totals: oldestFirst.reduce((totals, { item }) => how.add(totals, item), structuredClone(from.totals)),
    gaps: from.gaps + (isGap ? 1 : 0),
  }
}

interface Standing {
  cursor: bigint
  floor: bigint
  seen: ReadonlyMap<string, bigint>
}

async function readFresh<I, T>(
  how: Follow<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  { cursor, floor, seen }: Standing,
) {
  const fresh = new Map<string, Placed<I>>()
  const isOld = (item: I) => how.position(item) <= cursor
  // Items below the floor no longer count.
  const depth = cursor - how.reach > floor ? cursor - how.reach : floor + 1n
  let met = false
  for await (const page of newestFirst) {
    if (fresh.size >= how.limit && page.some((item) => !fresh.has(how.id(item))) && !page.some(isOld)) {
      return { fresh, met }
    }
    let passed = false
    for (const item of page) {
      const position = how.position(item)
      const id = how.id(item)
      met ||= position <= cursor
      passed ||= position < depth
      if (position > floor && !seen.has(id)) fresh.set(id, { item, position })
    }
    if (passed || (met && fresh.size >= how.limit)) return { fresh, met }
  }
  // A list that was empty, or is requested from the cursor on, was read to its end.
  return { fresh, met: met || floor < 0n || how.beginsAtCursor === true }
}

/** Items of one position, in the order of the list (newest first). */
function inOrder<I>(placed: Iterable<Placed<I>>): Placed<I>[] {
  return [...placed].toReversed().toSorted((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))
}

/** Keeps the newest known items, including all that share the newest position. */
export function cursorOf(
  known: ReadonlyMap<string, bigint>,
  position: bigint,
  floor: bigint,
  remembered: number,
): z.output<typeof cursorType> {
  const newestFirst = [...known].toSorted(([, a], [, b]) => (a > b ? -1 : a < b ? 1 : 0))
  const first = newestFirst.slice(remembered).find(([, at]) => at < position)?.[1]
  const over = first !== undefined && first > floor ? first : floor
  const kept = newestFirst.filter(([, at]) => at > over || at === position).toReversed()
  return {
    position: String(position),
    floor: String(over),
    seen: kept.map(([id, at]): [string, string] => [id, String(at)]),
  }
}
