// What comes to the board of the judge, unit by unit: units expire, and wait while a round of the judge rests.

import type { Board } from '../conditions/board.ts'
import { isOver, type Moment, NEVER } from '../lib/clock.ts'
import type { Series } from '../metrics/read-exposition.ts'

interface Unit {
  key: string
  series: readonly Series[]
  expiresAt: Moment
}

export function createInbox(board: Board) {
  const expiries = new Map<string, Moment>()
  let waiting: Unit[] | undefined

  function put(unit: Unit): void {
    if (waiting) return void waiting.push(unit)
    const { key, series, expiresAt } = unit
    board.replace(key, series)
    if (expiresAt === NEVER) expiries.delete(key)
    else expiries.set(key, expiresAt)
  }

  function forgetExpired(now: Moment): void {
    // What waits may replace it.
    if (waiting) return
    for (const [key, end] of expiries) if (isOver(end, now)) put({ key, series: [], expiresAt: NEVER })
  }

  return {
    put,
    forgetExpired,
    /** Closes the board while a round rests; the returned function says whether nothing has opened it since. */
    rest(): () => boolean {
      const own = (waiting ??= [])
      return () => waiting === own
    },
    /** Brings what has waited to the board, and takes away what has expired. */
    open(now: Moment): void {
      const units = waiting ?? []
      waiting = undefined
      for (const unit of units) put(unit)
      forgetExpired(now)
    },
  }
}
