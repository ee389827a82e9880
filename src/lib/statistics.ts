// The middle and the extremes of a list.

/** For an even count, the mean of the two middle values, as in Prometheus. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

// The extremes of lists of any length: a call takes some hundred thousand arguments at most, and fails beyond.

/** At least `from`. */
export const greatest = (values: readonly number[], from = -Infinity): number =>
  values.reduce((most, one) => Math.max(most, one), from)

/** At most `from`. */
export const least = (values: readonly number[], from = Infinity): number =>
  values.reduce((fewest, one) => Math.min(fewest, one), from)
