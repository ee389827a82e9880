// Lists of what happened to somebody, newest first, each item counted once. Such a list may be empty for years, and one
// that goes back is not believed at once.

import type { z } from 'zod'
import { BaseError, refusal } from '../../errors.ts'
import { type Believed, believed, believedType } from '../counting/believed.ts'
import { follow, type Follow, type Followed, followedType } from '../counting/follow.ts'

/** How many new items one run reads. Older new items are a gap. */
const LIMIT = 5_000
/** How far (seconds) a good item can be ahead of our clock. Items later than that would move the cursor past all others. */
const MOST_AHEAD = 3_600

export interface HistoryOf<I, T> extends Pick<Follow<I, T>, 'id' | 'start' | 'add'> {
  /** Unix seconds; undefined when the item does not say enough to be counted. */
  time(item: I): number | undefined
}

/** With the time of the newest item that was listed. */
export type History<T> = Followed<T> & { newest: Believed }

export function historyType<T extends z.ZodType>(totals: T) {
  return followedType(totals).extend({ newest: believedType })
}

interface Counted<I, T> {
  history: History<T>
  /** All items that were read, counted now or before. */
  listed: readonly I[]
  /** The list now ends before items that were counted: what has happened since is not listed yet. */
  isBehind: boolean
  /** Why the run counts as a failure, though the listed items are good. */
  problem: BaseError | undefined
  /** Why the list is rejected: it ends before what was counted. */
  refused: BaseError | undefined
}

/** The first call counts nothing. A list that is empty then is known from its beginning, so that its first items count. */
export async function followHistory<I, T>(
  { time, ...how }: HistoryOf<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: History<T> | undefined,
  now: number,
): Promise<Counted<I, T>> {
  const listed: I[] = []
  let isWhole = false
  let isLeftOut = false
  const latestTime = now / 1_000 + MOST_AHEAD
  const isCountable = (at: number | undefined) => at !== undefined && at >= 0 && at <= latestTime
  async function* countable() {
    for await (const page of newestFirst) {
      const items = page.filter((item) => isCountable(time(item)))
      isLeftOut ||= items.length < page.length
      listed.push(...items)
      yield items
    }
    isWhole = true
  }
  const position = (item: I) => String(time(item))
  const beginning = { position: '0', seen: [], totals: how.start, gaps: 0 }
  const counted = (await follow({ ...how, position, limit: LIMIT }, countable(), from)) ?? beginning
  const problem = isLeftOut ? uncountable() : undefined
  const latest = listed.reduce((newest, item) => Math.max(newest, time(item)!), 0)
  const newest = believed(BigInt(latest), from?.newest, now)
  const isBehind = from !== undefined && latest < Number(from.position)
  const of = { listed, isBehind, problem, refused: newest.refused && wentBack() }
  if (!from) return { ...of, history: { ...counted, newest } }
  // A list that begins anew is believed after a while, but the cursor stays: nothing counts twice.
  if (isBehind) return { ...of, history: { ...from, newest } }
  const isFromBeginning = from.position === '0' && isWhole
  return { ...of, history: { ...counted, gaps: isFromBeginning ? from.gaps : counted.gaps, newest } }
}

/**
 * Joins the pages into one, up to the first page that reaches far enough back. The first run, which stops at the first
 * page that it can, then reads as far as that.
 */
export async function* joined<I>(
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

function uncountable(): BaseError {
  return new BaseError('bad_response', 'items that lack what counting needs, or lie in the future, are left out')
}

function wentBack(): BaseError {
  return refusal('older', 'the newest listed item is older than one already counted')
}
