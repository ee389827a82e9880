// What several replicas count together.

import { expect, test } from 'vitest'
import { countsBy, gridOf, risesOf, totalOf } from '../../../src/commands/report/figures/series.ts'
import { monthOf } from '../../../src/commands/report/month.ts'

const month = monthOf('2026-10', Date.UTC(2026, 9, 1, 1) / 1_000)
const grid = gridOf(month, { step: 300, margin: { before: 300, after: 0 } })

/** From five minutes before the month on: a value for each five minutes, `.` for none. */
const replica = (text: string, labels = {}) => {
  const values = new Float64Array(grid.length).fill(NaN)
  for (const [at, word] of text.split(' ').entries()) if (word !== '.') values[at] = Number(word)
  return { labels, values }
}

test.each([
  ['one replica', ['5 5 5 6 6 8'], 3],
  ['nothing of what it counted before the month', ['1 9 9 9'], 0],
  ['what it counted between its last sample before the month and the first one in it', ['1 . . 4 4'], 3],
  ['its count begins again at 0', ['5 5 7 0 0 2'], 4],
  ['two that count the same', ['5 5 6 6', '90 90 91 91'], 1],
  ['one that sees it later', ['5 5 6 6 6 6', '90 90 90 90 91 91'], 1],
  ['one that was away meanwhile', ['5 5 . . . 6', '9 9 10 10 10 10'], 1],
  ['one that is gone and another that goes on', ['5 5 6 . . .', '9 9 10 10 12 12'], 3],
  ['each missed something else', ['5 5 6 6 . . 7', '9 9 . . 11 12 12'], 3],
  ['one that began again while the other went on', ['5 5 0 0 1 1', '9 9 9 9 10 10'], 1],
  ['the same under other labels of its target', ['5 5 6 6 . . .', '. . . . 6 7 7'], 2],
  ['the same without storage, under other labels', ['5 5 6 6 . . .', '. . . . 0 1 1'], 2],
  ['one that joins later', ['5 5 6 6 7 7', '. . . 0 1 1'], 2],
  ['none', [], 0],
])('%s', (_, replicas, expected) => {
  expect(
    totalOf(
      risesOf(
        replicas.map((one) => replica(one)),
        grid,
        month,
      ),
    ),
  ).toBe(expected)
})

test('a rise has the time at which it was seen', () => {
  expect(risesOf([replica('0 0 0 1 1 3')], grid, month)).toEqual([
    { time: month.start + 600, by: 1 },
    { time: month.start + 1_200, by: 2 },
  ])
})

test('things are counted apart, and replicas together', () => {
  const series = [
    replica('0 0 0 1', { type: 'A', instance: 'a' }),
    replica('7 7 7 8', { type: 'A', instance: 'b' }),
    replica('0 0 0 2', { type: 'B', instance: 'a' }),
  ]
  const counts = countsBy({ grid, series }, month, ['type'])
  expect(counts.map(({ labels, rises }) => [labels, totalOf(rises)])).toEqual([
    [{ type: 'A' }, 1],
    [{ type: 'B' }, 2],
  ])
})
