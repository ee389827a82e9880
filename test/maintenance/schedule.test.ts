// Phases of maintenance windows, worked out by hand.

import { describe, expect, test } from 'vitest'
import { occurrencesFrom, phaseOf } from '../../src/maintenance/schedule.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const at = (text: string) => Date.parse(`${text}Z`)
const text = (time: number) => new Date(time).toISOString().slice(0, 16)

/** Tuesdays from 22:00 to midnight in Berlin, which is from 21:00 to 23:00 UTC in winter. */
const weekly = { schedule: '0 22 * * TUE', for: 2 * HOUR, timezone: 'Europe/Berlin', grace: 15 * MINUTE }
const once = { from: at('2026-12-05T08:00'), to: at('2026-12-05T12:00'), timezone: 'UTC', grace: 15 * MINUTE }

describe('a window', () => {
  test.each([
    ['before it opens', weekly, '2026-11-24T20:59', false, false, '2026-11-24T21:00', '2026-11-24T21:00'],
    ['as it opens', weekly, '2026-11-24T21:00', true, true, '2026-11-24T21:00', '2026-11-24T23:00'],
    ['while it is open', weekly, '2026-11-24T22:59', true, true, '2026-11-24T21:00', '2026-11-24T23:00'],
    ['as it closes', weekly, '2026-11-24T23:00', false, true, '2026-12-01T21:00', '2026-11-24T23:15'],
    ['in its grace', weekly, '2026-11-24T23:14', false, true, '2026-12-01T21:00', '2026-11-24T23:15'],
    ['after its grace', weekly, '2026-11-24T23:15', false, false, '2026-12-01T21:00', '2026-12-01T21:00'],
    ['before it opens once', once, '2026-11-24T00:00', false, false, '2026-12-05T08:00', '2026-12-05T08:00'],
    ['while it is open once', once, '2026-12-05T11:59', true, true, '2026-12-05T08:00', '2026-12-05T12:00'],
    ['in its only grace', once, '2026-12-05T12:00', false, true, undefined, '2026-12-05T12:15'],
    ['for ever after', once, '2026-12-05T12:15', false, false, undefined, undefined],
  ])('%s', (_, window, now, isOpen, isQuiet, start, change) => {
    const { occurrence, until, ...phase } = phaseOf(window, at(now))
    expect(phase).toEqual({ isOpen, isQuiet })
    expect(occurrence && text(occurrence.start)).toBe(start)
    expect(Number.isFinite(until) ? text(until) : undefined).toBe(change)
  })

  test('lists the open occurrence first, also over a change of summer time', () => {
    const daily = { schedule: '0 1 * * *', for: 3 * HOUR, timezone: 'Europe/Berlin' }
    const found = occurrencesFrom(daily, at('2027-03-27T02:00')).take(3)
    // From 01:00 on the 28th three hours pass until 05:00 by the clock on the wall.
    expect([...found].map(({ start, end }) => [text(start), text(end)])).toEqual([
      ['2027-03-27T00:00', '2027-03-27T03:00'],
      ['2027-03-28T00:00', '2027-03-28T03:00'],
      ['2027-03-28T23:00', '2027-03-29T02:00'],
    ])
  })
})
