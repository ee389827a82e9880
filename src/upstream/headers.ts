// What headers say: how long to wait, and how far our clock is from the one of the upstream.

import type { Moment } from '../lib/clock.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Longer waits are cut (milliseconds): a monitor that pauses for longer is of no use. */
const LONGEST = 3_600_000

/** A node is the only source of its view and has no hourly quota; a proxy in front of it counts by the minute. */
export const LONGEST_OF_NODES = 60_000

/** Milliseconds, from a number of seconds or a date. Undefined when it cannot be read. */
export function waitFor(retryAfter: string | string[] | undefined, now: number, longest = LONGEST): number | undefined {
  if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return undefined
  const seconds = Number(retryAfter)
  if (seconds < 0) return undefined
  const wanted = Number.isNaN(seconds) ? dateOf(retryAfter) - now : seconds * 1_000
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, 0), longest)
}

/** The platform accepts many texts as dates; one of HTTP begins with its weekday and ends in GMT. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]+,? .*\d GMT$/.test(text) ? Date.parse(text) : NaN
}

/** An answer that took longer does not say when the upstream wrote it (milliseconds). */
const QUICK = 5_000
/** A larger difference means that our clock was set during the request (milliseconds). */
const SET = 1_000
/** A date has no fractions of a second, so it is half a second old on average (milliseconds). */
const HALF = 500

/** Milliseconds; undefined where the answer has no date, took too long, or came from a cache. */
export function clockOffsetOf({ date, age }: Headers, sent: Moment, received: Moment): number | undefined {
  if (typeof date !== 'string' || age !== undefined) return undefined
  const took = received.steady - sent.steady
  if (took > QUICK || Math.abs(received.wall - sent.wall - took) > SET) return undefined
  const offset = sent.wall + took / 2 - (dateOf(date) + HALF)
  return Number.isNaN(offset) ? undefined : offset
}
