import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { createCircuits, type End } from '../../src/upstream/circuit.ts'
import { momentAt } from '../support/clock.ts'
import { failure, nodeAt } from './asking.ts'

const down = new BaseError('timeout', 'no complete answer before the deadline')
const node = nodeAt('http://127.0.0.1:1')

/** With `random` at 1 the pauses are 5, 10, 20, 30 and 30 s. */
function opened() {
  const clock = { now: 0 }
  const circuits = createCircuits({ now: () => momentAt(clock.now * 1_000) }, () => 1)
  const { signal } = new AbortController()
  const enter = (operation = 'uptime', source = node) => circuits.enter(source, operation, signal)
  return {
    clock,
    enter,
    isOpen: (operation = 'uptime') => circuits.isOpen(node, operation),
    forget: circuits.forget,
    async call(end: End, operation = 'uptime') {
      const leave = await enter(operation)
      leave(end)
    },
    /** At each of these seconds a call that ends so. */
    async calls(ends: Readonly<Record<number, End>>) {
      for (const [at, end] of Object.entries(ends)) {
        clock.now = Number(at)
        const leave = await enter()
        leave(end)
      }
    },
  }
}

describe('a circuit', () => {
  test.each<[string, Readonly<Record<number, End>>, boolean]>([
    ['three failures in a row over ten seconds', { 0: down, 5: down, 10: down }, true],
    ['three failures in less', { 0: down, 5: down, 9: down }, false],
    ['two failures', { 0: down, 60: down }, false],
    ['an answer in between', { 0: down, 30: down, 31: 'answered', 60: down, 90: down }, false],
    ['every fourth poll', { 0: down, 1: 'answered', 240: down, 241: 'answered', 480: down, 481: 'answered' }, false],
    ['what was not sent', { 0: down, 30: 'unsent', 60: 'unsent', 90: down }, false],
  ])('after %s', async (_, ends, isOpen) => {
    const one = opened()
    await one.calls(ends)
    expect(one.isOpen()).toBe(isOpen)
  })

  test('of another upstream under the same name is closed, and what was asked of the one before changes nothing', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down })
    one.clock.now = 10
    const leave = await one.enter()
    one.forget({ network: node.network, name: 'other' })
    leave(down)
    expect(one.isOpen()).toBe(true)
    one.forget(node)
    expect(one.isOpen()).toBe(false)
    leave(down)
    expect(one.isOpen()).toBe(false)
    await one.call('answered')
  })

  test('one bad moment opens nothing, however many calls it meets', async () => {
    const one = opened()
    const leaves = await Promise.all(Array.from({ length: 14 }, () => one.enter()))
    for (const leave of leaves) leave(down)
    expect(one.isOpen()).toBe(false)
    one.clock.now = 60
    await one.call('answered')
  })

  test('that is open lets nothing through and says why; then one probe at a time, less and less often', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down, 10: down })
    const passes: number[] = []
    const refusals = new Set<string>()
    for (let second = 10; second <= 130; second += 1) {
      one.clock.now = second
      const leave = await one.enter().catch(String)
      if (typeof leave === 'string') {
        refusals.add(leave)
      } else {
        passes.push(second)
        leave(down)
      }
    }
    expect([...refusals]).toEqual([
      'BaseError: not asked, as it failed before and is being probed: no complete answer before the deadline',
    ])
    expect(passes).toEqual([15, 25, 45, 75, 105])
  })

  test('requests during a probe wait for it, and all go on when it is answered', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down, 10: down })
    one.clock.now = 15
    const probe = await one.enter()
    const others = Promise.all([one.enter(), one.enter('supply')])
    probe('answered')
    expect(await others).toHaveLength(2)
    expect(one.isOpen()).toBe(false)
  })

  test('and all fail when it fails', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down, 10: down })
    one.clock.now = 15
    const probe = await one.enter()
    const other = failure(one.enter())
    probe(down)
    expect((await other).code).toBe('circuit_open')
  })

  test('a probe that was not sent leaves its place to the next call', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down, 10: down })
    one.clock.now = 15
    await one.call('unsent')
    await one.call('answered')
    expect(one.isOpen()).toBe(false)
  })

  test('an operation that hangs while others are answered is left alone by itself', async () => {
    const one = opened()
    for (const second of [0, 10, 20]) {
      one.clock.now = second
      await one.call(down, 'status')
      await one.call('answered', 'uptime')
    }
    expect([one.isOpen('status'), one.isOpen('uptime')]).toEqual([true, false])
    expect((await failure(one.enter('status'))).code).toBe('circuit_open')
    await one.call('answered', 'uptime')
  })

  test('another upstream is another circuit', async () => {
    const one = opened()
    await one.calls({ 0: down, 5: down, 10: down })
    expect((await failure(one.enter())).code).toBe('circuit_open')
    await one.enter('uptime', { ...node, name: 'node-b' })
    await one.enter('uptime', { ...node, network: 'mainnet' })
  })
})
