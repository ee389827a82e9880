// What tokens cost.

import { expect, test } from 'vitest'
import { priceOf } from '../../../src/simulator/world/prices.ts'

const HOUR = 3_600

test('a price holds for an hour, and moves by a tenth at most', () => {
  const prices = Array.from({ length: 100 }, (_, hour) => priceOf(1, 'AVAX', 'usd', hour * HOUR)!)
  expect(priceOf(1, 'AVAX', 'usd', HOUR - 1)).toBe(prices[0])
  expect(new Set(prices).size).toBeGreaterThan(90)
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(24 * 0.9)
  expect(Math.max(...prices)).toBeLessThanOrEqual(24 * 1.1)
})

test('exist in every currency of document 1, and only for quoted tokens', () => {
  const currencies = 'usd eur aud cad chf clp cny czk dkk gbp hkd huf jpy nzd'.split(' ')
  const prices = currencies.map((currency) => priceOf(1, 'FUSD', currency, 0)!)
  expect(new Set(prices).size).toBe(14)
  expect(Math.min(...prices)).toBeGreaterThan(0)
  expect([priceOf(1, 'CLAIM{', 'usd', 0), priceOf(1, 'AVAX', 'xyz', 0)]).toEqual([undefined, undefined])
})
