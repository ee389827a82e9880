// Alerts about stakewatch itself: while one fires, do not trust the others.

import { MINUTE } from '../lib/seconds.ts'
import { type Rule, latest } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Never among the alerts that pages, tables and reports show. */
export const DRILL = 'StakewatchDrill'
/** Fires while Prometheus has loaded the rules. */
export const WATCHDOG = 'StakewatchWatchdog'
/** How many series an instance serves of those that the rules read, itself included. */
export const ALERTING_SERIES = 'stakewatch_alerting_series'
const ORDINAL = 'stakewatch_shard_ordinal'
const SHARDS = 'stakewatch_shards'
/** Number of instances of each shard; more than one means replicas. */
const instances = `count by (job, shard_ordinal) (${ORDINAL})`

/** While it stalls, an instance judges nothing. */
const instance: readonly Rule[] = [
  {
    alert: 'StakewatchSchedulerStalled',
    panel: 'self: Instances of stakewatch',
    severity: 'critical',
    // By instance, as with StakewatchDown: other replicas may be healthy.
    expr: 'stakewatch_scheduler_stalled == 1',
    for: 2 * MINUTE,
    hold: 0,
    title: 'stakewatch has stopped polling',
    summary: 'stakewatch answers but has stopped polling.',
    action: 'Restart stakewatch on {{ $labels.instance }}.',
    description:
      'The scheduler of stakewatch on {{ $labels.instance }} is stuck. It serves no polled data, and no other alert of this instance can fire.',
  },
]

/** Instances and shards that are missing, or too many. */
const deployment = (limits: Thresholds, job: string): readonly Rule[] => [
  {
    alert: 'StakewatchDown',
    panel: 'self: Instances of stakewatch',
    severity: 'critical',
    expr: `up{job="${job}"} == 0
  or changes(process_start_time_seconds{job="${job}"}[15m]) > ${limits.restarts}
  or absent(up{job="${job}"})
  or up{job="${job}"} == 1 unless ignoring (list) ${ALERTING_SERIES}`,
    for: 3 * MINUTE,
    // Resolves as soon as a scrape succeeds: this alert is about gaps.
    hold: 0,
    title: 'stakewatch is down or restarts',
    summary: 'stakewatch is down or keeps restarting: the validators are not monitored.',
    action: 'Start stakewatch, and read the last lines of its log; correct the target if it is another program.',
    description: `{{ if gt $value ${limits.restarts.toFixed(1)} }}stakewatch on {{ $labels.instance }} restarted {{ $value }} times within 15 minutes.{{ else if not $labels.instance }}Prometheus has no target in the job {{ $labels.job }}.{{ else if gt $value 0.0 }}The target {{ $labels.instance }} in the job {{ $labels.job }} answers without the series of stakewatch: it is another program, or they are dropped or renamed on the way.{{ else }}Prometheus cannot scrape stakewatch on {{ $labels.instance }}.{{ end }} Until this is fixed, do not trust any other alert of stakewatch to fire.`,
  },
  {
    alert: 'StakewatchShardMissing',
    panel: 'self: Instances of stakewatch',
    severity: 'critical',
    // Each shard implies the next one. StakewatchDown covers shards that cannot be scraped.
    expr: `count_values by (job) ("shard_ordinal", (${ORDINAL} + 1) % ignoring (shard_ordinal) ${SHARDS})
  unless on (job, shard_ordinal) ${ORDINAL}
  unless on (job) up{job="${job}"} == 0`,
    for: 5 * MINUTE,
    hold: 0,
    title: 'stakewatch lacks shard {{ $labels.shard_ordinal }}',
    summary: 'A shard of stakewatch is missing: its validators, chains and wallets are not monitored.',
    action: 'Start the instance of shard {{ $labels.shard_ordinal }}, or add it to the targets of Prometheus.',
    description:
      'Prometheus scrapes other shards of the job {{ $labels.job }}, but not shard {{ $labels.shard_ordinal }} (counted from 0). No alert about what that shard watches can fire.',
  },
  {
    alert: 'StakewatchShardDuplicated',
    panel: 'self: Instances of stakewatch',
    severity: 'warning',
    // The same number of replicas for each shard is fine. While an instance is down, the counts differ anyway.
    expr: `(
    ${instances} > on (job) group_left () min by (job) (${instances})
    or ${SHARDS} != on (job) group_left () min by (job) (${SHARDS})
  )
  unless on (job) up{job="${job}"} == 0`,
    for: 15 * MINUTE,
    title: 'stakewatch runs a shard twice',
    summary: 'Several instances of stakewatch run the same shard.',
    action: 'Stop the instance that is too many, or give it the ordinal that is free.',
    description:
      '{{ if $labels.shard_ordinal }}Shard {{ $labels.shard_ordinal }} of the job {{ $labels.job }} has {{ $value }} instances, and another shard has fewer.{{ else }}stakewatch on {{ $labels.instance }} is one of {{ $value }} shards, and another instance of the job {{ $labels.job }} is one of fewer.{{ end }} Duplicate instances exceed the budget of an upstream, and other targets may not be monitored at all.',
  },
  {
    alert: WATCHDOG,
    panel: 'fleet: What fires now',
    severity: 'none',
    expr: 'vector(1)',
    for: 0,
    hold: 0,
    title: 'stakewatch watchdog: alerting works',
    summary: 'This alert always fires. If it stops, alerting is broken.',
    action: 'Do nothing while this alert fires; check Prometheus and Alertmanager when it stops.',
    description:
      'Prometheus evaluates the rules of stakewatch and sends alerts to Alertmanager. Have a service outside of your machines call you when this alert stops.',
  },
]

/** Proves that pages arrive. Its labels route it as those of other alerts do, and no condition decides whether it fires. */
const drill: Rule = {
  alert: DRILL,
  panel: 'self: Instances of stakewatch',
  severity: 'own',
  expr: `${latest('stakewatch_drill')} == 1`,
  for: 0,
  hold: 0,
  title: 'stakewatch drill: nothing is wrong',
  summary: 'DRILL: this is a test of your alerting. Nothing is wrong.',
  action: 'Confirm that this page has reached you, and do nothing else.',
  description:
    'DRILL: `stakewatch drill` sent this {{ $labels.severity }} alert to test that pages arrive. Nothing is wrong, and there is nothing to do. It ends with the command, or else by itself: after five minutes, or what `--for` says (15 at most).',
}

export const self = (limits: Thresholds, job: string): readonly Rule[] => [
  ...instance,
  ...deployment(limits, job),
  drill,
]
