// Calendar times: when a cron pattern matches in a time zone. It only computes; the steady clock does the waiting.

import { Cron } from 'croner'

/** Times in milliseconds since the epoch. */
export interface Calendar {
  /** The first match after this time; undefined if there is none. */
  after(time: number): number | undefined
  /** The last match at or before this time. */
  upTo(time: number): number | undefined
}

/** Five fields, or a nickname such as @daily. croner would also take a date, which matches only once. */
export const CRON_PATTERN = /^(@[a-z]+|\S+( +\S+){4})$/

/** Any moment: a pattern without years that matches nothing in the centuries after it never matches. */
export const SOME_TIME = Date.UTC(2026, 0)

/** Patterns that are kept: more than a configuration has in practice. */
export const MOST_KNOWN = 1_000
const known = new Map<string, Calendar | undefined>()

/**
 * Undefined if croner does not know the pattern, or if it never matches, such as one for 30 February. Kept, because reading a
 * pattern takes longer than a query, and windows query at each change.
 */
export function calendarOf(pattern: string, timezone: string): Calendar | undefined {
  const key = `${pattern} ${timezone}`
  if (known.has(key)) return known.get(key)
  // Reloads bring patterns without end.
  if (known.size >= MOST_KNOWN) known.clear()
  const made = readPattern(pattern, timezone)
  known.set(key, made)
  return made
}

function readPattern(pattern: string, timezone: string): Calendar | undefined {
  if (!CRON_PATTERN.test(pattern)) return undefined
  const cron = cronOf(pattern, timezone)
  if (!cron?.nextRun(new Date(SOME_TIME))) return undefined
  return {
    after: (time) => cron.nextRun(new Date(time))?.getTime(),
    // croner looks at whole seconds, and not at the one that it is given.
    upTo: (time) => cron.previousRuns(1, new Date(Math.floor(time / 1_000 + 1) * 1_000))[0]?.getTime(),
  }
}

/**
 * A local time such as 2026-12-05T08:00:00; undefined if it is no date. It is found as a pattern, so that changes of summer time
 * move both alike: croner takes a date in a gap for a later one.
 */
export function instantOf(local: string, timezone: string): number | undefined {
  const [, ...parts] = /^\d+-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(local) ?? []
  const before = Date.parse(`${local}Z`) - LONGEST_OFFSET
  if (parts.length === 0 || Number.isNaN(before)) return undefined
  const [month, day, hour, minute, second] = parts.map(Number)
  return cronOf(`${second} ${minute} ${hour} ${day} ${month} *`, timezone)?.nextRun(new Date(before))?.getTime()
}

/** No zone is further from UTC; a day more does not reach the year before. */
const LONGEST_OFFSET = 36 * 3_600_000

/** The local time as people write it: Tue 2026-12-08 22:00. */
export function localText(time: number, timezone: string): string {
  const parts = Intl.DateTimeFormat('en', {
    timeZone: timezone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time)
  const { weekday, year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${weekday} ${year}-${month}-${day} ${hour}:${minute}`
}

export function isTimezone(timezone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function cronOf(pattern: string, timezone: string): Cron | undefined {
  try {
    return new Cron(pattern, { paused: true, timezone })
  } catch {
    return undefined
  }
}
