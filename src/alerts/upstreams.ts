// Alerts about upstreams: outages, rejected requests, stale data and failing collectors.

import { collectorFailing } from '../conditions/collectors.ts'
import { answersRefused, dataStale } from '../conditions/services.ts'
import {
  FOREIGN,
  isolated,
  NODES,
  overBudget,
  ownNodes,
  rateLimited,
  refusing,
  unanswered,
  upstreamClockWrong,
} from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { UNHEALTHY } from './health.ts'
import { unsteady } from './node-life.ts'
import { across, type Group, type Rule, MINUTE, NODES_DOWN, SERVICES } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up:max'
const least = (metric: string) => across('min', metric, 'window')

/** Upstreams that are down. */
const outages = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchNodesDown',
    panel: 'self: Upstreams',
    severity: 'critical',
    // A node without peers sees no validator. If one of the nodes is a tracked validator, its own page covers this.
    expr: `${NODES_DOWN}
  or count by (job, network) (${UP}{${NODES}} == 1)
    == count by (job, network) (${UP}{${NODES}} == 1 and on (job, network, source) ${isolated(limits)} unless on (job, network, source) ${FOREIGN})
    unless on (job, network) (${UNHEALTHY} and on (job, network, source) ${ownNodes()})`,
    for: 5 * MINUTE,
    quietFor: 'nodes',
    summary: 'No node of the network is usable: stakewatch cannot see the validators.',
    description:
      'Every node configured for {{ $labels.network }} is unreachable or has lost its peers. stakewatch cannot see the validators of the network, and no other alert about them can fire.',
  },
  {
    alert: 'StakewatchUpstreamDown',
    panel: 'self: Upstreams',
    severity: 'warning',
    // The rules below cover upstreams that reject or rate limit us.
    expr: `(
    ${UP}{${NODES}} == 0 unless on (job, network) ${NODES_DOWN}
    or ${UP}{source=~"${SERVICES}"} == 0
  )
  unless on (job, network, source) (${refusing()} or ${rateLimited(limits)})`,
    for: 15 * MINUTE,
    quietFor: 'node',
    summary: 'A node, the data service or the metrics service is down.',
    description:
      '{{ $labels.source }} on {{ $labels.network }} has not answered stakewatch for 15 minutes. Everything that only it reports is missing.',
  },
]

/** Upstreams that reject requests, or whose answers stakewatch rejects. */
const refusals = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchCredentialsRejected',
    panel: 'self: Not asked',
    severity: 'warning',
    expr: refusing(),
    for: 5 * MINUTE,
    summary: 'A service refuses access to stakewatch.',
    description:
      '{{ $labels.source }} on {{ $labels.network }} answers with HTTP 401 or 403: the configured key is wrong, or it wants one and none is configured. Correct the key; until then stakewatch sends one request every ten minutes.',
  },
  {
    alert: 'StakewatchRateLimited',
    panel: 'self: Requests that were too many',
    severity: 'warning',
    expr: `${rateLimited(limits)}
  unless on (job, network, source) (${UP}{${NODES}} and on (job, network) ${NODES_DOWN})`,
    for: 5 * MINUTE,
    summary: 'An upstream is rate limiting stakewatch (HTTP 429).',
    description:
      '{{ $labels.source }} on {{ $labels.network }} answers {{ humanizePercentage $value }} of the requests with HTTP 429. stakewatch sends fewer requests, so some data is late or missing.',
  },
  ruleOf(answersRefused),
]

/** Upstream clocks and request budgets. */
const clocks = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchUpstreamClockWrong',
    panel: 'self: Clock ahead of upstreams',
    severity: 'warning',
    expr: upstreamClockWrong(limits),
    for: 5 * MINUTE,
    summary: 'The clock of an upstream is wrong.',
    description:
      'The clock of {{ $labels.source }} on {{ $labels.network }} is off by {{ humanizeDuration $value }} (positive: fast, negative: slow), while most upstreams agree with the clock of stakewatch. A node with a wrong clock may reject blocks and lose uptime.',
  },
  {
    alert: 'StakewatchBudgetExhausted',
    panel: 'self: API budget left',
    severity: 'warning',
    // After HTTP 429, the budget per minute is reduced for a while; StakewatchRateLimited covers that.
    // By instance: shards have budgets of different sizes.
    expr: `${least('stakewatch_upstream_budget_remaining_units{window="day"} / stakewatch_upstream_budget_units{window="day"}')} < ${limits.budgetLeft}
or on (job, network, source) (
  ${overBudget()}
  unless on (job, network, source) (${unanswered()} or ${rateLimited(limits)})
)`,
    for: 15 * MINUTE,
    summary: 'The request budget of an upstream is too small: data is late.',
    description:
      'The request budget of {{ $labels.network }}/{{ $labels.source }} is nearly used up for today, or requests have been over budget for half an hour. Less important collectors fail first; wallets and validators continue until their reserve is used up.',
  },
]

export const upstreams = (limits: Thresholds): Group => ({
  name: 'stakewatch-upstreams',
  rules: [
    ...outages(limits),
    ...unsteady,
    ...refusals(limits),
    ruleOf(dataStale),
    ruleOf(collectorFailing),
    ...clocks(limits),
  ],
})
