// Counts each item of an endless list once, however late, repeated or reordered the pages come.

import { z } from 'zod'

/** Cursor and counters in one record, plain JSON, so that they can never disagree. */
export interface Followed<T> {
  /** That of the newest counted item: a decimal integer. */
  position: string
  /** Ids already counted at that position: many items can share one. */
  seen: string[]
  totals: T
  /** How often the list did not reach back to the cursor, so that items went uncounted. */
  gaps: number
}

/** The form of that record in a collector's memory. */
export function followedType<T extends z.ZodType>(totals: T) {
  return z.object({ position: z.string(), seen: z.array(z.string()), totals, gaps: z.number() })
}

/** A histogram among the totals. */
export const histogramType = z.object({ counts: z.array(z.number()), sum: z.number() })

export interface Follow<I, T> {
  /** A decimal integer that grows with time: a height or a timestamp. */
  position(item: I): string
  id(item: I): string
  start: T
  add(totals: T, item: I): T
  /** After this many new items one more page is read, to see whether these were all. Older new items are a gap. */
  limit: number
}

/** The first call sets the cursor on the newest item and counts nothing: counting begins there. */
export async function follow<I, T>(
  how: Follow<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: Followed<T> | undefined,
): Promise<Followed<T> | undefined> {
  return from ? advance(how, newestFirst, from) : begin(how, newestFirst)
}

/** Undefined when the list is empty: there is nothing to put a cursor on. */
async function begin<I, T>(how: Follow<I, T>, newestFirst: AsyncIterable<readonly I[]>) {
  let newest = -1n
  let seen = new Set<string>()
  for await (const page of newestFirst) {
    let older = false
    for (const item of page) {
      const position = BigInt(how.position(item))
      if (position > newest) {
        newest = position
        seen = new Set()
      }
      if (position === newest) seen.add(how.id(item))
      else older = true
    }
    if (older) break
  }
  return newest < 0n ? undefined : { position: String(newest), seen: [...seen], totals: how.start, gaps: 0 }
}

async function advance<I, T>(how: Follow<I, T>, newestFirst: AsyncIterable<readonly I[]>, from: Followed<T>) {
  const floor = BigInt(from.position)
  const seen = new Set(from.seen)
  const fresh = new Map<string, { item: I; position: bigint }>()
  let met = false
  const isOld = (item: I) => BigInt(how.position(item)) <= floor
  for await (const page of newestFirst) {
    if (fresh.size >= how.limit && page.some((item) => !fresh.has(how.id(item))) && !page.some(isOld)) break
    let passed = false
    for (const item of page) {
      const position = BigInt(how.position(item))
      const id = how.id(item)
      met ||= position <= floor
      passed ||= position < floor
      if (position > floor || (position === floor && !seen.has(id))) fresh.set(id, { item, position })
    }
    if (passed) break
  }
  const oldestFirst = [...fresh.values()]
    .toReversed()
    .toSorted((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))
  const position = oldestFirst.at(-1)?.position ?? floor
  const newest = oldestFirst.filter((one) => one.position === position).map(({ item }) => how.id(item))
  return {
    position: String(position),
    seen: position === floor ? [...seen, ...newest] : newest,
    totals: oldestFirst.reduce((totals, { item }) => how.add(totals, item), from.totals),
    gaps: from.gaps + (met ? 0 : 1),
  }
}
