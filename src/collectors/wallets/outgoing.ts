// When something left a wallet, as far as its transactions tell.

import { type Mark, identity, type Memory } from './counted-transactions.ts'
import { isOutgoing, type Transaction } from './movements.ts'

/** An expectation that was broken stays so for this long: somebody has to see it. */
const DAY = 86_400_000
interface Seen {
  listed: readonly Transaction[]
  own: ReadonlySet<string>
  from: Memory | undefined
  now: number
  /** Something may have left the wallet that is not among those listed. */
  hasGap: boolean
}

/** What was there on the first run was seen when it happened. */
export function marked({ listed, own, from, now, hasGap }: Seen): { outgoing: Mark; untold: Mark } {
  const newest = (before: Mark, isOut: boolean | undefined): Mark => {
    const times = listed.filter((one) => isOutgoing(one, own) === isOut).map((one) => identity.time(one)!)
    const time = Math.max(...times, before?.time ?? -1)
    if (time === (before?.time ?? -1)) return before
    return { time, seen: from ? now : time * 1_000 }
  }
  const untold = newest(from?.untold, undefined)
  return { outgoing: newest(from?.outgoing, true), untold: hasGap ? { time: untold?.time ?? 0, seen: now } : untold }
}

/** When something left the wallet; undefined when it cannot be told. */
export function outgoingOf({ outgoing, untold }: { outgoing: Mark; untold: Mark }, now: number): string | undefined {
  if (outgoing && isRecent(outgoing, now)) return `at ${new Date(outgoing.time * 1_000).toISOString()}`
  return isRecent(untold, now) ? undefined : 'none'
}

export function isRecent(mark: Mark, now: number): boolean {
  return mark !== undefined && now - mark.seen < DAY
}
