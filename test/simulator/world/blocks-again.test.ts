// Chains that stood still or whose blocks came late: blocks are the same when they are worked out again.

import { expect, test } from 'vitest'
import { createChain } from '../../../src/simulator/world/blocks.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'
import { EPOCH } from '../network.ts'

const HOUR = 3_600

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

test('blocks that came late, as a validator builds none while it stays connected, are the same when they are worked out again', () => {
  const options = { seed: 1, epoch: EPOCH, validators: 6, delegations: 0, observers: 2, isCalm: true }
  const world = createWorld({ ...options, paces: { P: 10, X: 30, C: 1 } })
  const [, idle] = [...world.validators.all.keys()]
  const { C } = world.chains
  const begin = C.head()
  world.take({ kind: 'stop-building', nodeId: idle! })
  world.advance(EPOCH + HOUR)
  const times = (head: number) => Array.from({ length: head - begin }, (_, at) => C.block(begin + 1 + at)!)
  const first = times(C.head()).map(({ time, turn }) => [time, turn])
  // More than are kept.
  world.advance(EPOCH + 40 * HOUR)
  expect(times(begin + first.length).map(({ time, turn }) => [time, turn])).toEqual(first)
})
