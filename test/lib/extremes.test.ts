import { expect, test } from 'vitest'
import { greatest, least } from '../../src/lib/statistics.ts'

test.each<[values: readonly number[], most: number, fewest: number]>([
  [[], -Infinity, Infinity],
  [[2, 3, 1], 3, 1],
  [[-1, Infinity], Infinity, -1],
])('of %j', (values, most, fewest) => expect([greatest(values), least(values)]).toEqual([most, fewest]))

test('from a value on', () => expect([greatest([1], 2), least([3], 2)]).toEqual([2, 2]))

test('a list of any length', () => {
  const many = Array.from({ length: 1_000_000 }, (_, at) => at)
  expect([greatest(many), least(many)]).toEqual([999_999, 0])
})
