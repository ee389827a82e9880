import { expect, test } from 'vitest'
import { until } from '../../src/lib/until.ts'

const never = new Promise<never>(() => {})

test('gives what the promise gives while nothing ends the wait', async () => {
  const { signal } = new AbortController()
  await expect(until(signal, Promise.resolve(1))).resolves.toBe(1)
  await expect(until(signal, Promise.reject(new Error('down')))).rejects.toThrow('down')
})

test('ends with the reason of the signal, before and while it waits', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  const waiting = until(stop.signal, never)
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(until(stop.signal, never)).rejects.toBe(reason)
})

test('a failure after the wait was over causes no unhandled rejection', async () => {
  const unheard: unknown[] = []
  const note = (thrown: unknown) => unheard.push(thrown)
  process.on('unhandledRejection', note)
  const stop = new AbortController()
  const first = Promise.withResolvers<never>()
  const waiting = until(stop.signal, first.promise)
  stop.abort(new Error('stopped'))
  const second = Promise.withResolvers<never>()
  const late = until(stop.signal, second.promise)
  await Promise.allSettled([waiting, late])
  first.reject(new Error('down'))
  second.reject(new Error('down'))
  // Node reports unhandled rejections after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unheard).toEqual([])
})
