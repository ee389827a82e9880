// Follows lists of events of a wallet or validator, newest first, and counts each item once. Such a list may be empty
// for years, and one that goes back is not accepted at once.

import type { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { type Believed, believedType, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { beforeAll, follow, type Follow, type Followed, followedType } from '../counting/follow.ts'
import { isInFuture } from '../../lib/clock.ts'

/** How many new items one run reads. Older new items are a gap. */
const LIMIT = 5_000
/** Ids that are remembered, and how far back (seconds) each run reads: items can be listed late. */
const REMEMBERED = 1_000
const REACH = 3_600n

export interface HistoryOf<I, T> extends Pick<Follow<I, T>, 'id' | 'start' | 'add'> {
  /** Unix seconds; undefined if the item lacks what counting needs. */
  time(item: I): number | undefined
}

/** Includes the time of the newest listed item. */
export type History<T> = Followed<T> & { newest: Believed }

export function historyType<T extends z.ZodType>(totals: T) {
  return followedType(totals).extend({ newest: believedType })
}

interface Counted<I, T> {
  history: History<T>
  /** All items that were read, counted now or before. */
  listed: readonly I[]
  /** The list now ends before counted items: later events are not listed yet. */
  isBehind: boolean
  /** Why the run counts as a failure although the listed items are good. */
  problem: BaseError | undefined
  /** Why the list is rejected: it ends before counted items. */
  refused: BaseError | undefined
}

/** The first call counts nothing. A list that is empty then is known from its beginning, so its first items count. */
export async function followHistory<I, T>(
  { time, ...how }: HistoryOf<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: History<T> | undefined,
  now: number,
): Promise<Counted<I, T>> {
  const listed: I[] = []
  let problem: BaseError | undefined
  const isCountable = (at: number | undefined) => at !== undefined && at >= 0 && !isInFuture(at, now)
  async function* countable() {
    for await (const page of newestFirst) {
      const items = page.filter((item) => isCountable(time(item)))
      const isAhead = page.some((item) => isInFuture(time(item) ?? 0, now))
      if (items.length < page.length) problem ??= isAhead ? inFuture('a listed item') : incompleteError()
      listed.push(...items)
      yield items
    }
  }
  const position = (item: I) => BigInt(time(item)!)
  const all = { ...how, position, limit: LIMIT, remembered: REMEMBERED, reach: REACH }
  const counted = (await follow(all, countable(), from)) ?? { ...beforeAll, totals: how.start, gaps: 0 }
  const latest = listed.reduce((newest, item) => Math.max(newest, time(item)!), 0)
  const newest = updateTotal(BigInt(latest), from?.newest, now)
  const isBehind = from !== undefined && latest < Number(from.position)
  const refused = refusalOf(newest, 'the newest listed item is older than a counted one')
  return { listed, isBehind, problem, refused, history: from && refused ? { ...from, newest } : { ...counted, newest } }
}

/**
 * Joins the pages into one, up to the first page that reaches far enough back. The first run, which stops at the first
 * page that it can, then reads as far as that.
 */
export async function* joinPages<I>(
  newestFirst: AsyncIterable<readonly I[]>,
  reaches: (page: readonly I[]) => boolean,
): AsyncGenerator<readonly I[]> {
  let first: I[] = []
  let isFar = false
  for await (const page of newestFirst) {
    first.push(...page)
    isFar ||= reaches(page)
    if (!isFar) continue
    yield first
    first = []
  }
  if (!isFar) yield first
}

function incompleteError(): BaseError {
  return new BaseError('bad_response', 'left out incomplete items, which cannot be counted')
}
