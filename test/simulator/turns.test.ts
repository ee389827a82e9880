// Validators that build no blocks while they stay connected, and another rule of the draw: what blocks and nodes say of it.

import { expect, test } from 'vitest'
import { createWorld } from '../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const HOUR = 3_600
const options = { seed: 1, epoch: EPOCH, validators: 6, delegations: 0, observers: 2, isCalm: true }

type World = ReturnType<typeof createWorld>

/** Builders of the blocks after a height, and the seconds from one wrapped block to the next. */
function blocksAfter({ chains: { C }, proposals }: World, height: number) {
  const all = Array.from({ length: C.head() - height }, (_, at) => C.block(height + 1 + at)!)
  return {
    builders: all.map((block) => proposals.C.of(block).proposer),
    seconds: all.slice(1).map(({ turn }, at) => turn - all[at]!.turn),
    all,
  }
}

test('one that stops building lets its slots pass: others build later, until it goes on', () => {
  const world = createWorld({ ...options, paces: { P: 10, X: 30, C: 1 } })
  const [, idle] = [...world.validators.all.keys()]
  const before = world.chains.C.head()
  world.advance(EPOCH + HOUR)
  const usual = blocksAfter(world, before)
  expect(usual.builders).toContain(idle)
  expect(Math.max(...usual.seconds)).toBeLessThan(5)

  const stopped = world.chains.C.head()
  expect(world.take({ kind: 'stop-building', nodeId: idle! })).toBe(true)
  world.advance(EPOCH + 2 * HOUR)
  const late = blocksAfter(world, stopped)
  expect(late.builders).not.toContain(idle)
  expect(late.seconds.filter((one) => one >= 5).length).toBeGreaterThan(50)
  expect(late.all.every(({ turn, time }) => turn <= time && time <= world.now())).toBe(true)
  // It is as connected as before.
  expect([...world.validators.all.get(idle!)!.views.values()].every(({ since }) => since === undefined)).toBe(true)

  const resumed = world.chains.C.head()
  world.take({ kind: 'resume-building', nodeId: idle! })
  world.advance(EPOCH + 3 * HOUR)
  const again = blocksAfter(world, resumed)
  expect(again.builders).toContain(idle)
  expect(again.seconds.slice(1).every((one) => one < 5)).toBe(true)
})

test('blocks that came late are the same when they are worked out again', () => {
  const world = createWorld({ ...options, paces: { P: 10, X: 30, C: 1 } })
  const [, idle] = [...world.validators.all.keys()]
  const begin = world.chains.C.head()
  world.take({ kind: 'stop-building', nodeId: idle! })
  world.advance(EPOCH + HOUR)
  const first = blocksAfter(world, begin)
  // More than are kept.
  world.advance(EPOCH + 40 * HOUR)
  const again = first.all.map(({ height }) => world.chains.C.block(height)!)
  expect(again.map(({ time, turn }) => [time, turn])).toEqual(first.all.map(({ time, turn }) => [time, turn]))
})

test('no one stops who is not there', () => {
  expect(createWorld(options).take({ kind: 'stop-building', nodeId: 'NodeID-unknown' })).toBe(false)
})

test('another rule draws others, and only from then on', () => {
  const [usual, changed] = [createWorld(options), createWorld(options)]
  const before = usual.chains.C.head()
  changed.take({ kind: 'change-draw' })
  for (const world of [usual, changed]) world.advance(EPOCH + HOUR)
  const of = (world: World, from: number, to: number) => blocksAfter(world, from).builders.slice(0, to - from)
  const middle = usual.chains.C.head()
  expect(of(changed, before, middle)).not.toEqual(of(usual, before, middle))
  expect(of(changed, before - 20, before)).toEqual(of(usual, before - 20, before))
  changed.take({ kind: 'restore-draw' })
  for (const world of [usual, changed]) world.advance(EPOCH + 2 * HOUR)
  const after = middle + 3
  expect(of(changed, after, after + 50)).toEqual(of(usual, after, after + 50))
})
