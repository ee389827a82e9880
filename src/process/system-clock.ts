// The clocks of the machine.

import type { Clock } from '../lib/clock.ts'

/** The platform ends longer waits at once (milliseconds). */
const LONGEST = 2 ** 31 - 1

/** What is too long for the platform: the deadline of a run once a year, and an interval that a budget stretches. */
const within = (milliseconds: number) => Math.min(Math.ceil(milliseconds), LONGEST)

export const systemClock: Clock = {
  now() {
    const [seconds, nanoseconds] = process.hrtime()
    return { wall: Date.now(), steady: seconds * 1_000 + nanoseconds / 1_000_000 }
  },
  after(milliseconds, work) {
    const timer = setTimeout(work, within(milliseconds))
    return () => clearTimeout(timer)
  },
  deadline: (milliseconds) => AbortSignal.timeout(within(milliseconds)),
}
