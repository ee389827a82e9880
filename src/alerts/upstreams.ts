// Alerts about upstreams: outages, rejected requests, stale data and failing collectors.

import { collectorsByService } from './collectors-by-service.ts'
import {
  DATA_SERVICE,
  FOREIGN,
  isolated,
  limitedWithin,
  METRICS_SERVICE,
  NODES,
  ofNode,
  overBudget,
  ownNodes,
  rateLimited,
  refused,
  refusing,
  unanswered,
  UNSTEADY,
  UNSTEADY_NODES,
  upstreamClockWrong,
  wasAway,
} from './causes.ts'
import { BEHIND, primaryAge, THRESHOLD } from './heads.ts'
import { UNHEALTHY } from './health.ts'
import { unsteady } from './node-life.ts'
import { ALL_NODES_IN } from './quiet.ts'
import { across, type Group, type Rule, lastAsked, latest, MINUTE, NODES_DOWN, SERVICES } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up:max'
const INTERVAL = 'stakewatch_collector_interval_seconds'
const least = (metric: string) => across('min', metric, 'window')

/** The collectors that query nodes or one of the services, as a pattern. */
const askingAs = (service: keyof typeof collectorsByService) => collectorsByService[service].join('|')

/** Nodes that are unavailable or unhealthy, so that their reports are missing. */
const silentNodes = (limits: Thresholds) => `(
    ${wasAway(NODES)}
    or ${UNSTEADY}{${NODES}}
    or ${limitedWithin('15m', limits, NODES)}
    or ${ofNode(UNHEALTHY)}
  )`

/** The service is unavailable, or was rate limited within the hour: hourly collectors may still be affected. */
const silentService = (limits: Thresholds, matcher: string) => `(
      ${wasAway(matcher)}
      or ${UNSTEADY}{${matcher}}
      or ${limitedWithin('15m', limits, matcher)}
      or ${limitedWithin('1h', limits, matcher)}
    )`

/** Collectors whose upstreams have alerts of their own. Problems of one node excuse only the collectors of that node. */
const excused = (limits: Thresholds) => [
  `${INTERVAL}{collector=~"${askingAs('node')}",source=""} and on (job, network) (
      min_over_time(nodes:stakewatch_upstream_up:ready[1h]) == 0
      or ${UNSTEADY_NODES}
      or max_over_time(${ALL_NODES_IN}[1h])
      or ${limitedWithin('15m', limits, NODES)}
      or ${overBudget(NODES)}
    )`,
  `${INTERVAL}{collector=~"${askingAs('data')}"} and on (job, network) ${silentService(limits, DATA_SERVICE)}`,
  `${INTERVAL}{collector=~"${askingAs('metrics')}"} and on (job, network) ${silentService(limits, METRICS_SERVICE)}`,
]

/** Age of the list of an L1, and of the averages of a chain, when they were read. */
const listAge = `${lastAsked('listed-l1s', 'subnet')} - ${latest('stakewatch_l1_listed_timestamp_seconds')}`
const averageAge = `${lastAsked('avg-tps', 'chain')} - ${latest('stakewatch_chain_average_tps_last_run_timestamp_seconds')}`

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
  {
    alert: 'StakewatchAnswersRefused',
    panel: 'self: Refused answers',
    severity: 'warning',
    // Answers of a lagging service are rejected until three runs agree; StakewatchDataServiceBehind covers it.
    expr: `${refused()}
  unless on (job, network, source) ${FOREIGN}
  unless on (job, network, source) (${UP}{${DATA_SERVICE}} and on (job, network) ${BEHIND})`,
    for: 15 * MINUTE,
    summary: 'An upstream keeps sending answers that stakewatch rejects.',
    description:
      '{{ $labels.source }} on {{ $labels.network }} has been sending answers for 15 minutes that are older than earlier ones or cannot be true. stakewatch does not use them.',
  },
]

/** Data that is out of date, and collectors that fail. */
const delays = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchDataStale',
    panel: 'self: Collectors',
    severity: 'warning',
    // Balances of L1 validators come from P-Chain blocks, so they cannot be newer while that chain is stalled.
    expr: `${averageAge} > ${limits.averageStale}
  or (
    ${listAge} > ${limits.listStale}
    unless on (job, network) ${BEHIND}
    unless on (job, network) (${primaryAge} > ${THRESHOLD})
  )`,
    for: 10 * MINUTE,
    summary: 'A service answers with data that is out of date.',
    description:
      'The {{ if $labels.chain }}averages of chain {{ $labels.chain }} from the metrics service{{ else }}validator list of L1 {{ $labels.subnet }} from the data service{{ end }} on {{ $labels.network }} had not been updated for {{ humanizeDuration $value }} when stakewatch read it.',
  },
  {
    alert: 'StakewatchCollectorFailing',
    panel: 'self: Collectors',
    severity: 'warning',
    // The last success survives restarts; without any, the time counts from the start of the process.
    expr: `time() - (
    ${latest('max_over_time(stakewatch_collector_last_success_timestamp_seconds[1d])')}
  or
    ${latest(`
      0 * ${INTERVAL} + on (job, instance, pod) group_left () max by (job, instance, pod) (process_start_time_seconds)
    `)}
) > clamp_min(${limits.collectorIntervals} * ${latest(INTERVAL)}, ${limits.collectorFailing})
  unless on (job, network, source) ${silentNodes(limits)}
  unless on (job, network, collector, source, target) (
    ${excused(limits).join('\n    or ')}
  )`,
    for: 2 * MINUTE,
    quietFor: 'node',
    summary: 'A collector has failed for three intervals.',
    description:
      'Collector {{ $labels.collector }} for {{ $labels.network }}/{{ $labels.target }}{{ with $labels.source }} on {{ . }}{{ end }} last succeeded {{ humanizeDuration $value }} ago, although its upstream answers. Its series disappear when they get too old, and alerts that need them cannot fire.',
  },
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
  rules: [...outages(limits), ...unsteady, ...refusals(limits), ...delays(limits), ...clocks(limits)],
})
