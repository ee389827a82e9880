// A clock that advances step by step while no request is under way: days pass as fast as the daemon can work.

import { channel } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../src/lib/clock.ts'

interface Timer {
  at: number
  work: () => void
}

/** Shared by all deadlines, as each error would carry a stack. */
const OVER = new DOMException('', 'TimeoutError')

/** Seconds of one step: less than what the daemon takes for a jump of the clock. */
export const STEP = 12

/** Creates a clock that moves only by `advance`, which then runs all timers that are due. */
export function createSteppedClock(wall: number) {
  const now = { wall, steady: 0 }
  const waiting = new Set<Timer>()
  // The platform's timers would outlast the run, whose hours pass in milliseconds.
  const deadlines = new Set<Timer>()
  const clock: Clock = {
    now: () => ({ ...now }),
    after(milliseconds, work) {
      const one = { at: now.steady + milliseconds, work }
      waiting.add(one)
      return () => waiting.delete(one)
    },
    deadline(milliseconds) {
      const controller = new AbortController()
      deadlines.add({ at: now.steady + milliseconds, work: () => controller.abort(OVER) })
      return controller.signal
    },
  }
  return {
    clock,
    waiting: () => waiting.size,
    advance(milliseconds: number) {
      now.wall += milliseconds
      now.steady += milliseconds
      for (const timers of [waiting, deadlines]) {
        const due: Timer[] = []
        for (const one of timers) if (one.at <= now.steady) due.push(one)
        for (const one of due) {
          timers.delete(one)
          one.work()
        }
      }
    },
  }
}

/**
 * Turns of the event loop without a request or an answer: an upstream of this process that has not answered by then hangs,
 * and time has to advance to its deadline. Turns and not seconds, as a busy machine is no outage.
 */
const HANGS = 10_000

/** Waits until this process has had no request under way for some turns: one answer may lead to the next request. */
export function createIdle() {
  const underWay = new Set<unknown>()
  let events = 0
  const on = (event: string, change: (request: unknown) => void) =>
    channel(`undici:request:${event}`).subscribe((message) => {
      change((message as { request: unknown }).request)
      events += 1
    })
  on('create', (request) => underWay.add(request))
  on('trailers', (request) => underWay.delete(request))
  on('error', (request) => underWay.delete(request))
  return {
    /** Stops waiting for the requests under way: their clients have gone, and no event reports that. */
    forget: () => underWay.clear(),
    idle: async () => {
      let [seen, still] = [events, 0]
      for (let quiet = 0; quiet < 4 && still < HANGS;) {
        await turn()
        quiet = underWay.size > 0 ? 0 : quiet + 1
        still = events === seen ? still + 1 : 0
        seen = events
      }
    },
  }
}
