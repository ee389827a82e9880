// Alerts about stakewatch itself: while they fire, the others cannot be trusted.

import { type Group, HOLD, latest, MINUTE } from './rule.ts'

/** The scrape job of stakewatch in Prometheus. */
const JOB = 'stakewatch'

/** Of the budget of a day: with less than this the rest of the day is at risk. */
const LEAST_BUDGET = 0.05

const least = (metric: string) => `min without (instance, pod, window) (${metric})`

/** With more starts than this in a quarter of an hour no alert stands for the time that it needs to fire. */
const MOST_RESTARTS = 3

export const self: Group = {
  name: 'stakewatch-self',
  rules: [
    {
      alert: 'StakewatchCollectorFailing',
      severity: 'warning',
      // The time of a success stays true across a restart; without one, what counts is how long stakewatch has tried.
      expr: `time() - (
    max without (instance, pod) (max_over_time(stakewatch_collector_last_success_timestamp_seconds[1d]))
  or
    max without (instance, pod) (
      0 * stakewatch_collector_interval_seconds + on (job, instance) group_left () process_start_time_seconds
    )
) > 3 * ${latest('stakewatch_collector_interval_seconds')}`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'A collector of stakewatch has had no success for three of its intervals.',
      description:
        'Collector {{ $labels.collector }} of {{ $labels.network }}/{{ $labels.target }}{{ with $labels.source }} asking {{ . }}{{ end }} has had no success for {{ humanizeDuration $value }}. Its series vanish as they get too old, and the alerts that need them fall silent.',
    },
    {
      alert: 'StakewatchBudgetExhausted',
      severity: 'warning',
      expr: `${least('stakewatch_upstream_budget_remaining_units{window="day"}')}
  < ${LEAST_BUDGET} * ${least('stakewatch_upstream_budget_units{window="day"}')}
or on (job, network, source)
  sum without (instance, pod, code) (increase(stakewatch_upstream_requests_unsent_total{code="over_budget"}[15m])) > 0`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'The budget of an upstream does not do: stakewatch asks less often than it should.',
      description:
        'The budget of {{ $labels.network }}/{{ $labels.source }} is nearly used up for the day, or requests have found no room in it for half an hour. Collectors that are not essential fail first, and then the others.',
    },
    {
      alert: 'StakewatchSeriesDropped',
      severity: 'warning',
      // Hourly collectors drop hourly.
      expr: `${latest('increase(stakewatch_series_dropped_total[2h])')} > 0`,
      for: 0,
      hold: HOLD,
      summary: 'stakewatch leaves out series of what it watches.',
      description:
        'A collector of stakewatch (job {{ $labels.job }}) has more series than its max_series, or one of them twice: part of what the configuration names, or of a subnet that is watched as a whole, is missing.',
    },
    {
      alert: 'StakewatchSchedulerStalled',
      severity: 'critical',
      // Of each instance, as with StakewatchDown: another replica may be well.
      expr: 'stakewatch_scheduler_stalled == 1',
      for: 2 * MINUTE,
      hold: 0,
      summary: 'stakewatch answers, but polls nothing.',
      description:
        'The scheduler of stakewatch on {{ $labels.instance }} stands still. Nothing that it polled is served any more, so that no other alert of this instance can fire.',
    },
    {
      alert: 'StakewatchStorageFailing',
      severity: 'warning',
      // Each instance has a storage of its own, and they fail one by one.
      expr: 'stakewatch_storage_up == 0',
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'stakewatch cannot keep what it counts: it would be lost with the process.',
      description:
        'stakewatch on {{ $labels.instance }} cannot use the folder of --storage.path. It goes on watching and counting in memory; if it restarts before that is mended, its counters fall back to what was last written.',
    },
    {
      alert: 'StakewatchDown',
      severity: 'critical',
      expr: `up{job="${JOB}"} == 0
  or changes(process_start_time_seconds{job="${JOB}"}[15m]) > ${MOST_RESTARTS}
  or absent(up{job="${JOB}"})`,
      for: 3 * MINUTE,
      // Resolved as soon as it is scraped: nothing of it is lost in a gap, as it is the gap.
      hold: 0,
      summary: 'stakewatch is not there, or does not stay up: nobody watches the validators.',
      description: `{{ if gt $value ${MOST_RESTARTS}.0 }}stakewatch on {{ $labels.instance }} has restarted {{ $value }} times within 15 minutes.{{ else if $labels.instance }}Prometheus cannot scrape stakewatch on {{ $labels.instance }}.{{ else }}Prometheus has no target in the job {{ $labels.job }}.{{ end }} Until that is mended no other alert of stakewatch can be trusted to fire.`,
    },
  ],
}
