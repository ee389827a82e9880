// Time that goes on step by step, while nothing is asked: days pass as fast as the daemon gets through them.

import { channel } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../src/lib/clock.ts'

interface Timer {
  at: number
  work: () => void
}

/** One for all: each would carry a stack. */
const OVER = new DOMException('', 'TimeoutError')

/** Seconds that the clocks go on in one step: less than what the daemon takes for a jump. */
export const STEP = 12

/** Both clocks stand still but for `advance`: what is due by then is done, as late as that. */
export function createSteppedClock(wall: number) {
  const now = { wall, steady: 0 }
  const waiting = new Set<Timer>()
  // Timers of the platform would outlast the run: its hours are a few milliseconds for them.
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
 * Turns of the event loop in which nothing comes or goes: an upstream of this process that has not answered by then hangs,
 * and time has to go on for its deadline to come. Not a time: a busy machine is no outage.
 */
const HANGS = 10_000

/** Waits until no request of this process is under way, for some turns on end: one answer may lead to the next question. */
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
    /** What was under way is not waited for any more: those who asked have gone, and no event tells of it. */
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
