// Measures how far our clock is ahead of an upstream's, by the `Date` of one answer.

import type { Moment } from '../lib/clock.ts'
import type { HttpAnswer } from './http.ts'
import { dateOf } from './retry-after.ts'

/** An answer that took longer does not say when the upstream wrote it (milliseconds). */
const QUICK = 5_000
/** A larger difference means that our clock was set during the request (milliseconds). */
const SET = 1_000
/** A date has no fractions of a second, so it is half a second old on average (milliseconds). */
const HALF = 500

/** Milliseconds; undefined where the answer has no date, took too long, or came from a cache. */
export function clockOffsetOf({ headers }: HttpAnswer, sent: Moment, received: Moment): number | undefined {
  const { date, age } = headers
  if (typeof date !== 'string' || age !== undefined) return undefined
  const took = received.steady - sent.steady
  if (took > QUICK || Math.abs(received.wall - sent.wall - took) > SET) return undefined
  const offset = sent.wall + took / 2 - (dateOf(date) + HALF)
  return Number.isNaN(offset) ? undefined : offset
}
