// The times between the matches of a cron pattern, worked out by hand, and how many queries to croner they take.

import { Cron } from 'croner'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { gapsOf } from '../../src/lib/gaps.ts'
import { configFrom } from '../support/poll.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

describe('shortest, longest, and on a day', () => {
  test.each([
    ['* * * * *', 'UTC', MINUTE, MINUTE, 1_440],
    ['*/7 * * * *', 'UTC', 4 * MINUTE, 7 * MINUTE, 216],
    ['15,45 6,22 * * *', 'UTC', 30 * MINUTE, 15.5 * HOUR, 4],
    ['@hourly', 'UTC', HOUR, HOUR, 24],
    ['0 22 * * MON-FRI', 'UTC', DAY, 3 * DAY, 1],
    // The days of 29 March and 25 October 2026.
    ['0 0 * * *', 'Europe/Berlin', 23 * HOUR, 25 * HOUR, 1],
    ['0 23,1 * * *', 'Europe/Berlin', 2 * HOUR, 22 * HOUR + HOUR, 2],
    // In Casablanca the clock goes back for the month of fasting, and forward after it.
    ['0 12 * * *', 'Africa/Casablanca', 23 * HOUR, 25 * HOUR, 1],
    // Two months in a row have 31 days, and February 28.
    ['0 0 1 * *', 'UTC', 28 * DAY, 31 * DAY, 1],
    // A first that is a Tuesday or a Sunday.
    ['0 0 1 * MON', 'UTC', DAY, 7 * DAY, 1],
    // 2100 has none: from 2096 to 2104.
    ['0 0 29 2 *', 'UTC', 1_461 * DAY, 2_921 * DAY, 1],
  ])('%s in %s', (pattern, zone, shortest, longest, perDay) => {
    expect(gapsOf(pattern, zone)).toEqual({ shortest, longest, perDay })
  })
})

describe('queries', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** Of each kind 150, none of them like another. */
  const kinds: Readonly<Record<string, (at: number) => string>> = {
    'each night': (at) => `${at % 60} ${at % 24} * * *`,
    'a Tuesday of the month, in a time zone': (at) => `${at % 60} ${at % 24} * * TUE#2", timezone: "Europe/Berlin`,
    'each minute of a part of the day': (at) => `${at % 10}-59 ${at % 15} * * *`,
  }
  test.each(Object.entries(kinds))('150 windows take 60 each at most: %s', (_, scheduleOf) => {
    const [next, previous] = [vi.spyOn(Cron.prototype, 'nextRun'), vi.spyOn(Cron.prototype, 'previousRuns')]
    const windows = Array.from({ length: 150 }, (_, at) => `{ name: w${at}, schedule: "${scheduleOf(at)}", for: 1m }`)
    configFrom(`networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    maintenance: [${windows.join(', ')}]
`)
    expect(next.mock.calls.length).toBeGreaterThan(0)
    expect(next.mock.calls.length + previous.mock.calls.length).toBeLessThan(150 * 60)
  })
})
