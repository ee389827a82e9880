// Queues for calls that take the lock of a node's chain. A method that hangs delays only its own calls.

import { entryOf } from '../lib/entry.ts'
import type { Clock } from '../lib/clock.ts'

/** A call that takes longer delays only its own method (milliseconds). */
const A_MOMENT = 1_000

interface Waiting {
  method: string
  start: () => void
}

type Line = ReturnType<typeof createLine>

export function createLine({ after }: Pick<Clock, 'after'>) {
  let waiting: Waiting[] = []
  /** Methods with a call in flight, and whether it is slow. */
  const inFlight = new Map<string, boolean>()

  const isHeldBack = (method: string) => inFlight.has(method) || inFlight.values().some((isSlow) => !isSlow)

  function startNext(): void {
    const next = waiting.find(({ method }) => !isHeldBack(method))
    if (!next) return
    waiting = waiting.filter((one) => one !== next)
    next.start()
    startNext()
  }

  async function turn(method: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting = waiting.filter((one) => one !== own)
        reject(signal.reason as Error)
      }
      const own = {
        method,
        start() {
          signal.removeEventListener('abort', leave)
          inFlight.set(method, false)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(own)
      startNext()
    })
  }

  return {
    /** Does the work when its turn comes. When the signal aborts, a waiting call leaves the queue. */
    async enter<T>(method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await turn(method, signal)
      const notSlow = after(A_MOMENT, () => {
        inFlight.set(method, true)
        startNext()
      })
      try {
        return await work()
      } finally {
        notSlow()
        inFlight.delete(method)
        startNext()
      }
    },
    /** Whether no call waits or is in flight. */
    isEmpty: () => waiting.length === 0 && inFlight.size === 0,
  }
}

/** A queue for each place that has calls, as places come and go with the configuration. */
export function createLockQueues(clock: Pick<Clock, 'after'>) {
  const lines = new Map<string, Line>()
  return {
    /** Does the work in the queue of the place. */
    async enter<T>(place: string, method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const line = entryOf(lines, place, () => createLine(clock))
      try {
        return await line.enter(method, signal, work)
      } finally {
        // A call that ends late may find another queue in its place.
        if (line.isEmpty() && lines.get(place) === line) lines.delete(place)
      }
    },
    /** Places with calls in their queue. */
    count: (): number => lines.size,
  }
}
