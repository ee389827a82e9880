// How the benchmark judges: medians, exponents, and targets. Figures are worked out by hand.

import { expect, test } from 'vitest'
import { isMet, measure, type Measured, type Row, type Target } from '../../tools/bench/row.ts'
import { guards } from '../../tools/bench/guards.ts'
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

test.each<[Target, number, boolean]>([
  [{ most: 2 }, 2, true],
  [{ most: 2 }, 2.1, false],
  [{ least: 0.8 }, 0.8, true],
  [{ least: 0.8 }, 0.79, false],
])('%j and %d: met %s', (target, value, met) => {
  expect(isMet(target, value)).toBe(met)
})

const rowOf = (measured: Measured): Row => ({
  name: 'a-row',
  target: { most: 2 },
  unit: 'ratio',
  measure: async () => measured,
})

test('a result has all runs, their median, the least and the greatest', async () => {
  const result = await measure(rowOf({ runs: [3, 1, 1.5] }))
  expect(result).toMatchObject({ runs: [3, 1, 1.5], median: 1.5, spread: [1, 3], met: true })
})

test('names of rows are unique', () => {
  const names = [...rows, ...guards].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
