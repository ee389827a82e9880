// The daemon's metrics of its runs. They do not expire: they disappear with their target.

import { type Jump, jumps } from '../lib/clock.ts'
import { ofDaemon, ofDrill, ofRun, type Sample } from './define.ts'
import { requestMetrics } from './request-metrics.ts'

/** Of the runs of a collector. */
const runMetrics = {
  success: ofRun.gauge('stakewatch_collector_success', {
    help: 'Whether the last run of the collector succeeded: 1 or 0.',
    details: 'An unsupported target is not a failure.',
  }),
  lastSuccess: ofRun.gauge('stakewatch_collector_last_success_timestamp_seconds', {
    help: 'When the last successful run of the collector ended.',
  }),
  duration: ofRun.gauge('stakewatch_collector_duration_seconds', {
    help: 'How long the last run of the collector took.',
  }),
  runs: ofRun.counter('stakewatch_collector_runs_total', {
    help: 'Runs of the collector by result; skipped runs were due while the previous run was still going on.',
    labels: ['result'],
  }),
  series: ofRun.gauge('stakewatch_collector_series', {
    help: 'Series that the last successful run of the collector published.',
  }),
  interval: ofRun.gauge('stakewatch_collector_interval_seconds', {
    help: 'Time between two runs of the collector.',
    details: 'It is longer than configured while the upstream does not allow all requests.',
  }),
  ttl: ofRun.gauge('stakewatch_collector_ttl_seconds', {
    help: 'How old an answer may become before the series made from it vanish.',
  }),
}

/** Of the poller as a whole. */
const ofPoller = {
  seriesDropped: ofDaemon.counter('stakewatch_series_dropped_total', {
    help: "Series dropped as duplicates within a run or beyond a collector's max_series.",
  }),
  clockJumps: ofDaemon.counter('stakewatch_clock_jumps_total', {
    help: "Clock jumps: the machine's clock was set (back, forward), or everything stood still (pause).",
    details: 'A sleep of the machine can also look like `forward`; everything is polled again after a jump.',
    labels: ['direction'],
  }),
}

export const drillMetric = ofDrill.gauge('stakewatch_drill', {
  help: 'Always 1 while a drill is going on, which tests that pages arrive; nothing is wrong.',
  details: 'Has only the labels that the drill was given; each drill has its own `began`.',
  labels: ['severity', 'began'],
})

export const daemonMetrics = [...Object.values(runMetrics), ...requestMetrics, ...Object.values(ofPoller), drillMetric]

export type RunResult = 'success' | 'failure' | 'skipped' | 'unsupported'

/** State of a collector's runs on one target. Times in milliseconds. */
export interface RunState {
  runs: Record<RunResult, number>
  /** Undefined until the first run has ended. */
  last?: { ok: boolean; took: number }
  lastSuccess?: number
  series: number
}

export function noRuns(): RunState {
  return { runs: { success: 0, failure: 0, skipped: 0, unsupported: 0 }, series: 0 }
}

export function runSamples(
  labels: { network: string; collector: string; source: string; target: string },
  state: RunState,
  settings: { every: number; ttl: number },
): Sample[] {
  const { runs, last, lastSuccess, series } = state
  return [
    ...Object.entries(runs).map(([result, count]) => runMetrics.runs.sample({ ...labels, result }, count)),
    runMetrics.series.sample(labels, series),
    runMetrics.interval.sample(labels, settings.every / 1_000),
    runMetrics.ttl.sample(labels, settings.ttl / 1_000),
    ...runMetrics.success.ifKnown(labels, last?.ok),
    ...runMetrics.duration.ifKnown(labels, last && last.took / 1_000),
    ...runMetrics.lastSuccess.ifKnown(labels, lastSuccess && lastSuccess / 1_000),
  ]
}

export interface PollingState {
  seriesDropped: number
  jumps: Record<Jump, number>
}

export function noPolling(): PollingState {
  return { seriesDropped: 0, jumps: { back: 0, forward: 0, pause: 0 } }
}

export function pollerSamples(state: PollingState): Sample[] {
  return [
    ofPoller.seriesDropped.sample({}, state.seriesDropped),
    ...jumps.map((direction) => ofPoller.clockJumps.sample({ direction }, state.jumps[direction])),
  ]
}
