// When something left a wallet, as far as its transactions tell.

import { type Mark, identity, type Memory } from './counted-transactions.ts'
import { isOutgoing, type Transaction } from './movements.ts'

/** A broken expectation stays broken for this long, so that somebody sees it. Milliseconds. */
const DAY = 86_400_000

/**
 * What left a wallet this long before the first look counts; what left it earlier is history (milliseconds). Without a storage
 * each start is a first look: an interval, a restart and the time until the service lists a transaction are shorter.
 */
export const FIRST_LOOK = 30 * 60_000

interface Seen {
  listed: readonly Transaction[]
  own: ReadonlySet<string>
  from: Memory | undefined
  now: number
  /** Until then (milliseconds) something may have left the wallet that is not among the listed transactions. */
  unread: number | undefined
}

/** News of the first run counts from when it happened. What a later run lists counts from when it was first seen. */
export function marked({ listed, own, from, now, unread }: Seen): { outgoing: Mark; untold: Mark } {
  const newest = (before: Mark, isOut: boolean | undefined): Mark => {
    const times = listed.filter((one) => isOutgoing(one, own) === isOut).map((one) => identity.time(one)!)
    const time = Math.max(...times, before?.time ?? -1)
    if (time === (before?.time ?? -1)) return before
    const isNews = time * 1_000 > now - FIRST_LOOK
    return { time, seen: from ? now : isNews ? time * 1_000 : 0 }
  }
  const untold = newest(from?.untold, undefined)
  const isUnread = unread !== undefined && unread > (untold?.seen ?? -Infinity)
  return {
    outgoing: newest(from?.outgoing, true),
    untold: isUnread ? { time: untold?.time ?? 0, seen: unread } : untold,
  }
}

/** When something left the wallet, or `none`; undefined when that is unknown. */
export function outgoingOf({ outgoing, untold }: { outgoing: Mark; untold: Mark }, now: number): string | undefined {
  if (outgoing && isRecent(outgoing, now)) return `at ${new Date(outgoing.time * 1_000).toISOString()}`
  return isRecent(untold, now) ? undefined : 'none'
}

function isRecent(mark: Mark, now: number): boolean {
  return mark !== undefined && now - mark.seen < DAY
}
