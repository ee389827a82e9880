// The range functions of Prometheus. Samples come in runs of equal values.

import { extreme } from './aggregate.ts'
import type { Run } from './sample.ts'

export interface Window {
  /** Milliseconds, both included. */
  from: number
  to: number
}

/** undefined if there are too few samples. */
export type OverTime = (runs: readonly Run[], window: Window) => number | undefined

const valuesOf = (runs: readonly Run[]) => runs.map(({ value }) => value)
const count = (runs: readonly Run[]) => runs.reduce((sum, one) => sum + one.count, 0)
const sum = (runs: readonly Run[]) => runs.reduce((before, one) => before + one.value * one.count, 0)

/** Counts the pairs of successive samples that satisfy a condition. */
function steps(runs: readonly Run[], isStep: (before: number, after: number) => boolean): number {
  return runs.filter(({ value }, at) => at > 0 && isStep(runs[at - 1]!.value, value)).length
}

const isChange = (before: number, after: number) => before !== after && !(Number.isNaN(before) && Number.isNaN(after))

/** The increase, extrapolated to both ends of the window. */
function increase(runs: readonly Run[], { from, to }: Window): number | undefined {
  const samples = count(runs)
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last || samples < 2) return undefined
  const lostAt = (at: number) => (at > 0 && runs[at]!.value < runs[at - 1]!.value ? runs[at - 1]!.value : 0)
  const resets = runs.reduce((lost, _, at) => lost + lostAt(at), 0)
  const change = last.value - first.value + resets
  const sampled = last.last - first.first
  const average = sampled / (samples - 1)
  let toStart = first.first - from
  // A counter cannot have been below 0.
  if (change > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / change))
  const reach = (gap: number) => (gap < average * 1.1 ? gap : average / 2)
  return change * ((sampled + reach(toStart) + reach(to - last.last)) / sampled)
}

export const overTime: ReadonlyMap<string, OverTime> = new Map<string, OverTime>([
  ['increase', increase],
  ['changes', (runs) => steps(runs, isChange)],
  ['resets', (runs) => steps(runs, (before, after) => after < before)],
  ['min_over_time', (runs) => extreme(valuesOf(runs), 'min')],
  ['max_over_time', (runs) => extreme(valuesOf(runs), 'max')],
  ['avg_over_time', (runs) => sum(runs) / count(runs)],
  ['sum_over_time', sum],
  ['last_over_time', (runs) => runs.at(-1)!.value],
])

/** Keeps the metric name, because it returns a sample unchanged. */
export const KEEPS_NAME = 'last_over_time'
