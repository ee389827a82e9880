// Calendar times against another implementation, over a year and in time zones with and without summer time.

import { CronExpressionParser } from 'cron-parser'
import { describe, expect, test } from 'vitest'
import { calendarOf, instantOf, isTimezone } from '../../src/lib/calendar.ts'
import { rowsOf } from '../support/rows.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata']
const PATTERNS = [
  '0 22 * * *',
  // Times that changes of summer time skip, or that come twice.
  '0 2 * * *',
  '30 1 * * *',
  '30 4 * * TUE',
  '0 22 * * TUE#2',
  '0 6 * * SUN#1',
  '15 3 L * *',
  '0 12 * * 5L',
  '*/30 8-9 * * MON-TUE',
  '0 0 1 1 *',
  '0 0 29 2 *',
  '45 23 31 * *',
  '0 9 1,15 * *',
  '5 4 * 3,10,11 SAT,SUN',
  '0 18 13 * FRI',
]
const [BEGIN, END] = [Date.UTC(2027, 5, 1), Date.UTC(2028, 5, 1)]

/** All matches from BEGIN to END. */
function ours(pattern: string, zone: string): string[] {
  const calendar = calendarOf(pattern, zone)!
  const found: string[] = []
  for (let time = calendar.after(BEGIN); time !== undefined && time < END; time = calendar.after(time)) {
    found.push(new Date(time).toISOString())
    expect(calendar.upTo(time)).toBe(time)
    expect(calendar.upTo(time + 999)).toBe(time)
  }
  return found
}

function theirs(pattern: string, zone: string): string[] {
  const expression = CronExpressionParser.parse(pattern, {
    currentDate: new Date(BEGIN),
    endDate: new Date(END - 1),
    tz: zone,
  })
  const found: string[] = []
  while (expression.hasNext()) found.push(expression.next().toDate().toISOString())
  return found
}

describe.each(ZONES)('in %s, a year of', (zone) => {
  test.each(PATTERNS)('%s', (pattern) => {
    // croner writes the last Friday with a sign in between.
    const found = ours(pattern.replace('5L', '5#L'), zone)
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(theirs(pattern, zone))
  })
})

