// What is said of several runs.

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Between two values it lies on the line from one to the other. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

/** How the work grows with its size: 1 when twice the size takes twice as much. */
export function exponent(small: { size: number; value: number }, large: { size: number; value: number }): number {
  return Math.log(large.value / small.value) / Math.log(large.size / small.size)
}
