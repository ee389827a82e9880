// How the benchmark judges: medians, exponents, targets and half of them. Figures are worked out by hand.

import { expect, test } from 'vitest'
import { isMet, measure, type Measured, type Row, type Target } from '../../tools/bench/row.ts'
import { rows } from '../../tools/bench/rows.ts'
import { exponent, median, quantile } from '../../tools/bench/statistics.ts'

test('the median of an even number of runs lies between the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 2, 100])).toBe(3)
  expect(() => median([])).toThrow('nothing was measured')
})

test.each([
  [0, 10],
  [0.5, 30],
  [0.99, 49.6],
  [1, 50],
])('quantile %d of 10 to 50 is %d', (share, value) => {
  expect(quantile([50, 20, 40, 10, 30], share)).toBeCloseTo(value)
})

test('what takes a hundred times as long for a hundred times as many grows with exponent 1', () => {
  expect(exponent({ size: 1_000, value: 5 }, { size: 100_000, value: 500 })).toBeCloseTo(1)
  expect(exponent({ size: 10, value: 3 }, { size: 100, value: 300 })).toBeCloseTo(2)
})

test.each<[Target, number, boolean, boolean]>([
  [{ most: 2 }, 2, true, true],
  [{ most: 2 }, 3.9, false, true],
  [{ most: 2 }, 4.1, false, false],
  [{ least: 0.8 }, 0.8, true, true],
  [{ least: 0.8 }, 0.41, false, true],
  [{ least: 0.8 }, 0.39, false, false],
])('%j and %d: met %s, as a guard %s', (target, value, full, quick) => {
  expect(isMet(target, value, 'full')).toBe(full)
  expect(isMet(target, value, 'quick')).toBe(quick)
})

const rowOf = (unit: Row['unit'], measured: Measured): Row => ({
  name: 'a-row',
  target: { most: 2 },
  unit,
  measure: async () => measured,
})

test('a result has all runs, their median, the least and the greatest', async () => {
  const result = await measure(rowOf('ratio', { runs: [3, 1, 1.5] }), 'full')
  expect(result).toMatchObject({ runs: [3, 1, 1.5], median: 1.5, spread: [1, 3], met: true })
})

test('the guard measures ratios alone', async () => {
  expect(await measure(rowOf('ms', { runs: [1] }), 'quick')).toMatchObject({ leftOut: expect.any(String) })
  expect(await measure(rowOf('ms', { runs: [1] }), 'full')).toMatchObject({ met: true })
  expect(await measure(rowOf('ratio', { runs: [5] }), 'quick')).toMatchObject({ met: false })
})

test('names of rows are unique', () => {
  const names = rows.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
