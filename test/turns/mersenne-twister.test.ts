import { expect, test } from 'vitest'
import { randomNumbers } from '../../src/turns/draw.ts'

// The C++ standard demands it of std::mt19937_64, whose default seed is 5489 ([rand.predef]).
test('the 10,000th number', () => {
  const numbers = randomNumbers(5_489n)
  expect(numbers.drop(9_999).next().value).toBe(9_981_545_732_273_789_042n)
})
