// The queues of one upstream: requests to send, and runs to begin. Requests go before runs, so that a run that has begun ends
// before another one begins.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { ranks } from '../upstream/request-budget.ts'

/** Why a request or a run cannot go now. */
export interface Obstacle {
  /** On the steady clock. */
  until: number
  why: string
  code: 'busy' | 'paused' | 'over_budget'
}

interface Waiting {
  /** The lowest goes first; within a rank, the first come. */
  rank: number
  obstacle: (now: number) => Obstacle | undefined
  /** Takes what it waited for, before the next one is checked. */
  take: () => void
  /** Ends the wait. */
  signal: AbortSignal
  /** Ends the wait as well (steady clock). Default: never. */
  latest?: number
}

export type Queue = ReturnType<typeof createQueue>

/** A longer wait fails at once (milliseconds). */
const LONG = 90_000

interface Place extends Waiting {
  go: () => void
  fail: (obstacle: Obstacle) => void
}

const BUSY: Obstacle = { until: 0, why: 'too many requests were in flight until the run had to end', code: 'busy' }

function errorOf({ code, why }: Obstacle): BaseError {
  const message = `not asked: ${why}`
  if (code === 'busy') return new BaseError('busy', message)
  return code === 'paused' ? new BaseError('paused', message) : new BaseError('over_budget', message)
}

/** A line for each rank: the first of the lowest goes first. */
const createLine = () => Object.values(ranks).map(() => new Set<Place>())
type Line = ReturnType<typeof createLine>

const firstOf = (line: Line) =>
  line
    .find(({ size }) => size > 0)
    ?.values()
    .next().value

/** `isQuiet`: whether no request is in flight whose end could make room. */
export function createQueue(clock: Clock, isQuiet: () => boolean) {
  const lines = { requests: createLine(), runs: createLine() }
  let callOff = () => {}

  /** The reserved ranks wait for their budget until their run ends: the others leave them what becomes free. */
  function isTooLong({ rank }: Place, { until, code }: Obstacle, now: number): boolean {
    if (until === Infinity) return isQuiet()
    return until - now > LONG && (rank > ranks.reserved || code !== 'over_budget')
  }

  /** When the first in the queue can go at the latest. */
  function proceedIn(line: Line, now: number): number {
    for (let first = firstOf(line); first; first = firstOf(line)) {
      const obstacle = first.obstacle(now)
      const isHopeless = obstacle && isTooLong(first, obstacle, now)
      if (obstacle && !isHopeless) return obstacle.until > now ? obstacle.until : Infinity
      line[first.rank]!.delete(first)
      if (obstacle) first.fail(obstacle)
      else first.go()
    }
    return Infinity
  }

  /** Something changed: lets those go that can. */
  function proceed(): void {
    callOff()
    const now = clock.now().steady
    const next = Math.min(proceedIn(lines.requests, now), proceedIn(lines.runs, now))
    if (next < Infinity) callOff = clock.after(Math.ceil(next - now), proceed)
  }

  /** Resolves when its turn has come. Throws busy, paused or over_budget. */
  function wait(of: 'requests' | 'runs', waiting: Waiting): Promise<void> {
    const line = lines[of]
    const { signal, latest = Infinity, rank } = waiting
    return new Promise((resolve, reject) => {
      function over(): void {
        signal.removeEventListener('abort', leave)
        stopTimer()
      }
      const place: Place = {
        ...waiting,
        go() {
          over()
          waiting.take()
          resolve()
        },
        fail(obstacle) {
          over()
          reject(errorOf(obstacle))
        },
      }
      function leave(): void {
        const first = firstOf(line)
        // It has gone already: a delayed timer can come late.
        if (!line[rank]!.delete(place)) return
        const now = clock.now().steady
        // Without an obstacle of its own it waited for those ahead of it.
        const obstacle = place.obstacle(now) ?? first!.obstacle(now) ?? BUSY
        place.fail(obstacle)
        proceed()
      }
      signal.addEventListener('abort', leave, { once: true })
      // A timer, as many runs wait at once and a signal for each would take some kilobytes.
      const stopTimer = latest < Infinity ? clock.after(Math.ceil(latest - clock.now().steady), leave) : () => {}
      line[rank]!.add(place)
      // Time alone may have made room for the first.
      proceed()
    })
  }

  return {
    wait,
    proceed,
    /** Number of waiting requests. */
    requests: () => lines.requests.reduce((sum, places) => sum + places.size, 0),
  }
}
