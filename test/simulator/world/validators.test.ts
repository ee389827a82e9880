// Validators on their own, without the accidents of a whole world: what happens is scripted and worked out by hand.

import { describe, expect, test } from 'vitest'
import { createQueue } from '../../../src/simulator/world/event-queue.ts'
import type { Validator } from '../../../src/simulator/world/stakes.ts'
import { createValidators } from '../../../src/simulator/world/validators.ts'
import { uptimeOf } from '../../../src/simulator/world/views.ts'

/** Validators, the first two of which are asked. `until` lets their validations end and begin again. */
function scripted(count = 3, delegations = 0) {
  const queue = createQueue()
  const validators = createValidators({
    seed: 7,
    count,
    delegations,
    observers: 2,
    queue,
    begin: 1_000_000_000,
    upgrade: 0,
    mint: () => {},
    restaked: () => {},
  })
  const [one, two, three] = [...validators.all.values()] as [Validator, Validator, Validator]
  const until = (time: number) => {
    for (let event = queue.takeDue(time); event; event = queue.takeDue(time)) event.happen(event.at)
  }
  const seen = (by: Validator, now: number) => uptimeOf(three, three.views.get(by.nodeId)!, now)
  return { validators, one, two, three, until, seen }
}

describe('weights of the past', () => {
  const NEWCOMER = { nodeId: 'newcomer', weight: 50n, reward: 0n, owner: 'o', fee: 2, renewal: undefined }
  const at = (second: number) => 1_000_000_000 + second

  test('are those before each change', () => {
    const { validators, one, two, three, until } = scripted()
    const first = [one, two, three].map(({ nodeId, weight }): [string, bigint] => [nodeId, weight])
    const joined = validators.join({ ...NEWCOMER, end: at(400) }, at(100))
    const delegation = validators.delegate(joined, { weight: 30n, owner: 'd', end: at(900) }, at(200))
    validators.shrink(joined, delegation, 20n, at(300))
    until(at(400))
    // Its validation is over, and the delegator has gone elsewhere.
    expect(validators.all.has('newcomer')).toBe(false)
    const weights = (second: number) => validators.weightsBefore(at(second))
    const held = [100, 101, 200, 201, 300, 301, 400, 401].map((second) => weights(second).get('newcomer'))
    expect(held).toEqual([undefined, 50n, 50n, 80n, 80n, 70n, 70n, undefined])
    expect([...weights(400)].filter(([nodeId]) => nodeId !== 'newcomer')).toEqual(first)
    expect(weights(401)).not.toEqual(new Map(first))
  })

  test('from before the time that is kept are forgotten', () => {
    const { validators } = scripted()
    validators.join({ ...NEWCOMER, end: at(4_000) }, at(100))
    validators.join({ ...NEWCOMER, nodeId: 'second', end: at(4_000) }, at(200))
    validators.keepSince(at(150))
    const held = (second: number) =>
      ['newcomer', 'second'].map((nodeId) => validators.weightsBefore(at(second)).get(nodeId))
    expect([held(50), held(150), held(250)]).toEqual([
      [50n, undefined],
      [50n, undefined],
      [50n, 50n],
    ])
    validators.keepSince(at(999))
    expect(held(50)).toEqual([50n, 50n])
  })
})

describe("an observer's view", () => {
  test('a renewed validation has no past, however poor that was', () => {
    const { one, two, three, until, seen } = scripted()
    const end = three.end
    expect(seen(one, end - 1)).toBeLessThan(1)
    until(end)
    expect(three.start).toBe(end)
    expect([seen(one, end + 10), seen(two, end + 10)]).toEqual([1, 1])
  })

  test('follows each outage to the second and ends with the last of its reasons', () => {
    const { validators, one, two, three, until, seen } = scripted()
    const start = three.end
    until(start)
    validators.disconnect(three.nodeId, 'power', start + 100)
    validators.disconnect(three.nodeId, 'way', start + 130, [one.nodeId])
    // After 160 s: 60 s lost for both, the outage still running.
    expect([seen(one, start + 160), seen(two, start + 160)]).toEqual([1 - 60 / 160, 1 - 60 / 160])
    validators.reconnect(three.nodeId, 'power', start + 180)
    validators.reconnect(three.nodeId, 'way', start + 300)
    // After 400 s: the first observer lost 100 to 300, the second 100 to 180.
    expect([seen(one, start + 400), seen(two, start + 400)]).toEqual([0.5, 0.8])
  })

  test('an outage that spans a renewal counts from the new start on', () => {
    const { validators, one, three, until, seen } = scripted()
    const start = three.end
    validators.disconnect(three.nodeId, 'power', start - 500)
    until(start)
    validators.reconnect(three.nodeId, 'power', start + 50)
    expect(seen(one, start + 200)).toBe(0.75)
  })
})
