// EVM chains on their own: what is counted is the sum of what can be seen.

import { expect, test } from 'vitest'
import { growing } from './evm-growing.ts'

test('blocks hang together, keep their limits and add up', () => {
  const { chain, until } = growing()
  until(500)
  const blocks = Array.from({ length: 500 }, (_, number) => chain.block(number)!)
  expect([chain.head(), chain.block(500), chain.block(-1)]).toEqual([499, undefined, undefined])
  expect(blocks.map(({ number, time }) => [number, time])).toEqual(
    Array.from({ length: 500 }, (_, number) => [number, 1_000 + 3 * number]),
  )
  expect(new Set(blocks.map(({ hash }) => hash)).size).toBe(500)
  expect(blocks.every(({ hash }) => /^0x[0-9a-f]{64}$/.test(hash))).toBe(true)
  expect(blocks.slice(1).map(({ parentHash }) => parentHash)).toEqual(blocks.slice(0, -1).map(({ hash }) => hash))
  let cumulative = 90_000
  for (const block of blocks) {
    cumulative += block.txCount
    expect(block.cumulative).toBe(cumulative)
    expect(block.gasUsed).toBeLessThanOrEqual(1_500_000)
    // A plain transfer needs 21,000, and every transaction pays the base fee and a tip of 1 to 3 gwei.
    expect(block.gasUsed).toBeGreaterThanOrEqual(21_000 * block.txCount)
    const tips = block.fees - BigInt(block.gasUsed) * block.baseFee
    expect(tips).toBeGreaterThanOrEqual(BigInt(block.gasUsed) * 1_000_000_000n)
    expect(tips).toBeLessThanOrEqual(BigInt(block.gasUsed) * 3_000_000_000n)
  }
  expect(new Set(blocks.map(({ txCount }) => txCount))).toEqual(new Set(Array(13).keys()))
  // Some are full, some are empty.
  expect(blocks.some(({ gasUsed }) => gasUsed === 1_500_000)).toBe(true)
  expect(blocks.some(({ gasUsed, fees }) => gasUsed === 0 && fees === 0n)).toBe(true)
})

test('a block is found by its hash and by the time, if it is there', () => {
  const { chain, until } = growing()
  until(0)
  expect([chain.blockAt(5_000), chain.find(`0x${'0'.repeat(64)}`)]).toEqual([-1, undefined])
  until(50)
  const block = chain.block(17)!
  expect(chain.find(block.hash)).toEqual(block)
  // The hash of the block to come is known as its parent's is: it is not there yet.
  until(51)
  const { hash } = chain.block(50)!
  until(50)
  expect(chain.find(hash)).toBeUndefined()
  // Blocks come at 1,000, 1,003, 1,006, ...
  const times = [999, 1_000, 1_002, 1_003, 1_147, 1_148, 9_999, Infinity]
  expect(times.map(chain.blockAt)).toEqual([-1, 0, 0, 1, 49, 49, 49, 49])
})
