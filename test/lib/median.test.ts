// The value in the middle.

import { expect, test } from 'vitest'
import { median } from '../../src/lib/statistics.ts'

test('the median of an even number is the mean of the middle', () => {
  expect([median([4, 1, 3, 2]), median([9, 1, 5]), median([])]).toEqual([2.5, 5, null])
})
