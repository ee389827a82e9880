// A clock that jumps from one timer to the next, so that a week takes seconds.

import type { Clock } from '../../src/lib/clock.ts'
import { momentAt } from './clock.ts'

interface Timer {
  at: number
  work: () => void
}

export interface VirtualClock extends Clock {
  /** Lets so much time pass, timer by timer; in between everything that can go on does. */
  pass(milliseconds: number): Promise<void>
}

/** `settled` resolves when nothing goes on without time passing; default: after a turn of the event loop. */
export function createVirtualClock(settled: () => Promise<void> = turn): VirtualClock {
  let now = 1_000_000_000_000
  const timers: Timer[] = []

  function after(milliseconds: number, work: () => void): () => void {
    const timer = { at: now + Math.max(0, milliseconds), work }
    let [low, high] = [0, timers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (timers[middle]!.at <= timer.at) low = middle + 1
      else high = middle
    }
    timers.splice(low, 0, timer)
    return () => {
      const place = timers.indexOf(timer)
      if (place >= 0) timers.splice(place, 1)
    }
  }

  return {
    now: () => momentAt(now),
    after,
    deadline(milliseconds) {
      const controller = new AbortController()
      after(milliseconds, () => controller.abort(new DOMException('', 'TimeoutError')))
      return controller.signal
    },
    async pass(milliseconds) {
      const end = now + milliseconds
      await settled()
      while (timers.length > 0 && timers[0]!.at <= end) {
        const next = timers.shift()!
        now = Math.max(now, next.at)
        next.work()
        await settled()
      }
      now = end
    },
  }
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
