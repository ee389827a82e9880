// What a condition remembers of a number: its changes within a span of time.

/** Times in seconds with the value from then on, one after the other; NaN while it was not known. */
export type Track = number[]

/** Notes the current value, and forgets what is too old. */
export function note(track: Track, now: number, value: number | undefined, span: number): void {
  // A clock that was set back: what was noted later than now is not the past.
  while (track.length > 0 && track.at(-2)! > now) track.length -= 2
  const next = value ?? NaN
  if (!Object.is(track.at(-1), next)) track.push(now, next)
  let first = 0
  while (first + 2 < track.length && track[first + 2]! <= now - span) first += 2
  if (first > 0) track.splice(0, first)
}

/** The stretches of known values within the last seconds. */
export function* stretches(track: Track, now: number, span: number) {
  for (let at = 0; at < track.length; at += 2) {
    const [from, value] = [Math.max(track[at]!, now - span), track[at + 1]!]
    const to = track[at + 2] ?? now
    if ((to <= now - span && to < now) || Number.isNaN(value)) continue
    yield { value, seconds: to - from }
  }
}

/** The greatest value within the last seconds; undefined if none was known. */
export function greatest(track: Track, now: number, span: number): number | undefined {
  let most: number | undefined
  for (const { value } of stretches(track, now, span)) if (most === undefined || value > most) most = value
  return most
}

/** The mean over the time in which it was known; undefined before any time has passed. */
export function mean(track: Track, now: number, span: number): number | undefined {
  let [sum, time] = [0, 0]
  for (const { value, seconds } of stretches(track, now, span)) {
    sum += value * seconds
    time += seconds
  }
  return time === 0 ? undefined : sum / time
}

/** How often it became smaller within the last seconds. */
export function falls(track: Track, now: number, span: number): number {
  let count = 0
  let before: number | undefined
  for (let at = 0; at < track.length; at += 2) {
    const value = track[at + 1]!
    if (Number.isNaN(value)) continue
    if (before !== undefined && value < before && track[at]! > now - span) count += 1
    before = value
  }
  return count
}

/** How much a counter has grown within the last seconds; it starts over at 0. Undefined if it was never known. */
export function growth(track: Track, now: number, span: number): number | undefined {
  let sum: number | undefined
  let before: number | undefined
  for (let at = 0; at < track.length; at += 2) {
    const value = track[at + 1]!
    if (Number.isNaN(value)) continue
    if (before !== undefined && track[at]! > now - span) sum = (sum ?? 0) + (value < before ? value : value - before)
    sum ??= 0
    before = value
  }
  return sum
}

/** The last known value within the last seconds. */
export function latestKnown(track: Track, now: number, span: number): number | undefined {
  let last: number | undefined
  for (const { value } of stretches(track, now, span)) last = value
  return last
}

/** The value that it had this many seconds ago; undefined if it was not known then. */
export function valueAgo(track: Track, now: number, span: number): number | undefined {
  let found: number | undefined
  for (let at = 0; at < track.length && track[at]! <= now - span; at += 2) found = track[at + 1]
  return found === undefined || Number.isNaN(found) ? undefined : found
}

/** When the first known value that is remembered began; undefined if none was known. */
export function knownSince(track: Track): number | undefined {
  const at = track.findIndex((value, index) => index % 2 === 1 && !Number.isNaN(value))
  return at < 0 ? undefined : track[at - 1]
}

/** Since when it has had its current value; undefined before it was ever noted. */
export const changedAt = (track: Track): number | undefined => track.at(-2)
