// The binary operators of Prometheus: between numbers, between a vector and a number, and between two vectors.

import { type Labels, sortedLabels } from '../lib/label-text.ts'
import { inSteps, type Steps } from '../lib/steps.ts'
import type { Matching } from './expression.ts'
import { groupedLabels, keyBy, keyOf, labelText, type Sample, type Vector } from './sample.ts'

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  // In Go, 1 to the power of anything is 1, even of NaN.
  '^': (a, b) => (a === 1 ? 1 : a ** b),
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

const sets = ['and', 'or', 'unless']

export const operators: ReadonlySet<string> = new Set([
  ...Object.keys(arithmetic),
  ...Object.keys(comparisons),
  ...sets,
])

export interface Operation {
  operator: string
  bool: boolean
  matching: Matching
}

export function* combined(left: Vector | number, right: Vector | number, operation: Operation): Steps<Vector | number> {
  const { operator, bool } = operation
  if (typeof left === 'number' && typeof right === 'number') return result(operator, true, left, right)!
  if (typeof left !== 'number' && typeof right !== 'number') {
    return yield* sets.includes(operator) ? setOf(left, right, operation) : matched(left, right, operation)
  }
  const vector = (typeof left === 'number' ? right : left) as Vector
  return vector.flatMap((sample) => {
    const [a, b] = typeof left === 'number' ? [left, sample.value] : [sample.value, right as number]
    const value = result(operator, bool, a, b, sample.value)
    if (value === undefined) return []
    return { name: operator in comparisons && !bool ? sample.name : '', labels: sample.labels, value }
  })
}

/** With `bool` 1 or 0 for a comparison, else `kept` where it is true. */
function result(operator: string, bool: boolean, a: number, b: number, kept = a): number | undefined {
  const compute = arithmetic[operator]
  if (compute) return compute(a, b)
  const compare = comparisons[operator]
  if (!compare) throw new Error(`${operator} is between vectors`)
  if (bool) return compare(a, b) ? 1 : 0
  return compare(a, b) ? kept : undefined
}

const keyFor = ({ on, labels }: Matching) => keyBy({ keep: on, labels })

function* setOf(left: Vector, right: Vector, { operator, matching }: Operation): Steps<Vector> {
  const key = keyFor(matching)
  const isUnion = operator === 'or'
  const [others, asked] = isUnion ? [left, right] : [right, left]
  const known = new Set<string>()
  yield* inSteps(others, ({ labels }) => known.add(key(labels)))
  const kept: Sample[] = isUnion ? [...left] : []
  yield* inSteps(asked, (sample) => {
    if (known.has(key(sample.labels)) === (operator === 'and')) kept.push(sample)
  })
  return kept
}

function* matched(left: Vector, right: Vector, operation: Operation): Steps<Vector> {
  const { operator, bool, matching } = operation
  const isSwapped = matching.many === 'right'
  const [many, one] = isSwapped ? [right, left] : [left, right]
  const key = keyFor(matching)
  const ones = yield* onesByKey(one, key)
  const made = new Set<string>()
  const found: Sample[] = []
  yield* inSteps(many, (sample) => {
    const group = key(sample.labels)
    const other = ones.get(group)
    if (!other) return
    const [a, b] = isSwapped ? [other.value, sample.value] : [sample.value, other.value]
    const value = result(operator, bool, a, b)
    if (value === undefined) return
    const labels = labelsOf(sample, other, matching)
    const unique = matching.many ? keyOf(labels) : group
    if (made.has(unique)) throw new Error(`several samples match the group of ${labelText(sample)}`)
    made.add(unique)
    const isKept = operator in comparisons && !bool && (matching.many !== undefined || !matching.on)
    found.push({ name: isKept ? sample.name : '', labels, value })
  })
  return found
}

/** The side that has one sample for each group. */
function* onesByKey(vector: Vector, key: (labels: Labels) => string): Steps<Map<string, Sample>> {
  const ones = new Map<string, Sample>()
  yield* inSteps(vector, (sample) => {
    const group = key(sample.labels)
    if (ones.has(group)) throw new Error(`found duplicate series for the match group of ${labelText(sample)}`)
    ones.set(group, sample)
  })
  return ones
}

function labelsOf(sample: Sample, other: Sample, { on, labels: names, many, include }: Matching): Labels {
  if (!many) return groupedLabels(sample.labels, { keep: on, labels: names })
  if (include.length === 0) return sample.labels
  const kept = Object.entries(sample.labels).filter(([name]) => !include.includes(name))
  return sortedLabels([...kept, ...include.map((name) => [name, other.labels[name] ?? ''] as const)])
}
