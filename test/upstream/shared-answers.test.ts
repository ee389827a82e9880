import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/operations/define.ts'
import { clockOf } from '../support/clock.ts'
import { createShared } from '../../src/upstream/shared-answers.ts'

function createAskers() {
  const clock = { now: 1_000 }
  const asClock = clockOf(() => clock.now)
  const shared = createShared(asClock)
  let fetched = 0
  /** Resolves with the number of the fetch. */
  const fetch = async (): Promise<Answer<number>> => {
    fetched += 1
    return { value: fetched, at: asClock.now(), took: 0, source: 'one', dropped: 0 }
  }
  return { clock, shared, fetch, fetched: () => fetched }
}

describe('share', () => {
  test('a call in flight is joined, whatever age its askers accept', async () => {
    const { shared, fetch, fetched } = createAskers()
    const answers = await Promise.all([0, 500, 0].map((maxAge) => shared.ask('a', maxAge, fetch)))
    expect(answers.map(({ value }) => value)).toEqual([1, 1, 1])
    expect(fetched()).toBe(1)
  })

  test.each([
    ['a caller that accepts no age asks again', 0, 1, 0, 2],
    ['up to the age', 500, 500, 500, 1],
    ['not beyond it', 500, 501, 500, 2],
    ['by who accepts more than the first', 100, 400, 400, 1],
    ['not by who accepts less than the first', 500, 200, 100, 2],
  ])('reuse: %s', async (_, first, later, second, fetches) => {
    const { clock, shared, fetch, fetched } = createAskers()
    await shared.ask('a', first, fetch)
    // Someone who accepts more asks in time, so that there is something to reuse.
    if (second > first) await shared.ask('a', second, fetch)
    clock.now += later
    expect((await shared.ask('a', second, fetch)).at.wall).toBe(fetches === 1 ? 1_000 : clock.now)
    expect(fetched()).toBe(fetches)
  })

  test('an answer is kept as long as the one who joined accepts it', async () => {
    const { clock, shared, fetch, fetched } = createAskers()
    await Promise.all([shared.ask('a', 0, fetch), shared.ask('a', 300, fetch)])
    clock.now += 300
    await shared.ask('a', 300, fetch)
    expect(fetched()).toBe(1)
  })

  test.each([
    ['rejected', () => Promise.reject(new Error('down'))],
    [
      'thrown',
      () => {
        throw new Error('down')
      },
    ],
  ])('a failure is never reused: %s', async (_, fail) => {
    const { shared, fetch } = createAskers()
    await expect(shared.ask('a', 500, fail)).rejects.toThrow('down')
    expect((await shared.ask('a', 500, fetch)).value).toBe(1)
  })

  test('a failure does not take away what is kept for an asker who accepts more', async () => {
    const { clock, shared, fetch } = createAskers()
    await shared.ask('a', 500, fetch)
    clock.now += 200
    await expect(shared.ask('a', 100, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect((await shared.ask('a', 500, fetch)).value).toBe(1)
  })

  test('questions with different keys have nothing in common', async () => {
    const { shared, fetch } = createAskers()
    const answers = await Promise.all([shared.ask('a', 500, fetch), shared.ask('b', 500, fetch)])
    expect(answers.map(({ value }) => value)).toEqual([1, 2])
  })

  test('what is too old for everyone is forgotten as soon as another call ends', async () => {
    const { clock, shared, fetch } = createAskers()
    await shared.ask('a', 500, fetch)
    clock.now += 501
    await shared.ask('b', 0, fetch)
    // A clock that is set back shows what is left: were it kept, it would be young enough again.
    clock.now -= 1
    expect((await shared.ask('a', 500, fetch)).value).toBe(3)
  })

  test('what is still on its way is not forgotten when another call ends', async () => {
    const { shared, fetch } = createAskers()
    const { promise, resolve } = Promise.withResolvers<Answer<number>>()
    const slow = shared.ask('a', 500, () => promise)
    await shared.ask('b', 0, fetch)
    resolve({ value: 7, at: { wall: 1_000, steady: 1_000 }, took: 0, source: 'one', dropped: 0 })
    await slow
    expect((await shared.ask('a', 500, fetch)).value).toBe(7)
  })

  test('what someone still accepts is not forgotten when another call ends', async () => {
    const { clock, shared, fetch } = createAskers()
    await shared.ask('a', 500, fetch)
    clock.now += 500
    await shared.ask('b', 0, fetch)
    expect((await shared.ask('a', 500, fetch)).value).toBe(1)
  })
})

test('an asker that leaves while a call that all have left ends asks for nothing', async () => {
  const { shared, fetch, fetched } = createAskers()
  const { promise, resolve } = Promise.withResolvers<void>()
  const [first, second] = [new AbortController(), new AbortController()]
  const left = shared.ask('a', 0, async () => promise.then(fetch), first.signal)
  await Promise.resolve()
  first.abort(new Error('left'))
  const asked = shared.ask('a', 0, fetch, second.signal)
  second.abort(new Error('stopped'))
  resolve()
  await left
  await expect(asked).rejects.toThrow('stopped')
  expect(fetched()).toBe(1)
})
