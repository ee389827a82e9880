// The rate limit of the web configuration: a bucket of tokens, of which each request takes one.

import type { Timing } from './connections.ts'

export interface RateLimit {
  /** One more token after each so many milliseconds. */
  interval: number
  /** As many fit into the bucket, which begins full. */
  burst: number
}

/** Gives a function that takes a token; false when there is none. */
export function createRateLimit({ interval, burst }: RateLimit, clock: Timing): () => boolean {
  let tokens = burst
  let countedAt = clock.now().steady
  return () => {
    const now = clock.now().steady
    tokens = Math.min(burst, tokens + (now - countedAt) / interval)
    countedAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
