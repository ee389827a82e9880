// What a row of the benchmark is, and what is said of several runs.

export interface Row {
  name: string
  target: { most: number } | { least: number }
  /** One figure for each run; their median counts. */
  measure(): Promise<readonly number[]>
}

/** Between two values it lies on the line from one to the other. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

export const isMet = (target: Row['target'], value: number) =>
  'most' in target ? value <= target.most : value >= target.least
