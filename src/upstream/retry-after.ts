// Reads how long an upstream asks us to wait.

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
export function dateOf(text: string): number {
  return /^[A-Z][a-z]+,? .*\d GMT$/.test(text) ? Date.parse(text) : NaN
}
