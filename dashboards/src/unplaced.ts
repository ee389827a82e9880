// Graphs of the metrics that no panel shows: nothing that is published goes unseen, also before somebody makes a panel.

import { collectors } from '../../src/collectors/index.ts'
import type { Metric } from '../../src/metrics/define.ts'
import { graph } from './panels.ts'
import { ofFleet } from './select.ts'

/** `shown`: everything that has a panel, as it is written to the files. */
export function unplaced(shown: string) {
  return collectors
    .flatMap(({ metrics }) => metrics)
    .filter(({ name }) => !new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(shown))
    .map((metric) =>
      graph({ title: titleOf(metric), description: metric.help, unit: unitOf(metric) }, 12, [lineOf(metric)]),
    )
}

function titleOf({ name }: Metric): string {
  const words = name.replace(/^stakewatch_/, '').replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function unitOf({ name, type }: Metric): string {
  if (type === 'counter') return 'cps'
  if (name.endsWith('_ratio')) return 'percentunit'
  return name.endsWith('_seconds') ? 's' : 'short'
}

/** Of a histogram the mean. */
function lineOf({ name, type, labels }: Metric): readonly [legend: string, expr: string] {
  const by = labels.join(', ')
  const legend = labels.map((label) => `{{${label}}}`).join(' ')
  const { one, perSecond } = ofFleet
  if (type === 'histogram') return [legend, `${perSecond(by, `${name}_sum`)} / ${perSecond(by, `${name}_count`)}`]
  return [legend, type === 'counter' ? perSecond(by, name) : one(by, name)]
}
