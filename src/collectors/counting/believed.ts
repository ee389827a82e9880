// Bounds on what upstreams may report: chains grow only so fast, and nothing happens in the future. Handles answers that
// go backwards or leap ahead: a lagging replica must not look like a total that started again, and one absurd number must
// not pass for growth. But a lasting change must be accepted in the end.

import { z } from 'zod'
import { type BaseError, refusal } from '../../errors.ts'
import { countType, momentType, sumType } from './remembered.ts'

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
function mostEver({ ever }: Growth, now: number): bigint {
  return mostSince(ever, OLDEST_CHAIN, Math.max(now, RELEASE))
}

export function inFuture(what: string): BaseError {
  return refusal('future', `${what} lies in the future`)
}

/** Such an answer may be true: it is accepted once this many runs over this time (milliseconds) agree. */
const AGREEING = { runs: 3, time: 300_000 }

/** `NOTHING.total`, or a decimal integer that is not negative. */
const totalType = z.union([sumType, z.literal('-1')])

/** How many consecutive runs contradicted the accepted value in the same way, when the first did, and what it said. */
export const doubtType = z.object({ runs: countType, since: momentType, value: totalType })
export type Doubt = z.output<typeof doubtType>

/** The doubt after one more run; undefined once enough runs agree, so that the value is accepted. */
export function updateDoubt(stated: string, before: Doubt | undefined, now: number): Doubt | undefined {
  const { runs, since, value: first } = before ?? { runs: 0, since: now, value: stated }
  // The clock may have been set back.
  const begun = Math.min(since, now)
  const isAgreed = runs + 1 >= AGREEING.runs && now - begun >= AGREEING.time
  return isAgreed ? undefined : { runs: runs + 1, since: begun, value: first }
}

/** A remembered total. Moments in milliseconds since the epoch. */
export const believedType = z.object({
  /** The last accepted value; before the first it is `NOTHING.total`. */
  total: totalType,
  /** When it last grew. */
  at: momentType,
  /** Runs with a lower or far higher value. */
  refused: doubtType.optional(),
})
export type Believed = z.output<typeof believedType>

/** The value of a list without items. */
const NOTHING: Believed = { total: '-1', at: 0 }

/**
 * If the result has `refused`, the answer must not be used. Times have no `growth`, as the present bounds them.
 */
export function updateTotal(stated: bigint, remembered: Believed | undefined, now: number, growth?: Growth): Believed {
  const before = remembered ?? NOTHING
  const next = { total: String(stated), at: now }
  const at = Math.min(before.at, now)
  if (stated === BigInt(before.total)) return { total: before.total, at }
  if (fits(stated, before, now, growth)) return next
  // However many runs agree, no chain can reach this value.
  if (growth && stated > mostEver(growth, now)) {
    return { total: before.total, at, refused: { runs: 0, since: now, value: next.total } }
  }
  const refused = updateDoubt(next.total, matchingDoubt(stated, before, now, growth), now)
  return refused ? { total: before.total, at, refused } : next
}

/** Whether a total can have grown to this value. */
export function fits(stated: bigint, before: Believed, now: number, growth?: Growth): boolean {
  return stated >= BigInt(before.total) && (growth === undefined || stated <= mostOf(before, now, growth))
}

/** The highest plausible block of a list: not far from most of the others. */
export function nearOthers(blocks: readonly { blockNumber: bigint }[]): bigint {
  const heights = blocks.map(({ blockNumber }) => blockNumber).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = heights[Math.floor((heights.length - 1) / 2)]
  return (middle ?? 0n) + mostSince(growth.blocks.since, 0, 0)
}

/** Undefined before the first accepted value. */
export function totalOf(known: Believed | undefined): bigint | undefined {
  return known && known.total !== NOTHING.total ? BigInt(known.total) : undefined
}

/** How far a total can have grown. */
export function mostOf({ total, at }: Believed, now: number, growth: Growth): bigint {
  return total === NOTHING.total ? mostEver(growth, now) : BigInt(total) + mostSince(growth.since, at, now)
}

/** The existing doubt, if this value contradicts the total in the same direction. */
function matchingDoubt(stated: bigint, { total, refused }: Believed, now: number, growth?: Growth): Doubt | undefined {
  if (!refused) return undefined
  const first = BigInt(refused.value)
  const isBelow = stated < BigInt(total)
  if (isBelow !== first < BigInt(total)) return undefined
  const apart = stated > first ? stated - first : first - stated
  return isBelow || apart <= mostSince(growth?.since ?? 0, refused.since, now) ? refused : undefined
}

/** The error for a refused answer; `older` is the message if it goes back. */
export function refusalOf({ total, refused }: Believed, older: string): BaseError | undefined {
  if (!refused) return undefined
  if (BigInt(refused.value) < BigInt(total)) return refusal('older', older)
  return refusal('height', 'the answer is further ahead of the previous one than a chain can have grown')
}
