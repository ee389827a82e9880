// Chains that stood still or whose blocks came late: blocks are the same when they are worked out again.

import { expect, test } from 'vitest'
import { createChain } from '../../../src/simulator/world/blocks.ts'

const terms = { pace: [10, 10], types: ['Standard'], strangers: [0, 0], smallest: 200 } as const

test('a chain keeps its pauses, also when the blocks around them are no longer at hand', () => {
  const chain = createChain({ seed: 1, name: 'P', begin: 0, ...terms })
  chain.advance(50)
  chain.halt()
  chain.advance(200)
  // Twice before the next block comes: at 200 it goes on, and stands still again.
  chain.resume(200)
  chain.halt()
  chain.advance(305)
  chain.resume(305)
  const times = () => [4, 5, 6, 7].map((height) => chain.time(height))
  chain.advance(320)
  expect(times()).toEqual([40, 50, 305, 315])
  // 64 segments of 1,024 blocks are at hand.
  chain.advance(315 + 10 * 1_024 * 70)
  expect(times()).toEqual([40, 50, 305, 315])
  expect(chain.heightAt(304)).toBe(5)
})

test('blocks that came late, in other turns, are the same when they are worked out again', () => {
  const chain = createChain({ seed: 1, name: 'P', begin: 0, ...terms })
  const turns = new Map<number, number>()
  chain.postponeBy((height, due) => {
    if (height % 5 > 0) return undefined
    turns.set(height, due()! + 7)
    return turns.get(height)
  })
  chain.advance(1_000)
  const heights = Array.from({ length: 60 }, (_, height) => height)
  const times = () => heights.map((height) => chain.time(height)!)
  const first = times()
  const gaps = heights.slice(1).map((height) => first[height]! - first[height - 1]!)
  expect(Math.min(...gaps)).toBe(10)
  expect(Math.max(...gaps)).toBeGreaterThan(10)
  chain.advance(1_000 + 20 * 1_024 * 70)
  expect(times()).toEqual(first)
  const late = heights.filter((height) => height > 0 && height % 5 === 0)
  expect(late.map((height) => chain.block(height)!.turn)).toEqual(late.map((height) => turns.get(height)))
})
