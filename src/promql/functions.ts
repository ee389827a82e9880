// The functions that expressions may call: their arguments, and the implementations for instant values.

import { sortedLabels } from '../lib/label-text.ts'
import { overTime } from './over-time.ts'
import { anchored } from './pattern.ts'
import { proveUnique, type Vector } from './sample.ts'

/** `...`: one or more of them. */
type Kind = 'vector' | 'range' | 'number' | 'string' | 'string...'
type Value = Vector | number | string

interface PromqlFunction {
  takes: readonly Kind[]
  /** For instant values; the evaluator implements the other functions. */
  apply?: (...args: never[]) => Vector | number
}

const map =
  (change: (value: number, ...limits: number[]) => number) =>
  (of: Vector, ...limits: number[]) =>
    of.map(({ labels, value }) => ({ name: '', labels, value: change(value, ...limits) }))

const round = (value: number, to = 1) => Math.floor(value * (1 / to) + 0.5) / (1 / to)

function labelReplaced(of: Vector, target: string, replacement: string, source: string, pattern: string): Vector {
  const expression = anchored(pattern)
  return proveUnique(
    of.map((sample) => {
      const found = expression.exec(sample.labels[source] ?? '')
      if (!found) return sample
      return { ...sample, labels: sortedLabels(withLabel(sample.labels, target, expanded(replacement, found))) }
    }),
  )
}

/** `$1`, `${1}` and `${name}` are groups of the pattern; `$$` is a dollar. */
function expanded(replacement: string, found: RegExpExecArray): string {
  return replacement.replaceAll(
    /\$(?:(\$)|(\w+)|\{(\w+)\})/g,
    (_, dollar?: string, plain?: string, braced?: string) => {
      if (dollar) return '$'
      const name = plain ?? braced ?? ''
      return (/^\d+$/.test(name) ? found[Number(name)] : found.groups?.[name]) ?? ''
    },
  )
}

function labelJoined(of: Vector, target: string, separator: string, ...sources: string[]): Vector {
  return proveUnique(
    of.map((sample) => {
      const joined = sources.map((name) => sample.labels[name] ?? '').join(separator)
      return { ...sample, labels: sortedLabels(withLabel(sample.labels, target, joined)) }
    }),
  )
}

const withLabel = (labels: Readonly<Record<string, string>>, name: string, value: string) =>
  Object.entries({ ...labels, [name]: value })

const ofRanges = [...overTime.keys()].map((name): [string, PromqlFunction] => [
  name,
  { takes: name === 'quantile_over_time' ? ['number', 'range'] : ['range'] },
])

export const functions: ReadonlyMap<string, PromqlFunction> = new Map<string, PromqlFunction>([
  ...ofRanges,
  ['absent_over_time', { takes: ['range'] }],
  ['absent', { takes: ['vector'] }],
  ['timestamp', { takes: ['vector'] }],
  ['time', { takes: [] }],
  ['abs', { takes: ['vector'], apply: map(Math.abs) }],
  ['ceil', { takes: ['vector'], apply: map(Math.ceil) }],
  ['floor', { takes: ['vector'], apply: map(Math.floor) }],
  ['sgn', { takes: ['vector'], apply: map(Math.sign) }],
  ['round', { takes: ['vector'], apply: map((value) => round(value)) }],
  ['clamp_min', { takes: ['vector', 'number'], apply: map((value, least = 0) => Math.max(least, value)) }],
  ['clamp_max', { takes: ['vector', 'number'], apply: map((value, most = 0) => Math.min(most, value)) }],
  ['clamp', { takes: ['vector', 'number', 'number'], apply: clamped }],
  ['vector', { takes: ['number'], apply: (value: number): Vector => [{ name: '', labels: {}, value }] }],
  ['scalar', { takes: ['vector'], apply: (of: Vector) => (of.length === 1 ? of[0]!.value : NaN) }],
  ['label_replace', { takes: ['vector', 'string', 'string', 'string', 'string'], apply: labelReplaced }],
  ['label_join', { takes: ['vector', 'string', 'string', 'string...'], apply: labelJoined }],
])

function clamped(of: Vector, least: number, most: number): Vector {
  if (least > most) return []
  return map((value) => Math.max(least, Math.min(most, value)))(of)
}

export function called(name: string, args: readonly Value[]): Vector | number {
  const { apply } = functions.get(name)!
  return (apply as (...given: readonly Value[]) => Vector | number)(...args)
}
