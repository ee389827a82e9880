// A chain that stood still for a while: the times of its blocks are the same when they are worked out again.

import { expect, test } from 'vitest'
import { createChain } from '../../../src/simulator/world/blocks.ts'

test('a chain keeps its pauses, also when the blocks around them are no longer at hand', () => {
  const terms = { pace: [10, 10], types: ['Standard'], strangers: [0, 0], smallest: 200 } as const
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
