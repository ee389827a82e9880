// Alerts about stakewatch itself: while they fire, the others cannot be trusted.

import { ownClockWrong } from './causes.ts'
import { type Group, HOLD, latest, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const ORDINAL = 'stakewatch_shard_ordinal'
const SHARDS = 'stakewatch_shards'
/** Instances of each shard: more than one where each has replicas. */
const instances = `count by (job, shard_ordinal) (${ORDINAL})`

export const self = (limits: Thresholds, job: string): Group => ({
  name: 'stakewatch-self',
  rules: [
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
      alert: 'StakewatchConfigReloadFailed',
      severity: 'warning',
      // Each instance reads files of its own.
      expr: `stakewatch_config_last_reload_successful == 0
  or on (job, instance, pod) stakewatch_web_config_last_reload_successful == 0`,
      // Whoever mends a mistake at once need not be told of it.
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'stakewatch refuses its configuration, and goes on with the one before.',
      description:
        'The configuration of stakewatch on {{ $labels.instance }}, or its web configuration, was changed and is refused: the one before is still in use, and stakewatch will not start with the new one. Its log and stakewatch check name each error.',
    },
    {
      alert: 'StakewatchClockWrong',
      severity: 'warning',
      // Each instance has a clock of its own.
      expr: ownClockWrong(limits),
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The clock of the machine that runs stakewatch is wrong.',
      description:
        'The clock of stakewatch on {{ $labels.instance }} differs by {{ humanizeDuration $value }} from those of most upstreams; it is fast, or slow where the difference is negative. Until it is set, stakewatch goes by the time of the upstreams.',
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
      expr: `up{job="${job}"} == 0
  or changes(process_start_time_seconds{job="${job}"}[15m]) > ${limits.restarts}
  or absent(up{job="${job}"})`,
      for: 3 * MINUTE,
      // Resolved as soon as it is scraped: nothing of it is lost in a gap, as it is the gap.
      hold: 0,
      summary: 'stakewatch is not there, or does not stay up: nobody watches the validators.',
      description: `{{ if gt $value ${limits.restarts.toFixed(1)} }}stakewatch on {{ $labels.instance }} has restarted {{ $value }} times within 15 minutes.{{ else if $labels.instance }}Prometheus cannot scrape stakewatch on {{ $labels.instance }}.{{ else }}Prometheus has no target in the job {{ $labels.job }}.{{ end }} Until that is mended no other alert of stakewatch can be trusted to fire.`,
    },
    {
      alert: 'StakewatchShardMissing',
      severity: 'critical',
      // Each shard knows which one comes after it. One that cannot be scraped is the news of StakewatchDown.
      expr: `count_values by (job) ("shard_ordinal", (${ORDINAL} + 1) % ignoring (shard_ordinal) ${SHARDS})
  unless on (job, shard_ordinal) ${ORDINAL}
  unless on (job) up{job="${job}"} == 0`,
      for: 5 * MINUTE,
      hold: 0,
      summary: 'A shard of stakewatch is not there: nobody watches its part of the validators, chains and wallets.',
      description:
        'Prometheus scrapes other shards of the job {{ $labels.job }}, but none that is shard {{ $labels.shard_ordinal }}, counted from 0. What falls to that shard is not seen, and no alert about it can fire.',
    },
    {
      alert: 'StakewatchShardDuplicated',
      severity: 'warning',
      // As many replicas of each shard are none too many. One that is down leaves the others too many.
      expr: `(
    ${instances} > on (job) group_left () min by (job) (${instances})
    or ${SHARDS} != on (job) group_left () min by (job) (${SHARDS})
  )
  unless on (job) up{job="${job}"} == 0`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'Instances of stakewatch watch the same things: the shards are not divided as they should be.',
      description:
        '{{ if $labels.shard_ordinal }}Shard {{ $labels.shard_ordinal }} of the job {{ $labels.job }} is run by {{ $value }} instances, and another shard by fewer.{{ else }}stakewatch on {{ $labels.instance }} is one of {{ $value }} shards, and another instance of the job {{ $labels.job }} is one of fewer.{{ end }} What both watch is asked for twice, beyond the budget of an upstream, and something else may not be watched at all.',
    },
    {
      alert: 'StakewatchWatchdog',
      severity: 'none',
      expr: 'vector(1)',
      for: 0,
      hold: 0,
      summary: 'This alert always fires. When it stops, alerts no longer reach anybody.',
      description:
        'Prometheus evaluates the rules of stakewatch, and Alertmanager hears of it. A service outside of your machines should call you when this stops.',
    },
  ],
})
