// What headers say: how long to wait, and how far our clock is from the one of the upstream.

import type { Moment } from '../lib/clock.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Longer waits are cut (milliseconds): a monitor that pauses for longer is of no use. */
const LONGEST = 3_600_000

/** A node is the only source of its view and has no hourly quota; a proxy in front of it counts by the minute. */
export const LONGEST_OF_NODES = 60_000

/** Milliseconds, from a number of seconds or a date, which the upstream made by its own clock. Undefined when it cannot be read. */
export function waitFor(
  { 'retry-after': given, ...headers }: Headers,
  now: number,
  longest = LONGEST,
): number | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const seconds = Number(given)
  if (seconds < 0) return undefined
  const wanted = Number.isNaN(seconds) ? dateOf(given) - (writtenAt(headers) ?? now) : seconds * 1_000
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, 0), longest)
}

/** By the clock of the upstream; undefined where the answer has no date, or came from a cache. */
function writtenAt({ date, age }: Headers): number | undefined {
  const written = typeof date === 'string' && age === undefined ? dateOf(date) : NaN
  return Number.isNaN(written) ? undefined : written
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
export function clockOffsetOf(headers: Headers, sent: Moment, received: Moment): number | undefined {
  const written = writtenAt(headers)
  const took = received.steady - sent.steady
  if (written === undefined || took > QUICK || Math.abs(received.wall - sent.wall - took) > SET) return undefined
  return sent.wall + took / 2 - (written + HALF)
}
