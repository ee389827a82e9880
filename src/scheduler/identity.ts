// What a collector returns becomes whole: the labels that the task fixes are added to those that the collector gave.

import type { Expectation } from '../collectors/define.ts'
import { type BaseError, refusal, refusalReasons } from '../errors.ts'
import type { Sample } from '../metrics/define.ts'
import { renderLabels, seriesOf } from '../metrics/exposition.ts'
import { impossible } from '../metrics/impossible.ts'
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

interface Rest {
  seriesDropped: (count: number) => void
  /** A sample was left out, as it cannot be true. */
  refused: (reason: BaseError) => void
  now: number
}

/**
 * Gives samples exactly the labels of their metric, in its order. Of two samples of one run that are the same series the
 * first stays. What cannot be true is left out.
 */
export function createIdentifier(task: Task, { seriesDropped, refused, now }: Rest) {
  const seen = new Set<string>()
  let disbelieved = 0
  const identify = (sample: Sample): Sample[] => {
    const labels: Record<string, string> = {}
    for (const name of sample.metric.labels) {
      const value = sample.labels[name] ?? task.labels[name]
      if (value === undefined) throw new Error(`${sample.metric.name} lacks the label ${name}`)
      labels[name] = value
    }
    const series = `${sample.metric.name}{${renderLabels(labels)}`
    if (seen.has(series)) return []
    const whole = { ...sample, labels }
    const reason = impossible(whole, now)
    if (reason !== undefined) {
      refused(refusal(reason, `${sample.metric.name} is left out: ${refusalReasons[reason]}`))
      disbelieved += seriesOf(sample)
      return []
    }
    seen.add(series)
    return [whole]
  }
  return (samples: readonly Sample[]): Sample[] => {
    disbelieved = 0
    const kept = samples.flatMap(identify)
    const dropped = seriesIn(samples) - seriesIn(kept) - disbelieved
    if (dropped > 0) seriesDropped(dropped)
    return kept
  }
}
