// What was worked out of late is not worked out again; older results are not kept.

import { expect, test, vi } from 'vitest'
import { createRecent } from '../../../src/simulator/world/recent.ts'

test('the last two are kept, whatever is read in between', () => {
  const recent = createRecent<number, string>(2)
  const make = vi.fn<(key: number) => string>((key) => `block ${key}`)
  expect([1, 2, 1, 2, 3, 2, 3, 1].map((key) => recent.get(key, make))).toEqual(
    [1, 2, 1, 2, 3, 2, 3, 1].map((key) => `block ${key}`),
  )
  expect(make.mock.calls).toEqual([[1], [2], [3], [1]])
  expect([1, 2, 3].map(recent.peek)).toEqual(['block 1', undefined, 'block 3'])
})
