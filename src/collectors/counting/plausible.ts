// What can be true of a chain, whatever an upstream says: how fast it grows, and that nothing happens in the future.

import { type BaseError, refusal } from '../../errors.ts'

/** How many things there can be at most in a second. */
export const perSecond = {
  /** Blocks of a chain. None of the family makes more than a few. */
  blocks: 10,
  /** Blocks that a node accepts while it catches up. */
  accepted: 10_000,
  transactions: 10_000,
} as const

/** Seconds that are granted beside those that have passed: a service may have stood still before it answered first. */
const SLACK = 600

/** How much can have come, by a rate per second, between two moments (milliseconds). */
export function mostSince(rate: number, since: number, now: number): bigint {
  // The clock may have been set back.
  return BigInt(Math.ceil(rate * (SLACK + Math.max(0, now - since) / 1_000)))
}

export function inFuture(what: string): BaseError {
  return refusal('future', `${what} lies in the future`)
}
