// What can be true of a chain, whatever an upstream says: how fast it grows, and that nothing happens in the future.

import { type BaseError, refusal } from '../../errors.ts'

/** How many things there can be at most in a second. */
export interface Growth {
  /** Since a reading. */
  since: number
  /** On average, since the oldest chain began. */
  ever: number
}

/** Blocks of a chain: none of the family makes more than a few in a second. */
const BLOCKS = 10

export const growth = {
  blocks: { since: BLOCKS, ever: BLOCKS },
  /** Blocks that a node accepts: while it catches up, far more than the chain makes. */
  accepted: { since: 10_000, ever: BLOCKS },
  transactions: { since: 10_000, ever: 10_000 },
} as const satisfies Record<string, Growth>

/** The first block of Ethereum's main network: no chain of blocks with an EVM is older, nor one of the family. */
const OLDEST_CHAIN = Date.UTC(2015, 6, 30)

/** No clock that is right says less; one that was never set says nothing about how old chains are. */
const RELEASE = Date.UTC(2026, 10, 1)

/** Seconds that are granted beside those that have passed: a service may have stood still before it answered first. */
const SLACK = 600

/** How much can have come, by a rate per second, between two moments (milliseconds). */
export function mostSince(rate: number, since: number, now: number): bigint {
  // The clock may have been set back.
  return BigInt(Math.ceil(rate * (SLACK + Math.max(0, now - since) / 1_000)))
}

/** The most that a chain can have of it by now. */
export function mostEver({ ever }: Growth, now: number): bigint {
  return mostSince(ever, OLDEST_CHAIN, Math.max(now, RELEASE))
}

export function inFuture(what: string): BaseError {
  return refusal('future', `${what} lies in the future`)
}
