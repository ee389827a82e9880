// When something left a wallet, judging by its transactions.

import { type Mark, identity, type Memory } from './counted-transactions.ts'
import { stakingTokens, type DataNetwork } from '../../lib/primary-network.ts'
import { sumOf } from '../../lib/units.ts'
import { lossesOf, type Transaction } from './movements.ts'

/** A broken expectation stays broken for this long, so that operators see it. Milliseconds. */
const DAY = 86_400_000

/**
 * What left a wallet this long before the first run counts; what left earlier is history (milliseconds). Without a
 * storage each start is a first run; an interval, a restart and the time until the service lists a transaction are
 * shorter.
 */
export const FIRST_LOOK = 30 * 60_000

interface Seen {
  listed: readonly Transaction[]
  own: ReadonlySet<string>
  network: DataNetwork
  from: Pick<Memory, 'outgoing' | 'unknown'> | undefined
  /** Nothing is remembered of these addresses. */
  isFirst: boolean
  now: number
  /** Until then (milliseconds) unlisted transactions may have left the wallet. */
  unread: number | undefined
}

/** Transactions of the first run count from when they happened; later ones from when they were first seen. */
export function updateMarks({ listed, own, network, from: remembered, isFirst, now, unread }: Seen): {
  outgoing: Mark
  unknown: Mark
} {
  const from = { outgoing: notAhead(remembered?.outgoing, now), unknown: notAhead(remembered?.unknown, now) }
  // A page may repeat what another one has.
  const once = new Map(listed.map((one) => [identity.id(one), one])).values()
  const all = Array.from(once, (one) => ({ time: identity.time(one)!, losses: lossesOf(one, own) }))
  const unsure = all.filter(({ losses }) => losses === undefined)
  const left = all.filter(({ losses }) => losses !== undefined && losses.size > 0)
  const newest = (remembered: Mark, alike: typeof all): Mark => {
    const before = isFirst && !isRecent(remembered, now) ? undefined : remembered
    const time = Math.max(...alike.map((one) => one.time), before?.time ?? -1)
    if (time === (before?.time ?? -1)) return before
    const isNews = time * 1_000 > now - FIRST_LOOK
    const seen = isFirst ? Math.max(before?.seen ?? 0, isNews ? time * 1_000 : 0) : now
    return { time, seen }
  }
  const unknown = newest(from.unknown, unsure)
  const outgoing = newest(from.outgoing, left)
  const taken = left
    .filter(({ time }) => time === outgoing?.time)
    .map(({ losses }) => losses!.get(stakingTokens[network]) ?? 0n)
  // Another one of the same second may be listed later, and one that was listed may be missing now.
  const before = outgoing !== undefined && outgoing === from.outgoing ? BigInt(outgoing.tokens ?? 0) : -1n
  const sum = sumOf(taken)
  const isUnread = unread !== undefined && unread > (unknown?.seen ?? -Infinity)
  return {
    outgoing: outgoing && sum > before ? { ...outgoing, tokens: String(sum) } : outgoing,
    unknown: isUnread ? { time: unknown?.time ?? 0, seen: unread } : unknown,
  }
}

/** The clock may have been set back since. */
const notAhead = (mark: Mark, now: number): Mark => mark && { ...mark, seen: Math.min(mark.seen, now) }

/** When something left the wallet, or `none`; undefined if unknown. */
export function outgoingOf({ outgoing, unknown }: { outgoing: Mark; unknown: Mark }, now: number): string | undefined {
  if (outgoing && isRecent(outgoing, now)) return `at ${new Date(outgoing.time * 1_000).toISOString()}`
  return isRecent(unknown, now) ? undefined : 'none'
}

function isRecent(mark: Mark, now: number): boolean {
  return mark !== undefined && now - mark.seen < DAY
}
