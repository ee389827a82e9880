import { expect, test } from 'vitest'
import { greatest, least } from '../../src/lib/extremes.ts'

const LONG = Array.from({ length: 500_000 }, (_, at) => at)

test('a list that is too long to be arguments has a least and a greatest', () => {
  expect(() => Math.max(...LONG)).toThrow(RangeError)
  expect([least(LONG), greatest(LONG)]).toEqual([0, 499_999])
})

test('an empty list has the bounds of all numbers', () => {
  expect([least([]), greatest([])]).toEqual([Infinity, -Infinity])
})
