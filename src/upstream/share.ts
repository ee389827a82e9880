// Answers that more than one run needs: one call in flight per question, reuse up to an age that the asker accepts.

import { ageOf, type Clock } from '../lib/clock.ts'
import type { Answer } from '../operations/define.ts'

export interface Shared {
  /** Joins a call in flight, reuses a success that is at most `maxAge` milliseconds old, never reuses a failure. */
  ask<T>(key: string, maxAge: number, fetch: () => Promise<Answer<T>>): Promise<Answer<T>>
}

export function createShared({ now }: Pick<Clock, 'now'>): Shared {
  const inFlight = new Map<string, Promise<Answer<unknown>>>()
  const kept = new Map<string, Answer<unknown>>()
  /** The greatest age that any asker accepts, of each question in flight or kept: so long is its answer kept. */
  const accepted = new Map<string, number>()

  function isYoung({ at }: Answer<unknown>, maxAge: number): boolean {
    return ageOf(at, now()) <= maxAge
  }

  function forget(): void {
    for (const [key, maxAge] of accepted) {
      const answer = kept.get(key)
      if (inFlight.has(key) || (answer && isYoung(answer, maxAge))) continue
      kept.delete(key)
      accepted.delete(key)
    }
  }

  async function fetchOnce(key: string, fetch: () => Promise<Answer<unknown>>) {
    try {
      // Later, so that even a fetch that throws at once ends after it was noted as in flight.
      const answer = await Promise.resolve().then(fetch)
      if (accepted.get(key)! > 0) kept.set(key, answer)
      return answer
    } finally {
      inFlight.delete(key)
      forget()
    }
  }

  return {
    ask<T>(key: string, maxAge: number, fetch: () => Promise<Answer<T>>): Promise<Answer<T>> {
      accepted.set(key, Math.max(maxAge, accepted.get(key) ?? 0))
      const before = kept.get(key)
      if (before && isYoung(before, maxAge)) return Promise.resolve(before as Answer<T>)
      let call = inFlight.get(key)
      if (!call) inFlight.set(key, (call = fetchOnce(key, fetch)))
      return call as Promise<Answer<T>>
    },
  }
}