describe('by hand', () => {
  test.each([
    [
      'the hour that summer time skips comes right after the gap',
      '30 2 * * *',
      'Europe/Berlin',
      '2027-03-27T12:00Z',
      '2027-03-28T01:00Z',
    ],
    ['the hour that comes twice counts once', '30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z', '2027-10-31T00:30Z'],
    ['and not again', '30 2 * * *', 'Europe/Berlin', '2027-10-31T00:30Z', '2027-11-01T01:30Z'],
    [
      'summer time of half an hour, before its end',
      '0 22 * * *',
      'Australia/Lord_Howe',
      '2028-04-01T00:00Z',
      '2028-04-01T11:00Z',
    ],
    ['and after it', '0 22 * * *', 'Australia/Lord_Howe', '2028-04-02T00:00Z', '2028-04-02T11:30Z'],
    ['the weekday nearest to the 15th, a Saturday', '0 12 15W * *', 'UTC', '2027-05-01T00:00Z', '2027-05-14T12:00Z'],
    ['the 29th of February', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', '2028-02-29T00:00Z'],
    ['a day of the month that is also a weekday', '0 0 1 * +MON', 'UTC', '2026-11-24T00:00Z', '2027-02-01T00:00Z'],
    ['a nickname', '@weekly', 'UTC', '2026-11-24T00:00Z', '2026-11-29T00:00Z'],
  ])('%s', (_, pattern, zone, after, expected) => {
    expect(calendarOf(pattern, zone)!.after(Date.parse(after))).toBe(Date.parse(expected))
  })

  test.each([
    ['never matches', '0 0 30 2 *'],
    ['has seconds', '0 0 22 * * TUE'],
    ['is a date', '2026-12-05T08:00:00'],
    ['is no pattern', 'every Tuesday at ten'],
    ['needs a reboot', '@reboot'],
    ['has an hour too many', '0 24 * * *'],
  ])('a pattern that %s is none', (_, pattern) => {
    expect(calendarOf(pattern, 'UTC')).toBeUndefined()
  })

  // Each zone at both changes: in the gap, at its edges, and where a time comes twice.
  test.each(
    rowsOf(`
    Europe/Berlin       | 2027-03-28T01:59:00 | 2027-03-28T00:59Z
    Europe/Berlin       | 2027-03-28T02:00:00 | 2027-03-28T01:00Z
    Europe/Berlin       | 2027-03-28T02:30:00 | 2027-03-28T01:00Z
    Europe/Berlin       | 2027-03-28T02:59:00 | 2027-03-28T01:00Z
    Europe/Berlin       | 2027-03-28T03:00:00 | 2027-03-28T01:00Z
    Europe/Berlin       | 2027-03-28T03:01:00 | 2027-03-28T01:01Z
    Europe/Berlin       | 2027-10-31T01:59:00 | 2027-10-30T23:59Z
    Europe/Berlin       | 2027-10-31T02:00:00 | 2027-10-31T00:00Z
    Europe/Berlin       | 2027-10-31T02:30:00 | 2027-10-31T00:30Z
    Europe/Berlin       | 2027-10-31T03:00:00 | 2027-10-31T02:00Z
    America/New_York    | 2027-03-14T02:30:00 | 2027-03-14T07:00Z
    America/New_York    | 2027-11-07T01:30:00 | 2027-11-07T05:30Z
    America/New_York    | 2027-11-07T02:00:00 | 2027-11-07T07:00Z
    Australia/Sydney    | 2027-10-03T02:45:00 | 2027-10-02T16:00Z
    Australia/Sydney    | 2027-04-04T02:45:00 | 2027-04-03T15:45Z
    Australia/Lord_Howe | 2027-10-03T02:15:00 | 2027-10-02T15:30Z
    Australia/Lord_Howe | 2027-10-03T02:30:00 | 2027-10-02T15:30Z
    Australia/Lord_Howe | 2027-04-04T01:45:00 | 2027-04-03T14:45Z
    America/Santiago    | 2027-09-05T00:30:00 | 2027-09-05T04:00Z
    America/Santiago    | 2027-04-03T23:30:00 | 2027-04-04T02:30Z
    Africa/Cairo        | 2027-04-30T00:30:00 | 2027-04-29T22:00Z
    Africa/Cairo        | 2027-10-28T23:30:00 | 2027-10-28T20:30Z
    Pacific/Kiritimati  | 2027-01-01T00:30:00 | 2026-12-31T10:30Z
    Etc/GMT+12          | 2026-12-31T23:30:00 | 2027-01-01T11:30Z
    UTC                 | 2028-02-29T23:59:59 | 2028-02-29T23:59:59Z
  `),
  )('in %s %s is the same as a time and as a pattern', (zone, local, expected) => {
    const instant = Date.parse(expected)
    expect(instantOf(local, zone)).toBe(instant)
    const [month, day, hour, minute] = local.split(/\D/).slice(1).map(Number)
    const calendar = calendarOf(`${minute} ${hour} ${day} ${month} *`, zone)!
    expect(calendar.after(instant - 43_200_000)).toBe(Math.floor(instant / 60_000) * 60_000)
    // It comes once.
    expect(calendar.after(instant)! - instant).toBeGreaterThan(300 * 86_400_000)
  })

  test.each([
    ['a step in the gap', '*/20 2 * * *', '2027-03-28T00:00Z', ['2027-03-29T00:00Z']],
    ['a list of hours', '30 1,2 * * *', '2027-03-28T00:00Z', ['2027-03-28T00:30Z', '2027-03-28T23:30Z']],
    ['each hour in spring', '0 * * * *', '2027-03-28T00:30Z', ['2027-03-28T01:00Z', '2027-03-28T02:00Z']],
    ['each hour in autumn', '0 * * * *', '2027-10-31T00:30Z', ['2027-10-31T01:00Z', '2027-10-31T02:00Z']],
    ['a step that comes twice', '*/30 2 * * *', '2027-10-31T00:15Z', ['2027-10-31T00:30Z', '2027-10-31T01:00Z']],
  ])('lists and steps follow the clock: %s', (_, pattern, from, expected) => {
    const calendar = calendarOf(pattern, 'Europe/Berlin')!
    let time = Date.parse(from)
    for (const next of expected) expect((time = calendar.after(time)!)).toBe(Date.parse(next))
  })

  test('local times, and time zones', () => {
    expect(instantOf('2026-12-05T08:00:00', 'Asia/Tokyo')).toBe(Date.UTC(2026, 11, 4, 23))
    expect(instantOf('2026-12-05T08:00:00', 'UTC')).toBe(Date.UTC(2026, 11, 5, 8))
    expect(instantOf('tomorrow', 'UTC')).toBeUndefined()
    expect(['UTC', 'Europe/Berlin', 'Europe/Nowhere', ''].map(isTimezone)).toEqual([true, true, false, false])
  })
})
