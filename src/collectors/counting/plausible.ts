// Bounds on what upstreams may report: how fast a chain grows, and that nothing happens in the future.

import { type BaseError, refusal } from '../../errors.ts'

/** The maximum number of things per second. */
export interface Growth {
  /** Since the previous reading. */
  since: number
  /** On average, since the oldest chain began. */
  ever: number
}

/** Blocks of a chain: no chain of the family makes more than a few per second. */
const BLOCKS = 10

export const growth = {
  blocks: { since: BLOCKS, ever: BLOCKS },
  /** Blocks that a node accepts: far more than the chain makes while the node catches up. */
  accepted: { since: 10_000, ever: BLOCKS },
  transactions: { since: 10_000, ever: 10_000 },
} as const satisfies Record<string, Growth>

/** The first block of Ethereum's main network: no EVM chain and no chain of the family is older. */
const OLDEST_CHAIN = Date.UTC(2015, 6, 30)

/** No correct clock is earlier; one that was never set says nothing about the age of chains. */
const RELEASE = Date.UTC(2026, 10, 1)

/** Extra seconds, as a service may have stalled before its first answer. */
const SLACK = 600

/** How much can have been added between two moments (milliseconds) at a rate per second. */
export function mostSince(rate: number, since: number, now: number): bigint {
  // The clock may have been set back.
  return BigInt(Math.ceil(rate * (SLACK + Math.max(0, now - since) / 1_000)))
}

/** The most that a chain can have by now. */
export function mostEver({ ever }: Growth, now: number): bigint {
  return mostSince(ever, OLDEST_CHAIN, Math.max(now, RELEASE))
}

export function inFuture(what: string): BaseError {
  return refusal('future', `${what} lies in the future`)
}
