// The daemon's metrics of its runs. They do not expire: they disappear with their target.

import { type Jump, jumps } from '../lib/clock.ts'
import { ofCondition, ofDaemon, ofDrill, ofNode, ofSubnet, ofRun, ofRuns, type Sample } from './define.ts'
import { requestMetrics } from './request-metrics.ts'

/** Of the last run on a target. */
const runMetrics = {
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
const totalMetrics = {
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

export const conditionMetrics = [
  ofCondition.gauge('stakewatch_condition', {
    help: 'Always 1: the condition is a problem of the object that the other labels name.',
    details:
      'It stays while its inputs are unknown, where its alert does; a problem inside a maintenance window, or that another condition explains, has no series.',
    labels: ['severity'],
  }),
  ofCondition.gauge('stakewatch_condition_value', {
    help: 'What the condition measured when it last was a problem, in the unit that its runbook names.',
  }),
  ofCondition.gauge('stakewatch_condition_detail', {
    help: 'What the alert of the condition says beyond its value: the number of the detail, or 1 with its `text`.',
    labels: ['detail', 'text'],
  }),
  ofCondition.gauge('stakewatch_condition_unknown_since_timestamp_seconds', {
    help: 'Since when the inputs of a condition that is still held as a problem have been unknown.',
  }),
  ofDaemon.gauge('stakewatch_conditions', {
    help: 'Number of objects in each state of the condition, in the network.',
    details:
      'A state without an object has no series, but for `problem`; together they are all objects that the condition judges.',
    labels: ['network', 'condition', 'state'],
  }),
] as const

export const nodeVotes = ofNode.gauge('stakewatch_node_votes', {
  help: 'Whether the reports of the node about validators count: 1 or 0.',
  details: 'A node that is down, of another network, still starting or isolated does not vote.',
})

export const weightOnline = ofSubnet.gauge('stakewatch_l1_weight_online_ratio', {
  help: 'Share of the weight of the L1 that is online, by the node that sees most of it.',
  details: 'Where no node runs its chain, the share that has a balance.',
})

export const daemonMetrics = [
  ...Object.values(runMetrics),
  ...Object.values(totalMetrics),
  ...requestMetrics,
  ...Object.values(ofPoller),
  drillMetric,
  nodeVotes,
  weightOnline,
  ...conditionMetrics,
]

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
    runMetrics.interval.sample(labels, every / 1_000),
    ...runMetrics.success.ifKnown(labels, ok),
    ...runMetrics.lastSuccess.ifKnown(labels, lastSuccess && lastSuccess / 1_000),
    ...runMetrics.staleSince.ifKnown(labels, staleSince && staleSince / 1_000),
  ]
}

/** Of a collector on all its targets. Times in milliseconds. */
export interface RunTotals {
  runs: Record<RunResult, number>
  series: number
  /** Of the slowest last run; undefined until a run has ended. */
  took: number | undefined
  ttl: number
}

export function totalSamples(
  labels: { network: string; collector: string; source: string },
  { runs, series, took, ttl }: RunTotals,
): Sample[] {
  return [
    ...Object.entries(runs).map(([result, count]) => totalMetrics.runs.sample({ ...labels, result }, count)),
    totalMetrics.series.sample(labels, series),
    totalMetrics.ttl.sample(labels, ttl / 1_000),
    ...totalMetrics.duration.ifKnown(labels, took && took / 1_000),
  ]
}

export function noPolling() {
  return { seriesDropped: 0, jumps: { back: 0, forward: 0, pause: 0 } satisfies Record<Jump, number> }
}

export function pollerSamples(state: ReturnType<typeof noPolling>): Sample[] {
  return [
    ofPoller.seriesDropped.sample({}, state.seriesDropped),
    ...jumps.map((direction) => ofPoller.clockJumps.sample({ direction }, state.jumps[direction])),
  ]
}
