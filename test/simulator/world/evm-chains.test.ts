// EVM chains on their own: what is counted is the sum of what can be seen.

import { expect, test } from 'vitest'
import { createEvmChain } from '../../../src/simulator/world/evm-chains.ts'

/** Blocks every three seconds, as many as there are told to be. */
function growing(seed = 7) {
  const blocks = { count: 0 }
  const chain = createEvmChain({
    seed,
    chainId: 43_214,
    blockchainId: 'own',
    blocks: {
      head: () => blocks.count - 1,
      time: (height) => (height >= 0 && height < blocks.count ? 1_000 + 3 * height : undefined),
    },
    pace: [3, 3],
    busy: 12,
    gasLimit: 1_500_000,
    past: 90_000,
  })
  const until = (count: number) => {
    blocks.count = count
  }
  return { chain, until }
}

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
    // A plain transfer needs 21,000, and every transaction pays the base fee and a tip of 1 gwei.
    expect(block.gasUsed).toBeGreaterThanOrEqual(Math.min(1_500_000, 21_000 * block.txCount))
    expect(block.fees - BigInt(block.gasUsed) * block.baseFee).toBe(BigInt(block.gasUsed) * 1_000_000_000n)
  }
  expect(new Set(blocks.map(({ txCount }) => txCount))).toEqual(new Set(Array(13).keys()))
  // Some are full, some are empty.
  expect(blocks.some(({ gasUsed }) => gasUsed === 1_500_000)).toBe(true)
  expect(blocks.some(({ gasUsed, fees }) => gasUsed === 0 && fees === 0n)).toBe(true)
})

test('blocks are the same in whatever order they are asked for', () => {
  const [upwards, downwards] = [growing(), growing()]
  upwards.until(50)
  downwards.until(50)
  const numbers = Array.from({ length: 50 }, (_, number) => number)
  const blocks = numbers.map((number) => upwards.chain.block(number))
  expect(numbers.toReversed().map((number) => downwards.chain.block(number))).toEqual(blocks.toReversed())
})

test('a day has an average around what its blocks amount to', () => {
  const { chain } = growing()
  // Six transactions every three seconds.
  const days = Array.from({ length: 1_000 }, (_, day) => chain.averageTps(20_000 + day))
  expect(Math.min(...days)).toBeGreaterThanOrEqual(2 * 0.7)
  expect(Math.max(...days)).toBeLessThanOrEqual(2 * 1.3)
  expect(new Set(days).size).toBeGreaterThan(900)
  expect(chain.averageTps(20_000)).toBe(days[0])
})
