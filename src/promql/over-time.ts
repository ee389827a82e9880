// Functions of ranges, as Prometheus has them. Samples come in runs of equal ones.

import { extreme, quantile } from './aggregate.ts'
import type { Run } from './sample.ts'

export interface Window {
  /** Milliseconds, both included. */
  from: number
  to: number
}

/** undefined where too few samples tell anything. */
export type OverTime = (runs: readonly Run[], window: Window, parameter: number) => number | undefined

const count = (runs: readonly Run[]) => runs.reduce((sum, one) => sum + one.count, 0)
const sum = (runs: readonly Run[]) => runs.reduce((before, one) => before + one.value * one.count, 0)

/** How often one of two samples after each other is so to the other. */
function steps(runs: readonly Run[], isStep: (before: number, after: number) => boolean): number {
  return runs.filter(({ value }, at) => at > 0 && isStep(runs[at - 1]!.value, value)).length
}

const isChange = (before: number, after: number) => before !== after && !(Number.isNaN(before) && Number.isNaN(after))

/** What came on, and what will have until the ends of the window if it goes on like this. */
function extrapolated(runs: readonly Run[], { from, to }: Window, isCounter: boolean): number | undefined {
  const samples = count(runs)
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last || samples < 2) return undefined
  const resets = isCounter
    ? runs.reduce((lost, { value }, at) => lost + (at > 0 && value < runs[at - 1]!.value ? runs[at - 1]!.value : 0), 0)
    : 0
  const change = last.value - first.value + resets
  const sampled = last.last - first.first
  const average = sampled / (samples - 1)
  let toStart = first.first - from
  // A counter cannot have been below 0.
  if (isCounter && change > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / change))
  const reach = (gap: number) => (gap < average * 1.1 ? gap : average / 2)
  return change * ((sampled + reach(toStart) + reach(to - last.last)) / sampled)
}

const perSecond = (change: number | undefined, { from, to }: Window) =>
  change === undefined ? undefined : change / ((to - from) / 1_000)

/** By name. */
export const overTime: ReadonlyMap<string, OverTime> = new Map<string, OverTime>([
  ['increase', (runs, window) => extrapolated(runs, window, true)],
  ['rate', (runs, window) => perSecond(extrapolated(runs, window, true), window)],
  ['delta', (runs, window) => extrapolated(runs, window, false)],
  ['changes', (runs) => steps(runs, isChange)],
  ['resets', (runs) => steps(runs, (before, after) => after < before)],
  [
    'min_over_time',
    (runs) =>
      extreme(
        runs.map(({ value }) => value),
        'min',
      ),
  ],
  [
    'max_over_time',
    (runs) =>
      extreme(
        runs.map(({ value }) => value),
        'max',
      ),
  ],
  ['avg_over_time', (runs) => sum(runs) / count(runs)],
  ['sum_over_time', sum],
  ['count_over_time', count],
  ['last_over_time', (runs) => runs.at(-1)!.value],
  ['present_over_time', () => 1],
  [
    'quantile_over_time',
    (runs, _, q) =>
      quantile(
        q,
        runs.flatMap((one) => Array.from({ length: one.count }, () => one.value)),
      ),
  ],
])

/** Keeps the name of the metric: it gives a sample, and computes nothing. */
export const KEEPS_NAME = 'last_over_time'
