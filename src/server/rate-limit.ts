// The rate limit of the web configuration: a token bucket.

import type { SteadyClock } from './connections.ts'

export interface RateLimit {
  /** Milliseconds for each new token. */
  interval: number
  /** Tokens that fit into the bucket, which starts full. */
  burst: number
}

/** Returns a function that takes a token, and false when there is none. */
export function createRateLimit({ interval, burst }: RateLimit, clock: SteadyClock): () => boolean {
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
