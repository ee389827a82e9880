// Clocks for tests: both stand where the test puts them, timers are those of the platform.

import type { Clock, Moment } from '../../src/lib/clock.ts'

/** Both clocks tell these milliseconds. */
export function clockOf(now: () => number): Clock {
  return {
    now: () => momentAt(now()),
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds)
      return () => clearTimeout(timer)
    },
    deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
  }
}

/** When both clocks tell these milliseconds. */
export function momentAt(milliseconds: number): Moment {
  return { wall: milliseconds, steady: milliseconds }
}
