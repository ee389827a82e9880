// What the samples of a month become, minute by minute.

import { describe, expect, test } from 'vitest'
import {
  daysOf,
  minutesOf,
  observed,
  outagesOf,
  outOfSet,
  ratioOf,
  spansOf,
  timesOf,
  voteOf,
} from '../../../src/commands/report/figures/timeline.ts'
import { gridOf } from '../../../src/commands/report/figures/series.ts'
import { monthOf } from '../../../src/commands/report/month.ts'

/** One hour of a month, which is all that there is yet. */
const month = monthOf('2026-10', Date.UTC(2026, 9, 1, 1, 30) / 1_000)
const grid = gridOf(month, { step: 60, margin: { before: 300, after: 300 } })

/** A letter for each minute from five minutes before the hour on: `1`, `0`, or `.` for no sample. */
function samplesOf(text: string) {
  const values = new Float64Array(grid.length).fill(NaN)
  for (const [at, letter] of text.split('').entries()) if (letter !== '.') values[at + 1] = Number(letter)
  return { labels: {}, values }
}
const timelineOf = (text: string) => observed(minutesOf(samplesOf(text), grid, month))
/** `u`, `d`, `.` and `o`. */
const shown = (timeline: Uint8Array) => Array.from(timeline, (state) => '.duo'[state]).join('')

test.each([
  ['every minute', `11111${'1'.repeat(60)}11111`, 'u'.repeat(60)],
  ['an outage', `11111${'1'.repeat(10)}000${'1'.repeat(47)}`, `${'u'.repeat(10)}ddd${'u'.repeat(47)}`],
  [
    'scrapes every five minutes',
    `1....${'1....'.repeat(4)}0....0....${'1....'.repeat(6)}1`,
    `${'u'.repeat(20)}${'d'.repeat(10)}${'u'.repeat(30)}`,
  ],
  ['five minutes of gap', `11111${'1'.repeat(10)}0.....${'1'.repeat(44)}`, `${'u'.repeat(10)}dddddd${'u'.repeat(44)}`],
  ['six minutes of gap', `11111${'1'.repeat(10)}0......${'1'.repeat(43)}`, `${'u'.repeat(10)}d......${'u'.repeat(43)}`],
  ['the last sample before the hour', `..1....${'1'.repeat(58)}`, 'u'.repeat(60)],
  ['a beginning without a sample before it', `.......${'1'.repeat(58)}`, `..${'u'.repeat(58)}`],
  ['an end without a sample after it', `11111${'1'.repeat(58)}`, `${'u'.repeat(58)}..`],
  ['nothing', '', '.'.repeat(60)],
])('%s', (_, samples, expected) => {
  expect(shown(timelineOf(samples))).toBe(expected)
})

describe('the vote', () => {
  const long = (text: string) => Uint8Array.from(text.padEnd(60, '.'), (letter) => '.duo'.indexOf(letter))
  test.each([
    ['one of three is away', ['u', 'u', 'd'], 'u'],
    ['two of three are', ['u', 'd', 'd'], 'd'],
    ['half of them are', ['u', 'd'], 'u'],
    ['who does not report does not vote', ['d', '.', '.'], 'd'],
    ['no one reports', ['.', '.'], '.'],
  ])('%s', (_, votes, expected) => {
    expect(shown(voteOf(votes.map(long), 1))).toBe(expected)
  })

  test('without any observer is unobserved', () => {
    expect(shown(voteOf([], 2))).toBe('..')
  })

  test('does not count as down what was not in the set', () => {
    expect(shown(outOfSet(long('ud..').slice(0, 4), long('uudu').slice(0, 4)))).toBe('udo.')
    expect(shown(outOfSet(long('u.').slice(0, 2), undefined))).toBe('u.')
  })
})

describe('of a timeline', () => {
  const timeline = Uint8Array.from([2, 2, 1, 1, 0, 1, 3, 1])
  test('the times add up', () => {
    expect(timesOf(timeline)).toEqual({ up: 120, down: 240, unobserved: 60, out: 60 })
    expect(ratioOf(timesOf(timeline))).toBe(1 / 3)
    expect(ratioOf(timesOf(Uint8Array.from([0, 3])))).toBeUndefined()
  })

  test('outages that touch an unobserved time may be longer', () => {
    const { start } = month
    expect(outagesOf(timeline, month)).toEqual([
      { from: start + 120, until: start + 240, isWhole: false },
      { from: start + 300, until: start + 360, isWhole: false },
      { from: start + 420, until: start + 480, isWhole: false },
    ])
    expect(outagesOf(Uint8Array.from([2, 1, 2]), month)).toEqual([
      { from: start + 60, until: start + 120, isWhole: true },
    ])
  })

  test('the last day has only begun', () => {
    const days = daysOf(new Uint8Array(1_500).fill(2), month)
    expect(days.map(({ times }) => times.up)).toEqual([86_400, 3_600])
  })
})

test('an alert fires from its first sample to its last one', () => {
  const { start } = month
  const minutes = minutesOf(samplesOf(`.....${'.'.repeat(10)}11.1${'.'.repeat(20)}1`), grid, month)
  expect(spansOf(minutes, month)).toEqual([
    { from: start + 660, until: start + 840 },
    { from: start + 2_100, until: start + 2_100 },
  ])
})
