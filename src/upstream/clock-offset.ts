// How far our clock is ahead of an upstream's, by the `Date` of one answer.

import type { Moment } from '../lib/clock.ts'
import type { HttpAnswer } from './http.ts'
import { dateOf } from './retry-after.ts'

/** An answer that took longer does not tell when the upstream wrote it (milliseconds). */
const QUICK = 5_000
/** Our clock was set while the answer was under way (milliseconds). */
const SET = 1_000
/** A date has no fractions of a second: on average it is half a second old (milliseconds). */
const HALF = 500

/** Milliseconds; undefined where the answer does not say, took too long, or was kept by a cache. */
export function clockOffsetOf({ headers }: HttpAnswer, sent: Moment, received: Moment): number | undefined {
  const { date, age } = headers
  if (typeof date !== 'string' || age !== undefined) return undefined
  const took = received.steady - sent.steady
  if (took > QUICK || Math.abs(received.wall - sent.wall - took) > SET) return undefined
  const offset = sent.wall + took / 2 - (dateOf(date) + HALF)
  return Number.isNaN(offset) ? undefined : offset
}
