// Answers that more than one run needs: one call in flight per question, reuse up to an age that the asker accepts.

import type { Answer } from '../operations/define.ts'

export interface Shared {
  /** Joins a call in flight, reuses a success that is at most `maxAge` milliseconds old, never reuses a failure. */
  ask<T>(key: string, maxAge: number, fetch: () => Promise<Answer<T>>): Promise<Answer<T>>
}

interface Kept {
  answer: Answer<unknown>
  until: number
}

export function createShared(now: () => number): Shared {
  const inFlight = new Map<string, Promise<Answer<unknown>>>()
  const kept = new Map<string, Kept>()

  function forget(): void {
    for (const [key, { until }] of kept) if (until < now()) kept.delete(key)
  }

  async function fetchOnce(key: string, maxAge: number, fetch: () => Promise<Answer<unknown>>) {
    try {
      const answer = await fetch()
      // Only an asker that accepts an age makes an answer worth its memory.
      if (maxAge > 0) kept.set(key, { answer, until: answer.at + maxAge })
      return answer
    } finally {
      inFlight.delete(key)
      forget()
    }
  }

  return {
    ask<T>(key: string, maxAge: number, fetch: () => Promise<Answer<T>>): Promise<Answer<T>> {
      const before = kept.get(key)
      if (before && now() - before.answer.at <= maxAge) return Promise.resolve(before.answer as Answer<T>)
      let call = inFlight.get(key)
      if (!call) inFlight.set(key, (call = fetchOnce(key, maxAge, fetch)))
      return call as Promise<Answer<T>>
    },
  }
}
