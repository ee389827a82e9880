// What runs say: of each target how its last run ended, and of all targets of a collector how many runs there were, how long they
// take, how many series they publish.

import { NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { greatest } from '../lib/statistics.ts'
import { ofRun, ofRuns, type Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { FromPoller } from '../metrics/publication.ts'
import type { Task } from '../scheduler/plan.ts'

/** Of the last run on a target. */
const ofLast = {
  success: ofRun.gauge('stakewatch_collector_success', {
    help: 'Whether the last run of the collector succeeded: 1 or 0.',
    details: 'An unsupported target is not a failure.',
  }),
  lastSuccess: ofRun.gauge('stakewatch_collector_last_success_timestamp_seconds', {
    help: 'When the last successful run of the collector ended.',
  }),
  staleSince: ofRun.gauge('stakewatch_collector_stale_since_timestamp_seconds', {
    help: 'Since when the answers that the collector gets have been older than one that it has seen; absent while they are not.',
  }),
  interval: ofRun.gauge('stakewatch_collector_interval_seconds', {
    help: 'Time between two runs of the collector.',
    details: 'It is longer than configured while the upstream does not allow all requests.',
  }),
}

/** Of the runs on all targets. */
const ofAll = {
  runs: ofRuns.counter('stakewatch_collector_runs_total', {
    help: 'Runs of the collector by result; skipped runs were due while the previous run was still going on.',
    labels: ['result'],
  }),
  duration: ofRuns.gauge('stakewatch_collector_duration_seconds', {
    help: 'How long the last run of the collector took on the slowest of its targets.',
  }),
  series: ofRuns.gauge('stakewatch_collector_series', {
    help: 'Series that the last successful runs of the collector published.',
  }),
  ttl: ofRuns.gauge('stakewatch_collector_ttl_seconds', {
    help: 'How old an answer may become before the series made from it vanish.',
  }),
}

export const runMetrics = [...Object.values(ofLast), ...Object.values(ofAll)]

export type RunResult = 'success' | 'failure' | 'skipped' | 'unsupported'

/** Of a collector on one target. Times in milliseconds. */
export interface RunState {
  /** Undefined until the first run has ended. */
  ok?: boolean
  lastSuccess?: number
  /** Since when its answers have been older than one before them. */
  staleSince?: number | undefined
}

export function runSamples(
  labels: { network: string; collector: string; source: string; target: string },
  { ok, lastSuccess, staleSince }: RunState,
  every: number,
): Sample[] {
  return [
    ofLast.interval.sample(labels, every / 1_000),
    ...ofLast.success.ifKnown(labels, ok),
    ...ofLast.lastSuccess.ifKnown(labels, lastSuccess && lastSuccess / 1_000),
    ...ofLast.staleSince.ifKnown(labels, staleSince && staleSince / 1_000),
  ]
}

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
    const labels = labelsOf(task)
    const samples = [
      ...Object.entries(runs).map(([result, count]) => ofAll.runs.sample({ ...labels, result }, count)),
      ofAll.series.sample(labels, series),
      ofAll.ttl.sample(labels, task.settings.ttl / 1_000),
      ...ofAll.duration.ifKnown(labels, took && took / 1_000),
    ]
    publish({ kind: 'publish', key: keyOf(task), families: renderFamilies(samples), expiresAt: NEVER })
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
