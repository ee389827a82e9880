// The aggregation operators of Prometheus.

import { entryOf } from '../lib/entry.ts'
import { type Labels, sortedLabels } from '../lib/label-text.ts'
import { inSteps, type Steps } from '../lib/steps.ts'
import type { Grouping } from './expression.ts'
import { groupedLabels, keyBy, type Sample, type Vector } from './sample.ts'

/** The supported operators, and whether they take a parameter. */
export const aggregations: ReadonlyMap<string, boolean> = new Map([
  ['sum', false],
  ['min', false],
  ['max', false],
  ['avg', false],
  ['count', false],
  ['quantile', true],
  ['topk', true],
  ['count_values', true],
])

/** Only some operators use `parameter`. */
export function* aggregated(
  operator: string,
  of: Vector,
  grouping: Grouping,
  parameter: number | string | undefined,
): Steps<Vector> {
  const groups = yield* groupsOf(of, grouping)
  if (operator === 'topk') return groups.flatMap(({ samples }) => greatest(samples, Number(parameter)))
  if (operator === 'count_values') return groups.flatMap((group) => countsOf(group, String(parameter)))
  return groups.map(({ labels, samples }) => ({
    name: '',
    labels,
    value: valueOf(operator, samples, Number(parameter)),
  }))
}

interface Group {
  labels: Labels
  samples: Sample[]
}

function* groupsOf(of: Vector, grouping: Grouping): Steps<Group[]> {
  const groups = new Map<string, Group>()
  const key = keyBy(grouping)
  yield* inSteps(of, (sample) => {
    const { labels } = sample
    entryOf(groups, key(labels), () => ({ labels: groupedLabels(labels, grouping), samples: [] })).samples.push(sample)
  })
  return [...groups.values()]
}

function valueOf(operator: string, samples: readonly Sample[], parameter: number): number {
  const values = samples.map(({ value }) => value)
  switch (operator) {
    case 'count':
      return values.length
    case 'quantile':
      return quantile(parameter, values)
    case 'max':
    case 'min':
      return extreme(values, operator)
    default: {
      const sum = values.reduce((before, value) => before + value, 0)
      return operator === 'sum' ? sum : sum / values.length
    }
  }
}

/** NaN only if all values are NaN. */
export function extreme(values: Iterable<number>, which: 'max' | 'min'): number {
  let found = NaN
  for (const value of values) {
    if (Number.isNaN(found) || (which === 'max' ? value > found : value < found)) found = value
  }
  return found
}

/** Interpolates linearly between the ranks. */
function quantile(q: number, values: readonly number[]): number {
  if (values.length === 0 || Number.isNaN(q)) return NaN
  if (q < 0) return -Infinity
  if (q > 1) return Infinity
  const sorted = values.toSorted(ascending)
  const rank = q * (sorted.length - 1)
  const lower = Math.floor(rank)
  const weight = rank - lower
  return sorted[lower]! * (1 - weight) + sorted[Math.min(lower + 1, sorted.length - 1)]! * weight
}

/** NaN comes first, as in Prometheus. */
function ascending(a: number, b: number): number {
  if (Number.isNaN(a)) return -1
  return Number.isNaN(b) ? 1 : a - b
}

function greatest(samples: readonly Sample[], count: number): Sample[] {
  const rank = ({ value }: Sample) => (Number.isNaN(value) ? Infinity : -value)
  return samples.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, Math.trunc(count)))
}

function countsOf({ labels, samples }: Group, label: string): Sample[] {
  const counts = Map.groupBy(samples, ({ value }) => String(value))
  return [...counts].map(([value, { length }]) => ({
    name: '',
    labels: sortedLabels([...Object.entries(labels).filter(([name]) => name !== label), [label, value]]),
    value: length,
  }))
}
