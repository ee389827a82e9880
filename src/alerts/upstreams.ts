// Alerts about what stakewatch asks: nodes and services that are away, that refuse, and what it does not get from them.

import { collectors } from '../collectors/index.ts'
import { awayOf, type Group, HOLD, latest, MINUTE, NODES_DOWN } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const least = (metric: string) => `min without (instance, pod, window) (${metric})`

/** The collectors that ask nodes, or one of the services, as a pattern. */
const asking = (service: string) =>
  collectors
    .filter(({ uses }) => uses[0]!.service === service)
    .map(({ name }) => name)
    .join('|')

/** Collectors whose upstream is away: that upstream is the news. */
const excused = [
  // An opinion is missing when its node is away, a fact when all nodes are.
  `stakewatch_collector_interval_seconds{source!=""} and on (job, network, source) ${awayOf()}`,
  `stakewatch_collector_interval_seconds{collector=~"${asking('node')}"} and on (job, network) ${NODES_DOWN}`,
  ...['data', 'metrics'].map(
    (service) =>
      `stakewatch_collector_interval_seconds{collector=~"${asking(service)}"} and on (job, network) ${awayOf(`source="${service}-api"`)}`,
  ),
]

export const upstreams = (limits: Thresholds): Group => ({
  name: 'stakewatch-upstreams',
  rules: [
    {
      alert: 'StakewatchNodesDown',
      severity: 'critical',
      expr: NODES_DOWN,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'No node of the network answers: nobody watches the validators.',
      description:
        'None of the nodes that are configured for {{ $labels.network }} answers stakewatch. What happens to the validators of the network is not seen, and no other alert about them can fire.',
    },
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
) > clamp_min(${limits.collectorIntervals} * ${latest('stakewatch_collector_interval_seconds')}, ${limits.collectorFailing})
  unless on (job, network, collector, source, target) (
    ${excused.join('\n    or ')}
  )`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'A collector of stakewatch has had no success for three of its intervals.',
      description:
        'Collector {{ $labels.collector }} of {{ $labels.network }}/{{ $labels.target }}{{ with $labels.source }} asking {{ . }}{{ end }} has had no success for {{ humanizeDuration $value }}, though what it asks answers. Its series vanish as they get too old, and the alerts that need them fall silent.',
    },
    {
      alert: 'StakewatchBudgetExhausted',
      severity: 'warning',
      expr: `${least('stakewatch_upstream_budget_remaining_units{window="day"}')}
  < ${limits.budgetLeft} * ${least('stakewatch_upstream_budget_units{window="day"}')}
or on (job, network, source)
  sum without (instance, pod, code) (increase(stakewatch_upstream_requests_unsent_total{code="over_budget"}[15m])) > 0`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'The budget of an upstream does not do: stakewatch asks less often than it should.',
      description:
        'The budget of {{ $labels.network }}/{{ $labels.source }} is nearly used up for the day, or requests have found no room in it for half an hour. Collectors that are not essential fail first, and then the others.',
    },
  ],
})
