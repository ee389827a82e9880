// What the runs of a collector have in common on all its targets: how many there were, how long they take, how many series they
// publish.

import { NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { greatest } from '../lib/extremes.ts'
import { type RunResult, totalSamples } from '../metrics/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { FromPoller } from '../metrics/publication.ts'
import type { Task } from './plan.ts'

/** Of the last run on one target. */
interface Last {
  took: number
  series: number
}

interface Total {
  runs: Record<RunResult, number>
  /** Undefined before the first run. */
  lasts: Map<string, Last | undefined>
  series: number
  slowest: number | undefined
}

export function createRunTotals(publish: (message: FromPoller) => void) {
  const totals = new Map<string, Total>()
  const totalOf = (task: Task) => entryOf(totals, keyOf(task), noRuns)
  function say(task: Task, { runs, series, slowest: took }: Total): void {
    const { ttl } = task.settings
    const families = renderFamilies(totalSamples(labelsOf(task), { runs, series, took, ttl }))
    publish({ kind: 'publish', key: keyOf(task), families, expiresAt: NEVER })
  }
  return {
    /** A run of the task was skipped. */
    skipped(task: Task): void {
      const total = totalOf(task)
      if (!total.lasts.has(task.key)) total.lasts.set(task.key, undefined)
      total.runs.skipped += 1
      say(task, total)
    },
    ended(task: Task, result: RunResult, last: Last): void {
      const total = totalOf(task)
      total.runs[result] += 1
      replaceLast(total, task, last)
      say(task, total)
    },
    /** The task replaces one with the same key. */
    replaced: (task: Task): void => say(task, totalOf(task)),
    /** The task is gone. */
    forget(task: Task): void {
      const total = totalOf(task)
      replaceLast(total, task, undefined)
      total.lasts.delete(task.key)
      if (total.lasts.size > 0) return say(task, total)
      totals.delete(keyOf(task))
      return publish({ kind: 'drop', keys: [keyOf(task)] })
    },
  }
}

function noRuns(): Total {
  const runs = { success: 0, failure: 0, skipped: 0, unsupported: 0 }
  return { runs, lasts: new Map(), series: 0, slowest: undefined }
}

function replaceLast(total: Total, { key }: Task, last: Last | undefined): void {
  const before = total.lasts.get(key)
  total.lasts.set(key, last)
  total.series += (last?.series ?? 0) - (before?.series ?? 0)
  const { slowest } = total
  if (last && last.took >= (slowest ?? 0)) total.slowest = last.took
  // Only the slowest can make it fall: otherwise the others need not be read.
  else if (before?.took === slowest) {
    const all = [...total.lasts.values()].flatMap((one) => one?.took ?? [])
    total.slowest = all.length > 0 ? greatest(all) : undefined
  }
}

function labelsOf({ collector, network, labels }: Task) {
  return { network: network.name, collector: collector.name, source: labels['source'] ?? '' }
}

function keyOf(task: Task): string {
  return `runs:${Object.values(labelsOf(task)).join('/')}`
}
