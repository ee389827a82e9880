// The functions that expressions may call: their arguments, and the implementations for instant values.

import { sortedLabels } from '../lib/label-text.ts'
import { finish } from '../lib/steps.ts'
import { overTime } from './over-time.ts'
import { anchored } from './pattern.ts'
import { proveUnique, type Vector } from './sample.ts'

type Kind = 'vector' | 'range' | 'number' | 'string'
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

function labelReplaced(of: Vector, target: string, replacement: string, source: string, pattern: string): Vector {
  const expression = anchored(pattern)
  const replaced = of.map((sample) => {
    const found = expression.exec(sample.labels[source] ?? '')
    if (!found) return sample
    const labels = { ...sample.labels, [target]: expanded(replacement, found) }
    return { ...sample, labels: sortedLabels(Object.entries(labels)) }
  })
  finish(proveUnique(replaced))
  return replaced
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

const ofRanges = [...overTime.keys()].map((name): [string, PromqlFunction] => [name, { takes: ['range'] }])

export const functions: ReadonlyMap<string, PromqlFunction> = new Map<string, PromqlFunction>([
  ...ofRanges,
  ['absent', { takes: ['vector'] }],
  ['time', { takes: [] }],
  ['abs', { takes: ['vector'], apply: map(Math.abs) }],
  ['round', { takes: ['vector'], apply: map((value) => Math.floor(value + 0.5)) }],
  ['clamp_min', { takes: ['vector', 'number'], apply: map((value, least = 0) => Math.max(least, value)) }],
  ['clamp_max', { takes: ['vector', 'number'], apply: map((value, most = 0) => Math.min(most, value)) }],
  ['vector', { takes: ['number'], apply: (value: number): Vector => [{ name: '', labels: {}, value }] }],
  ['label_replace', { takes: ['vector', 'string', 'string', 'string', 'string'], apply: labelReplaced }],
])

export function called(name: string, args: readonly Value[]): Vector | number {
  const { apply } = functions.get(name)!
  return (apply as (...given: readonly Value[]) => Vector | number)(...args)
}
