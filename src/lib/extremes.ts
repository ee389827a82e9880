// The extremes of lists of any length: a call takes some hundred thousand arguments at most, and fails beyond.

/** At least `from`. */
export const greatest = (values: readonly number[], from = -Infinity): number =>
  values.reduce((most, one) => Math.max(most, one), from)

/** At most `from`. */
export const least = (values: readonly number[], from = Infinity): number =>
  values.reduce((fewest, one) => Math.min(fewest, one), from)
