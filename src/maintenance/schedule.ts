// When maintenance windows are open.

import { type Calendar, calendarOf } from '../lib/calendar.ts'

/** Times and durations in milliseconds. A window has a schedule, or a start and an end. */
export interface WindowTimes {
  schedule?: string | undefined
  for?: number | undefined
  from?: number | undefined
  to?: number | undefined
  timezone: string
}

export interface Occurrence {
  start: number
  end: number
}

/** The occurrences that have not ended by now, the open one first. */
export function* occurrencesFrom(window: WindowTimes, now: number): Generator<Occurrence, void> {
  const { schedule, timezone, for: length = 0, from, to } = window
  if (schedule === undefined) {
    if (from !== undefined && to !== undefined && to > now) yield { start: from, end: to }
    return
  }
  const calendar = calendarOf(schedule, timezone)
  for (let start = calendar && firstStart(calendar, length, now); start !== undefined; start = calendar!.after(start)) {
    yield { start, end: start + length }
  }
}

function firstStart(calendar: Calendar, length: number, now: number): number | undefined {
  const last = calendar.upTo(now)
  return last !== undefined && last + length > now ? last : calendar.after(now)
}

export interface Phase {
  /** The open occurrence, else the next one. */
  occurrence: Occurrence | undefined
  isOpen: boolean
  /** Alerts are suppressed: the window is open, or ended less than `grace` ago. */
  isQuiet: boolean
  /** When the phase changes next; Infinity if it never does. */
  until: number
}

export function phaseOf(window: WindowTimes & { grace: number }, now: number): Phase {
  const [occurrence] = occurrencesFrom(window, now)
  const [recent] = occurrencesFrom(window, now - window.grace)
  const changes = [occurrence, recent].flatMap((one) => (one ? [one.start, one.end, one.end + window.grace] : []))
  return {
    occurrence,
    isOpen: occurrence !== undefined && occurrence.start <= now,
    isQuiet: recent !== undefined && recent.start <= now,
    until: Math.min(...changes.filter((time) => time > now)),
  }
}
