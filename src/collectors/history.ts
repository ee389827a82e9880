// Lists of what happened to somebody, newest first, each item counted once. Such a list may be empty for years, and one
// that goes back is not believed at once.

import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { follow, type Follow, type Followed, followedType } from './follow.ts'

/** New items read in one run; what lies further back is a gap. */
const LIMIT = 5_000
/** A list that went back may after all be right: it is believed when this many runs over this time agree. */
const AGREEING = { runs: 3, time: 300_000 }

export interface HistoryOf<I, T> extends Pick<Follow<I, T>, 'id' | 'start' | 'add'> {
  /** Unix seconds; undefined when the item does not say enough to be counted. */
  time(item: I): number | undefined
}

/** Runs in a row whose list ended before the newest item that was counted, and when the first of them began. */
const refusedType = z.object({ runs: z.number(), since: z.number() }).optional()
export type History<T> = Followed<T> & { refused?: z.output<typeof refusedType> }

export function historyType<T extends z.ZodType>(totals: T) {
  return followedType(totals).extend({ refused: refusedType })
}

interface Counted<I, T> {
  history: History<T>
  /** All that was read, counted now or before. */
  listed: readonly I[]
  /** Why the run counts as a failure: `stale_response` while a list that went back is not believed. */
  problem: BaseError | undefined
}

/** The first call counts nothing. A list that is empty then is known from its beginning. */
export async function followHistory<I, T>(
  { time, ...how }: HistoryOf<I, T>,
  newestFirst: AsyncIterable<readonly I[]>,
  from: History<T> | undefined,
  now: number,
): Promise<Counted<I, T>> {
  let listed: I[] = []
  let isWhole = false
  let isLeftOut = false
  async function* countable() {
    for await (const page of newestFirst) {
      const items = page.filter((item) => (time(item) ?? -1) >= 0)
      isLeftOut ||= items.length < page.length
      listed = listed.concat(items)
      yield items
    }
    isWhole = true
  }
  const position = (item: I) => String(time(item))
  const beginning = { position: '0', seen: [], totals: how.start, gaps: 0 }
  const counted = (await follow({ ...how, position, limit: LIMIT }, countable(), from)) ?? beginning
  const problem = isLeftOut ? uncountable() : undefined
  if (!from) return { history: counted, listed, problem }
  const newest = listed.reduce((latest, item) => Math.max(latest, time(item)!), 0)
  if (newest < Number(from.position)) {
    const refused = oneMore(from.refused, now)
    const isBelieved = refused.runs >= AGREEING.runs && now - refused.since >= AGREEING.time
    return { history: { ...from, refused }, listed, problem: isBelieved ? problem : wentBack() }
  }
  const isFromBeginning = from.position === '0' && isWhole
  return { history: { ...counted, gaps: isFromBeginning ? from.gaps : counted.gaps }, listed, problem }
}

function oneMore(before: History<unknown>['refused'], now: number) {
  return { runs: (before?.runs ?? 0) + 1, since: before?.since ?? now }
}

function uncountable(): BaseError {
  return new BaseError('bad_response', 'items that lack what counting needs, such as their time, are left out')
}

function wentBack(): BaseError {
  return new BaseError('stale_response', 'the newest listed item is older than one already counted')
}
