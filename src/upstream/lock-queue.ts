// Calls that wait for each other: those that take the lock of a node's chain. One method that hangs holds back only its own
// calls.

import type { Clock } from '../lib/clock.ts'

export interface Line {
  /** Does the work when its turn has come. Once the signal is aborted, a call that still waits leaves the line. */
  enter<T>(method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Whether nobody waits and no call is in flight. */
  isEmpty(): boolean
}

export interface Lines {
  /** Does the work in the line of the place. */
  enter<T>(place: string, method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Places with somebody in their line. */
  count(): number
}

/** A call that takes longer holds back its own method alone (milliseconds). */
const A_MOMENT = 1_000

interface Waiting {
  method: string
  start: () => void
}

export function createLine({ after }: Pick<Clock, 'after'>): Line {
  let waiting: Waiting[] = []
  /** Methods with a call in flight: whether it is taking long. */
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
    async enter(method, signal, work) {
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
    isEmpty: () => waiting.length === 0 && inFlight.size === 0,
  }
}

/** A line for each place, as long as somebody is in it: places come and go with the configuration. */
export function createLines(clock: Pick<Clock, 'after'>): Lines {
  const lines = new Map<string, Line>()
  return {
    async enter(place, method, signal, work) {
      const line = lines.get(place) ?? createLine(clock)
      lines.set(place, line)
      try {
        return await line.enter(method, signal, work)
      } finally {
        // Who left a line late may find that another one has its place.
        if (line.isEmpty() && lines.get(place) === line) lines.delete(place)
      }
    },
    count: () => lines.size,
  }
}
