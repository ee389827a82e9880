// Clocks for tests: both stand where the test puts them, timers are those of the platform.

import { systemClock } from '../../src/process/system-clock.ts'
import type { Clock, Moment } from '../../src/lib/clock.ts'

/** Both clocks tell these milliseconds. */
export function clockOf(now: () => number): Clock {
  return { ...systemClock, now: () => momentAt(now()) }
}

/** When both clocks tell these milliseconds. */
export function momentAt(milliseconds: number): Moment {
  return { wall: milliseconds, steady: milliseconds }
}

/** Stands still until the test moves it; what was to be done after a while is done on the way. */
export function createManualClock(wall: number) {
  const now = { wall, steady: 0 }
  const waiting = new Set<{ at: number; work: () => void }>()
  const clock: Clock = {
    now: () => ({ ...now }),
    after(milliseconds, work) {
      const one = { at: now.steady + milliseconds, work }
      waiting.add(one)
      return () => waiting.delete(one)
    },
    // An upstream that hangs does so in real time.
    deadline: systemClock.deadline,
  }
  return {
    clock,
    /** How much is to be done after a while. */
    pending: () => waiting.size,
    /** Sets the wall clock. */
    set: (milliseconds: number) => (now.wall += milliseconds),
    /** The process stands still. */
    pause(milliseconds: number) {
      now.wall += milliseconds
      now.steady += milliseconds
    },
    /** Time goes by, and the process lives. */
    advance(milliseconds: number) {
      const end = now.steady + milliseconds
      for (;;) {
        const [next] = [...waiting].toSorted((a, b) => a.at - b.at)
        const until = Math.max(now.steady, Math.min(next?.at ?? Infinity, end))
        now.wall += until - now.steady
        now.steady = until
        if (!next || next.at > end) return
        waiting.delete(next)
        next.work()
      }
    },
  }
}
