// Answers that go backwards or leap ahead. A replica that lags must not look like a total that began anew, and one absurd
// number must not pass for growth. But what is so after all must not be refused for ever.

import { z } from 'zod'
import { type BaseError, refusal } from '../../errors.ts'
import { type Growth, mostEver, mostSince } from './plausible.ts'
import { countType, decimalType, momentType } from './remembered.ts'

/** Such an answer may be true after all: it is believed when this many runs over this time (milliseconds) agree. */
const AGREEING = { runs: 3, time: 300_000 }

/** How many runs in a row had the same to say against what is believed, when the first of them began, and what it said. */
export const doubtType = z.object({ runs: countType, since: momentType, told: decimalType })
export type Doubt = z.output<typeof doubtType>

/** The doubt after one more run; undefined when enough of them agree, so that they are believed. */
export function doubted(told: string, before: Doubt | undefined, now: number): Doubt | undefined {
  const { runs, since, told: first } = before ?? { runs: 0, since: now, told }
  // The clock may have been set back.
  const begun = Math.min(since, now)
  const isAgreed = runs + 1 >= AGREEING.runs && now - begun >= AGREEING.time
  return isAgreed ? undefined : { runs: runs + 1, since: begun, told: first }
}

/** What a collector remembers of a total. Moments in milliseconds since the epoch. */
export const believedType = z.object({
  /** What was believed last: a decimal integer; that of NOTHING before anything was. */
  total: decimalType,
  /** When it last grew. */
  at: momentType,
  /** Of runs that had less, or far more. */
  refused: doubtType.optional(),
})
export type Believed = z.output<typeof believedType>

/** Also what a list without items has. */
const NOTHING: Believed = { total: '-1', at: 0 }

/**
 * If the result has `refused`, the answer must not be used. Times have no `growth`, as the present bounds them.
 */
export function believed(told: bigint, remembered: Believed | undefined, now: number, growth?: Growth): Believed {
  const before = remembered ?? NOTHING
  const next = { total: String(told), at: now }
  const at = Math.min(before.at, now)
  if (told === BigInt(before.total)) return { total: before.total, at }
  if (fits(told, before, now, growth)) return next
  // However many runs agree, no chain can have it.
  if (growth && told > mostEver(growth, now)) {
    return { total: before.total, at, refused: { runs: 0, since: now, told: next.total } }
  }
  const refused = doubted(next.total, agreeing(told, before, now, growth), now)
  return refused ? { total: before.total, at, refused } : next
}

/** Whether a total can have grown to that. */
export function fits(told: bigint, before: Believed, now: number, growth?: Growth): boolean {
  return told >= BigInt(before.total) && (growth === undefined || told <= mostOf(before, now, growth))
}

/** Undefined while nothing was believed. */
export function totalOf(known: Believed | undefined): bigint | undefined {
  return known && known.total !== NOTHING.total ? BigInt(known.total) : undefined
}

/** How far a total can have grown. */
export function mostOf({ total, at }: Believed, now: number, growth: Growth): bigint {
  return total === NOTHING.total ? mostEver(growth, now) : BigInt(total) + mostSince(growth.since, at, now)
}

/** The doubt that says the same: less than what is believed, or as far ahead of it. */
function agreeing(told: bigint, { total, refused }: Believed, now: number, growth?: Growth): Doubt | undefined {
  if (!refused) return undefined
  const first = BigInt(refused.told)
  const isBelow = told < BigInt(total)
  if (isBelow !== first < BigInt(total)) return undefined
  const apart = told > first ? told - first : first - told
  return isBelow || apart <= mostSince(growth?.since ?? 0, refused.since, now) ? refused : undefined
}

/** Why the answer is refused, in the words for one that goes back. */
export function disbelieved({ total, refused }: Believed, older: string): BaseError | undefined {
  if (!refused) return undefined
  if (BigInt(refused.told) < BigInt(total)) return refusal('older', older)
  return refusal('height', 'the answer lies further ahead of the one before than a chain can have grown')
}
