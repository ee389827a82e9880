import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/process/system-clock.ts'

const DAY = 86_400_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([28, 60, 366, Infinity])(
  'a wait of %s days does not end at once, as a longer timer of the platform does',
  (days) => {
    vi.useFakeTimers()
    const work = vi.fn<() => void>()
    const callOff = systemClock.after(days * DAY, work)
    vi.advanceTimersByTime(24 * DAY)
    expect(work).not.toHaveBeenCalled()
    callOff()
  },
)

test.each([0, 28, 60, 366])('a deadline of %s days is one of the platform, of at most 24.8 days', (days) => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  systemClock.deadline(days * DAY)
  expect(timeout).toHaveBeenCalledExactlyOnceWith(Math.min(days * DAY, 2 ** 31 - 1))
})

test('a deadline may have parts of a millisecond, as nine tenths of an interval have', () => {
  expect(() => systemClock.deadline(54_000.9)).not.toThrow()
})
