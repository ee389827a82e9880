// How long an upstream wants to be left alone.

/** Nobody means more (milliseconds): a monitor that is silent for longer is of no use. */
const LONGEST = 3_600_000

/** A node has no quota that takes an hour to fill, and nobody else tells what it sees: a proxy before it counts by the minute. */
export const LONGEST_OF_NODES = 60_000

/** Milliseconds, from a number of seconds or a date. Undefined when there is nothing that can be read. */
export function waitFor(retryAfter: string | string[] | undefined, now: number, longest = LONGEST): number | undefined {
  if (typeof retryAfter !== 'string' || retryAfter.trim() === '') return undefined
  const seconds = Number(retryAfter)
  if (seconds < 0) return undefined
  const wanted = Number.isNaN(seconds) ? dateOf(retryAfter) - now : seconds * 1_000
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, 0), longest)
}

/** The platform reads much as a date that is none: one of HTTP begins with its weekday and ends in GMT. */
export function dateOf(text: string): number {
  return /^[A-Z][a-z]+,? .*\d GMT$/.test(text) ? Date.parse(text) : NaN
}
