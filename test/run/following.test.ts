import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { following } from '../../src/run/ask.ts'

const listeners = (...signals: AbortSignal[]) => signals.map((signal) => getEventListeners(signal, 'abort').length)

test.each([0, 1])('aborts with number %i of two, for its reason, and follows neither any more', (which) => {
  const controllers = [new AbortController(), new AbortController()] as const
  const [one, other] = [controllers[0].signal, controllers[1].signal]
  const { signal } = following(one, other)
  expect([signal.aborted, listeners(one, other)]).toEqual([false, [1, 1]])
  const reason = new Error('stopped')
  controllers[which]!.abort(reason)
  controllers[1 - which]!.abort(new Error('too late'))
  expect([signal.reason, listeners(one, other)]).toEqual([reason, [0, 0]])
})

test('is aborted where one of them is, and follows none', () => {
  const reason = new Error('stopped')
  const one = new AbortController().signal
  const { signal } = following(one, AbortSignal.abort(reason))
  expect([signal.reason, listeners(one)]).toEqual([reason, [0]])
})

test('follows none of them once it is released', () => {
  const one = new AbortController()
  const { signal, release } = following(one.signal)
  release()
  one.abort()
  expect([signal.aborted, listeners(one.signal)]).toEqual([false, [0]])
})
