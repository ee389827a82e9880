// What a collector returns becomes whole: the labels that the task fixes are added to those that the collector gave.

import type { Expectation } from '../collectors/define.ts'
import type { Sample } from '../metrics/define.ts'
import { renderLabels } from '../metrics/exposition.ts'
import type { ExpectationRow } from '../metrics/snapshot.ts'
import { seriesIn } from './cap.ts'
import type { Task } from './plan.ts'

/** Plain data, with the whole identity of what was judged. */
export function rowsOf(task: Task, expectations: readonly Expectation[]): ExpectationRow[] {
  return expectations.map(({ metric, labels, ...judged }) => {
    const names = metric.labels.filter((name) => name !== 'expectation')
    const whole = names.map((name): [string, string] => [name, labels[name] ?? task.labels[name]!])
    return { labels: Object.fromEntries(whole), ...judged }
  })
}

/**
 * Gives samples exactly the labels of their metric, in its order. Of two samples of one run that are the same series the
 * first stays.
 */
export function createIdentifier(task: Task, seriesDropped: (count: number) => void) {
  const seen = new Set<string>()
  const identify = (sample: Sample): Sample[] => {
    const labels: Record<string, string> = {}
    for (const name of sample.metric.labels) {
      const value = sample.labels[name] ?? task.labels[name]
      if (value === undefined) throw new Error(`${sample.metric.name} lacks the label ${name}`)
      labels[name] = value
    }
    const series = `${sample.metric.name}{${renderLabels(labels)}`
    if (seen.has(series)) return []
    seen.add(series)
    return [{ ...sample, labels }]
  }
  return (samples: readonly Sample[]): Sample[] => {
    const kept = samples.flatMap(identify)
    const dropped = seriesIn(samples) - seriesIn(kept)
    if (dropped > 0) seriesDropped(dropped)
    return kept
  }
}
