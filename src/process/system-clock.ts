// The clocks of the machine.

import type { Clock } from '../lib/clock.ts'

export const systemClock: Clock = {
  now() {
    const [seconds, nanoseconds] = process.hrtime()
    return { wall: Date.now(), steady: seconds * 1_000 + nanoseconds / 1_000_000 }
  },
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
}
