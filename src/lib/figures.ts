// Numbers, times and names as text for people. A missing value reads "unknown".

export const UNKNOWN = 'unknown'

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Two units at most: `3 d 4 h`, `45 s`. It drops the sign. */
export function durationText(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds))
  const at = units.findIndex(([, size]) => whole >= size)
  if (at < 0) return '0 s'
  const [unit, size] = units[at]!
  const [smaller, less] = units[at + 1] ?? ['', Infinity]
  const rest = Math.floor((whole % size) / less)
  const first = `${Math.floor(whole / size)} ${unit}`
  return rest > 0 ? `${first} ${rest} ${smaller}` : first
}

/** `3 h ago`, `in 5 min`; within a second either way it is now. */
export function relative(timestamp: number | null, now: number): string {
  if (timestamp === null) return UNKNOWN
  if (Math.abs(timestamp - now) < 1) return 'now'
  return timestamp > now ? `in ${durationText(timestamp - now)}` : `${durationText(now - timestamp)} ago`
}

/** Rounded down, so that 99.9 percent does not show as 100. */
export function percent(ratio: number | null, digits = 0): string {
  if (ratio === null) return UNKNOWN
  const size = 10 ** digits
  // Rounding to six more places first removes the error of the floating point number.
  const whole = Math.floor(Math.round(ratio * 100 * size * 1e6) / 1e6)
  return `${(whole / size).toFixed(digits)}%`
}

/** `1,234.5`: two decimal places, or three significant digits below 1, rounded down as a balance just below its minimum is. */
export function amount(value: number | null): string {
  if (value === null) return UNKNOWN
  return value.toLocaleString(
    'en-US',
    Math.abs(value) < 1
      ? { maximumSignificantDigits: 3, roundingMode: 'trunc' }
      : { maximumFractionDigits: 2, roundingMode: 'trunc' },
  )
}

export function yesOrNo(flag: boolean | null): string {
  if (flag === null) return UNKNOWN
  return flag ? 'yes' : 'no'
}

/** `2026-06-01 12:30 UTC`. */
export function timeText(timestamp: number | null): string {
  if (timestamp === null) return UNKNOWN
  const date = new Date(timestamp * 1_000)
  return Number.isNaN(date.getTime()) ? UNKNOWN : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `a, b and c`, or `a, b, c, d and 3 more`. */
export function listed(names: readonly string[], most = 4): string {
  const shown = names.slice(0, most)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join('')
}
