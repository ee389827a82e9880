// How many transactions the blocks have, and which block has which.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCounts } from '../../../src/simulator/world/evm-counts.ts'

test.each([1, 12, 60])('with at most %i transactions: what comes before a block is what all before it have', (most) => {
  const counts = createCounts(3, 43_113, most)
  const seen = new Set<number>()
  let before = 0
  for (let block = 0; block < 300; block += 1) {
    expect(counts.before(block)).toBe(before)
    const count = counts.of(block)
    seen.add(count)
    for (let at = 0; at < count; at += 1) expect(counts.blockOf(before + at)).toBe(block)
    before += count
  }
  expect([Math.min(...seen), Math.max(...seen)]).toEqual([0, most])
})

test('a transaction is in its block, however far away', () => {
  const counts = createCounts(3, 43_113, 60)
  fc.assert(
    fc.property(fc.nat(2 ** 40), (transaction) => {
      const block = counts.blockOf(transaction)
      expect(counts.before(block)).toBeLessThanOrEqual(transaction)
      expect(counts.before(block + 1)).toBeGreaterThan(transaction)
    }),
  )
})
