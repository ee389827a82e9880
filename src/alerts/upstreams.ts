// Alerts about upstreams: outages, rejected requests, stale data and failing collectors.

import { upstreamClockWrong } from '../conditions/clocks.ts'
import { nodesDown, upstreamDown } from '../conditions/outages.ts'
import { nodesUnsteady, ownNodeUnsteady, upstreamUnsteady } from '../conditions/unsteady.ts'
import { budgetExhausted, credentialsRejected, rateLimited } from '../conditions/upstream-limits.ts'
import { collectorsByService } from './collectors-by-service.ts'
import {
  DATA_SERVICE,
  FOREIGN,
  limitedWithin,
  METRICS_SERVICE,
  NODES,
  ofNode,
  overBudget,
  refused,
  UNSTEADY,
  UNSTEADY_NODES,
  wasAway,
} from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { BEHIND, primaryAge, THRESHOLD } from './heads.ts'
import { UNHEALTHY } from './health.ts'
import { ALL_NODES_IN } from './quiet.ts'
import { type Group, type Rule, lastAsked, latest, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up:max'
const INTERVAL = 'stakewatch_collector_interval_seconds'

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
const outages = [nodesDown, upstreamDown].map(ruleOf)

/** Upstreams that reject requests, or whose answers stakewatch rejects. */
const refusals: readonly Rule[] = [
  ruleOf(credentialsRejected),
  ruleOf(rateLimited),
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

/** Upstreams that keep going down. */
const unsteady = [ownNodeUnsteady, upstreamUnsteady, nodesUnsteady].map(ruleOf)

/** Upstream clocks and request budgets. */
const clocks = [upstreamClockWrong, budgetExhausted].map(ruleOf)

export const upstreams = (limits: Thresholds): Group => ({
  name: 'stakewatch-upstreams',
  rules: [...outages, ...unsteady, ...refusals, ...delays(limits), ...clocks],
})
