import { expect, test } from 'vitest'
import { amount } from '../../src/lib/figures.ts'

test.each([
  [1_234.5, '1,234.5'],
  [0.3, '0.3'],
  [8.29, '8.29'],
  // A balance just below its minimum is not the minimum.
  [1.9969, '1.99'],
  [0.499_96, '0.499'],
  [0, '0'],
  [null, 'unknown'],
])('an amount of %d is %s', (value, text) => {
  expect(amount(value)).toBe(text)
})
