// The times between the matches of a cron pattern. It queries the calendar for days and around changes of the offset, and
// computes the rest: to query match by match took a tenth of a second for a pattern.

import { type Calendar, calendarOf, MOST_KNOWN, SOME_TIME } from './calendar.ts'
import { entryOf } from './entry.ts'
import { greatest, least } from './statistics.ts'

/** Times between matches (milliseconds), and the matches on a day of 24 hours. */
export interface Gaps {
  shortest: number
  longest: number
  perDay: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** More than a year, with both changes of summer time. */
const END = SOME_TIME + 400 * DAY
/** Days that match: those of a year, or of a rare pattern those of many, because coincidences are rarer still. */
const DAYS = 400

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const known = new Map<string, Gaps>()
const knownDays = new Map<string, readonly number[]>()
const knownChanges = new Map<string, readonly number[]>()

/** Of a pattern that `calendarOf` knows. */
export function gapsOf(pattern: string, timezone: string): Gaps {
  // Reloads bring patterns without end.
  for (const map of [known, knownDays]) if (map.size >= MOST_KNOWN) map.clear()
  return entryOf(known, `${pattern} ${timezone}`, () => findGaps(pattern, timezone))
}

function findGaps(pattern: string, timezone: string): Gaps {
  const [minute, hour, ...date] = (nicknames[pattern.toLowerCase()] ?? pattern).split(/ +/)
  // By the clock on the wall, whose days are alike in all time zones.
  const minutes = within(HOUR, `${minute} * * * *`)
  const hours = within(DAY, `0 ${hour} * * *`)
  const days = entryOf(knownDays, date.join(' '), () => daysOf(`0 0 ${date.join(' ')}`))
  const [inHour, inDay] = [lengthOf(minutes), lengthOf(hours)]
  const calendar = calendarOf(pattern, timezone)!
  const gaps = [
    ...between(minutes),
    ...between(hours).map((gap) => gap - inHour),
    ...between(days).map((gap) => gap - inDay - inHour),
    ...entryOf(knownChanges, timezone, () => changesIn(timezone)).flatMap((change) =>
      between(around(change - HOUR, change + HOUR, calendar)),
    ),
  ]
  return { shortest: least(gaps), longest: greatest(gaps), perDay: minutes.length * hours.length }
}

/** Matches in the first hour or day. */
function within(length: number, pattern: string): number[] {
  const end = SOME_TIME + length
  return around(SOME_TIME, end, calendarOf(pattern, 'UTC')!).filter((time) => time >= SOME_TIME && time < end)
}

function daysOf(pattern: string): number[] {
  const calendar = calendarOf(pattern, 'UTC')!
  const days: number[] = []
  for (let day = calendar.after(SOME_TIME); day !== undefined && days.length < DAYS; day = calendar.after(day)) {
    days.push(day)
  }
  return days
}

/** From the last match before `from` to the first one after `to`. */
function around(from: number, to: number, calendar: Calendar): number[] {
  const times: number[] = []
  for (
    let time = calendar.upTo(from - 1) ?? calendar.after(from - 1);
    time !== undefined;
    time = calendar.after(time)
  ) {
    times.push(time)
    if (time > to) break
  }
  return times
}

const between = (times: readonly number[]) => times.slice(1).map((time, at) => time - times[at]!)
const lengthOf = (times: readonly number[]) => times.at(-1)! - times[0]!

const WEEK = 7 * DAY
const MINUTE = 60_000

/** When the offset of the time zone changes. No zone changes it twice within a week. */
function changesIn(timeZone: string): number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offset = (time: number) => format.formatToParts(time).find(({ type }) => type === 'timeZoneName')!.value
  const changes: number[] = []
  for (let from = SOME_TIME; from < END; from += WEEK) {
    if (offset(from) === offset(from + WEEK)) continue
    let [before, after] = [from, from + WEEK]
    while (after - before > MINUTE) {
      const middle = (before + after) / 2
      if (offset(middle) === offset(from)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}
