// Evaluates a parsed expression at one instant.

import { entryOf } from '../lib/entry.ts'
import { sortedLabels } from '../lib/label-text.ts'
import type { Steps } from '../lib/steps.ts'
import { aggregated } from './aggregate.ts'
import { combined } from './binary.ts'
import type { Call, Expression, Matcher, Range, Selector, Subquery } from './expression.ts'
import { called } from './functions.ts'
import { KEEPS_NAME, overTime, type Window } from './over-time.ts'
import { keyOf, type Run, type Series, type Vector } from './sample.ts'

/** The source of samples. Times are in milliseconds. */
export interface Samples {
  /** The newest samples of the metric at that time. */
  at: (name: string, time: number) => Vector
  /** The series of the metric within the window. */
  over: (name: string, window: Window) => Steps<readonly Series[]>
}

export type Value = Vector | number | string

/** Pauses within and after each operation. */
export function* evaluate(expression: Expression, time: number, samples: Samples): Steps<Value> {
  const value = yield* valueOf(expression, time, samples)
  yield
  return value
}

function* valueOf(expression: Expression, time: number, samples: Samples): Steps<Value> {
  switch (expression.kind) {
    case 'number':
    case 'string':
      return expression.value
    case 'negative':
      return yield* combined(-1, yield* plain(expression.of, time, samples), TIMES)
    case 'selector':
      return selected(expression, time, samples)
    case 'range':
    case 'subquery':
      throw new Error('a range has no value')
    case 'aggregate': {
      const { operator, parameter, of, grouping } = expression
      const given = parameter && (yield* evaluate(parameter, time, samples))
      const vector = yield* vectorOf(of, time, samples)
      return yield* aggregated(operator, vector, grouping, given as number | string | undefined)
    }
    case 'binary': {
      const left = yield* plain(expression.left, time, samples)
      if (isEmpty(left) && expression.operator !== 'or') return left
      return yield* combined(left, yield* plain(expression.right, time, samples), expression)
    }
    default:
      return yield* calledAt(expression, time, samples)
  }
}

const TIMES = { operator: '*', bool: false, matching: { on: false, labels: [], include: [] } }

/**
 * The other side, often the greater part of a rule, then changes nothing. Unlike in Prometheus, an error in it goes
 * unnoticed.
 */
const isEmpty = (value: Vector | number) => typeof value !== 'number' && value.length === 0

function* plain(expression: Expression, time: number, samples: Samples): Steps<Vector | number> {
  const value = yield* evaluate(expression, time, samples)
  if (typeof value === 'string') throw new Error('a text is no operand')
  return value
}

export function* vectorOf(expression: Expression, time: number, samples: Samples): Steps<Vector> {
  const value = yield* plain(expression, time, samples)
  if (typeof value === 'number') throw new Error('a number is no vector')
  return value
}

function selected({ name, matchers, offset }: Selector, time: number, samples: Samples): Vector {
  const found = samples.at(name, time - offset)
  return matchers.length === 0 ? found : found.filter((one) => fitsAll(one.labels, matchers))
}

function fitsAll(labels: Readonly<Record<string, string>>, matchers: readonly Matcher[]): boolean {
  return matchers.every(({ label, fits }) => fits(labels[label] ?? ''))
}

function* calledAt({ name, args }: Call, time: number, samples: Samples): Steps<Vector | number> {
  const [first] = args
  if (name === 'time') return time / 1_000
  if (name === 'absent') return (yield* vectorOf(first!, time, samples)).length > 0 ? [] : absentOf(first!)
  const compute = overTime.get(name)
  if (!compute) {
    const values: Value[] = []
    for (const arg of args) values.push(yield* evaluate(arg, time, samples))
    return called(name, values)
  }
  const { series, window } = yield* seriesOf(first as Range | Subquery, time, samples)
  return series.flatMap((one) => {
    const value = compute(one.runs, window)
    return value === undefined ? [] : { name: name === KEEPS_NAME ? one.name : '', labels: one.labels, value }
  })
}

/** A sample with the labels that the selector fixes (absent). */
function absentOf(of: Expression): Vector {
  const matchers = of.kind === 'selector' ? of.matchers : []
  const known = matchers.filter(
    ({ label, equal }) => equal !== undefined && matchers.filter((one) => one.label === label).length === 1,
  )
  return [{ name: '', labels: sortedLabels(known.map(({ label, equal }) => [label, equal!])), value: 1 }]
}

function* seriesOf(
  of: Range | Subquery,
  time: number,
  samples: Samples,
): Steps<{ series: readonly Series[]; window: Window }> {
  const { offset } = of.kind === 'range' ? of.selector : of
  const window = { from: time - offset - of.range, to: time - offset }
  if (of.kind === 'subquery') return { series: yield* steppedOf(of, window, samples), window }
  const { name, matchers } = of.selector
  const series = yield* samples.over(name, window)
  return { series: series.filter(({ labels }) => fitsAll(labels, matchers)), window }
}

/** Steps are aligned to multiples of the step, not to the start of the window. */
function* steppedOf({ of, step }: Subquery, { from, to }: Window, samples: Samples): Steps<readonly Series[]> {
  const found = new Map<string, Series & { runs: Run[] }>()
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
    for (const { name, labels, value } of yield* vectorOf(of, time, samples)) {
      const { runs } = entryOf(found, keyOf(labels), () => ({ name, labels, runs: [] }))
      runs.push({ value, first: time, last: time, count: 1 })
    }
  }
  return [...found.values()]
}
