// Shares answers between runs: one call in flight per question, and reuse up to an age that the asker accepts.

import { ageOf, type Clock } from '../lib/clock.ts'
import type { Answer } from '../operations/define.ts'

export type Shared = ReturnType<typeof createShared>

type Fetch<T> = (unsent: AbortSignal) => Promise<Answer<T>>

interface Call {
  answer: Promise<Answer<unknown>>
  waiting: number
  unsent: AbortController
}

export function createShared({ now }: Pick<Clock, 'now'>) {
  const inFlight = new Map<string, Call>()
  const kept = new Map<string, Answer<unknown>>()
  /** How long each answer is kept: the greatest age that any asker accepts. */
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

  async function fetchOnce(key: string, unsent: AbortSignal, fetch: Fetch<unknown>) {
    try {
      // Deferred, so that even a fetch that throws at once ends after it was noted as in flight.
      const answer = await Promise.resolve().then(() => fetch(unsent))
      if (accepted.get(key)! > 0) kept.set(key, answer)
      return answer
    } finally {
      inFlight.delete(key)
      forget()
    }
  }

  function start(key: string, fetch: Fetch<unknown>): Call {
    const unsent = new AbortController()
    const call = { waiting: 0, unsent, answer: fetchOnce(key, unsent.signal, fetch) }
    inFlight.set(key, call)
    return call
  }

  function join(call: Call, signal?: AbortSignal): void {
    call.waiting += 1
    if (!signal) return
    const leave = () => {
      call.waiting -= 1
      if (call.waiting === 0) call.unsent.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    void call.answer.catch(() => {}).finally(() => signal.removeEventListener('abort', leave))
  }

  return {
    /**
     * Joins a call in flight, or reuses a success that is at most `maxAge` milliseconds old; never reuses a failure. `signal`
     * ends the wait of this asker; the signal given to `fetch` aborts when the last asker has left.
     */
    async ask<T>(key: string, maxAge: number, fetch: Fetch<T>, signal?: AbortSignal): Promise<Answer<T>> {
      // A call that all askers have left ends soon, or with an answer.
      while (inFlight.get(key)?.unsent.signal.aborted) {
        await inFlight.get(key)!.answer.catch(() => {})
        signal?.throwIfAborted()
      }
      accepted.set(key, Math.max(maxAge, accepted.get(key) ?? 0))
      const before = kept.get(key)
      if (before && isYoung(before, maxAge)) return before as Answer<T>
      const call = inFlight.get(key) ?? start(key, fetch)
      join(call, signal)
      return call.answer as Promise<Answer<T>>
    },
  }
}
