// Expressions over samples given as text: one round a minute, each as a scrape would bring it.

import { evaluate } from '../../src/promql/evaluate.ts'
import { createHistory, reachOf } from '../../src/promql/sample-history.ts'
import { parsePromql } from '../../src/promql/parse.ts'
import { sortedLabels } from '../../src/lib/label-text.ts'
import { finish } from '../../src/lib/steps.ts'
import { labelText, type Sample } from '../../src/promql/sample.ts'

export const MINUTE = 60_000

/** By series such as `x{a="1"}`: its values minute by minute, `_` where it is gone. */
export type Input = Readonly<Record<string, string>>

export function seriesOf(key: string): Pick<Sample, 'name' | 'labels'> {
  const [, name = '', pairs = ''] = /^([\w:]+)(?:\{(.*)\})?$/.exec(key) ?? []
  return {
    name,
    labels: sortedLabels([...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!] as const)),
  }
}

/** What the expression gives at the last minute, in order. */
export function resultOf(expr: string, input: Input): string[] {
  const expression = parsePromql(expr)
  const history = createHistory(reachOf([expression]))
  const series = Object.entries(input).map(([key, values]) => ({ ...seriesOf(key), values: values.split(' ') }))
  const rounds = Math.max(1, ...series.map(({ values }) => values.length))
  for (let at = 0; at < rounds; at += 1) {
    const now = series.flatMap(({ name, labels, values }) => {
      const value = values[at] ?? '_'
      return value === '_' ? [] : { name, labels, value: Number(value) }
    })
    finish(
      history.take(
        at * MINUTE,
        Map.groupBy(now, ({ name }) => name),
      ),
    )
  }
  const result = finish(evaluate(expression, (rounds - 1) * MINUTE, history))
  if (typeof result === 'string' || typeof result === 'number') return [String(result)]
  return result.map((sample) => `${labelText(sample)} ${rounded(sample.value)}`).toSorted()
}

const rounded = (value: number) => Number(value.toPrecision(12))
