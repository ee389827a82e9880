// Answers that go backwards: a replica that lags must not look like a total that began anew, and a total that did begin
// anew must not be refused for ever.

import { z } from 'zod'
import { type BaseError, refusal } from '../../errors.ts'

/** A lower answer may be true after all: it is believed when this many runs over this time (milliseconds) agree. */
const AGREEING = { runs: 3, time: 300_000 }

/** What a collector remembers of a total. */
export const believedType = z.object({
  /** The highest total that was believed: a decimal integer. */
  total: z.string(),
  /** How many runs in a row had an answer below it, and when the first of them began. */
  refused: z.object({ runs: z.number(), since: z.number() }).optional(),
})
export type Believed = z.output<typeof believedType>

/** If the result has `refused`, the answer must not be used. */
export function believed(told: bigint, before: Believed | undefined, now: number): Believed {
  const total = String(told)
  if (!before || told >= BigInt(before.total)) return { total }
  const { runs, since } = before.refused ?? { runs: 0, since: now }
  const agreed = runs + 1 >= AGREEING.runs && now - since >= AGREEING.time
  return agreed ? { total } : { total: before.total, refused: { runs: runs + 1, since } }
}

/** Why a run is refused whose newest block lies below one already seen. */
export function olderHead(): BaseError {
  return refusal('older', 'the newest listed block is older than one already seen')
}
