// A validator that builds no blocks while it stays connected: what blocks say of it.

import { expect, test } from 'vitest'
import { createWorld } from '../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const HOUR = 3_600

test('blocks that came late are the same when they are worked out again', () => {
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
