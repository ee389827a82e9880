// Recording rules: first one series from all replicas, then the vote of the observers. They never read ranges: the daemon
// withdraws expired data, and a range would bring it back.

import { away, FOREIGN, MUTED, muted, NODES, overBudget, refused, STARTING, voted } from './causes.ts'
import { recordedOfConnections } from './connections.ts'
import { BEHIND, behind, L1_HEAD, l1Head } from './heads.ts'
import { UNHEALTHY, unhealthy } from './health.ts'
import { JOB, writtenGroups } from './groups.ts'
import { recordedOfMaintenance, usable } from './maintenance.ts'
import { recordedOfNodeLife } from './node-life.ts'
import { across, latest, type Recorded, SAME_VALIDATOR, SERVICES, weightIn, weightOf } from './rule.ts'
import type { Thresholds } from './thresholds.ts'
import { complete, unknownSince } from './unknown.ts'

const limitedWithin = (range: string) =>
  `${across('sum', `increase(stakewatch_upstream_rate_limited_total[${range}])`)} / ${across('sum', `increase(stakewatch_upstream_requests_total[${range}])`, 'operation', 'code')}`

const unsent = (code: string) =>
  across(`sum`, `increase(stakewatch_upstream_requests_unsent_total{code="${code}"}[15m])`, `code`)

/** Collectors query upstreams at least once a minute; this allows for a late query. */
const LATELY = '3m'
const lately = (metric: string) => `sum by (job, instance, pod, network, source) (increase(${metric}[${LATELY}]))`

/** Which upstreams are up, and which nodes count as observers. */
const upstreamsUp = (limits: Thresholds): readonly Recorded[] => [
  complete,
  /**
   * 1 if the upstream answers one of the instances. Instances with recent requests take precedence: a shard that queries it once an
   * hour may not have noticed an outage yet.
   */
  {
    record: 'upstream:stakewatch_upstream_up:max',
    expr: `${latest(`
  stakewatch_upstream_up and on (job, instance, pod, network, source) (
    ${lately('stakewatch_upstream_requests_total')} > 0
    or ${lately('stakewatch_upstream_requests_unsent_total')} > 0
  )
`)}
or ${latest('stakewatch_upstream_up')}`,
  },
  /** Nodes that do not vote. */
  { record: MUTED, expr: muted(limits) },
]

/** Connections, downtime budgets and rewards, over all observers. */
const rewardVotes: readonly Recorded[] = [
  ...recordedOfConnections,
  {
    record: 'observer:stakewatch_validator_downtime_budget_seconds:min',
    expr: `${across('min', 'stakewatch_validator_downtime_budget_seconds')} unless on (job, network, source) ${MUTED}`,
  },
  {
    record: 'validator:stakewatch_validator_downtime_budget_seconds:median',
    expr: 'quantile without (source) (0.5, observer:stakewatch_validator_downtime_budget_seconds:min)',
  },
  /** Share of the observers that report this state of the reward, by state. */
  {
    record: 'validator:stakewatch_validator_reward_state:avg',
    expr: `avg without (source) ${voted('stakewatch_validator_reward_state')}`,
  },
]

/** Balances of L1 validators, and the weight of L1s that is online. */
const l1Weights: readonly Recorded[] = [
  /** When the balance of an L1 validator runs out, by the node, else by the data service. */
  {
    record: 'validator:stakewatch_l1_validator_depletion_timestamp_seconds:max',
    expr: `${latest('stakewatch_l1_validator_depletion_timestamp_seconds')}
  or ${latest('stakewatch_l1_validator_listed_depletion_timestamp_seconds')}`,
  },
  /** L1 validators with an empty balance. The data service's list counts where no node reports. */
  {
    record: 'validator:stakewatch_l1_validator_active:inactive',
    expr: `${latest('stakewatch_l1_validator_active')} == 0
  or (
    ${latest('stakewatch_l1_validator_listed_balance_tokens')} == 0
    unless ${SAME_VALIDATOR} ${latest('stakewatch_l1_validator_active')}
  )`,
  },
  /** Share of the weight of an L1 whose validators have a balance, by the P-Chain, else by the data service. */
  {
    record: 'subnet:stakewatch_subnet_weight:active',
    expr: `1 - ${weightIn('{state="inactive"}')} / ${weightIn('')}
  or ${weightOf('stakewatch_l1_listed_weight', 'active')} / ${weightOf('stakewatch_l1_listed_weight', 'total')}`,
  },
  /**
   * Share of the weight of an L1 that is online: the highest share that a node reports. If no node runs its chain, connections are
   * unknown, but validators without a balance are offline for sure.
   */
  {
    record: 'subnet:stakewatch_l1_weight:connected',
    expr: `max without (source) (
  ${weightOf('stakewatch_l1_weight', 'connected')} / ${weightOf('stakewatch_l1_weight', 'total')}
  unless on (job, network, source) ${MUTED}
)`,
  },
  {
    record: 'subnet:stakewatch_l1_weight:ratio',
    expr: 'subnet:stakewatch_l1_weight:connected or subnet:stakewatch_subnet_weight:active',
  },
]

/** Upgrades, and the upstreams that stakewatch can use. */
const availability = (limits: Thresholds): readonly Recorded[] => [
  /** When the next upgrade of the network activates. */
  {
    record: 'network:stakewatch_node_upgrade_timestamp_seconds:min',
    expr: 'min by (job, network) (stakewatch_node_upgrade_timestamp_seconds)',
  },
  /** 1 if one of the nodes of the network answers. */
  {
    record: 'nodes:stakewatch_upstream_up:max',
    expr: `max without (source) (upstream:stakewatch_upstream_up:max{${NODES}})`,
  },
  /** 1 if the upstream answered a request within five minutes. */
  { record: 'upstream:stakewatch_upstream_up:max5m', expr: 'max_over_time(upstream:stakewatch_upstream_up:max[5m])' },
  /** 1 if the node can report on its network: it answers, belongs to the network and has bootstrapped. */
  {
    record: 'upstream:stakewatch_upstream_up:ready',
    expr: `upstream:stakewatch_upstream_up:max5m{${NODES}}
  unless on (job, network, source) (${FOREIGN} or ${STARTING})
or 0 * upstream:stakewatch_upstream_up:max5m{${NODES}}`,
  },
  /** 1 if one of the nodes of the network is ready. */
  {
    record: 'nodes:stakewatch_upstream_up:ready',
    expr: 'max without (source) (upstream:stakewatch_upstream_up:ready)',
  },
  /** Share of the requests that the upstream answered with HTTP 429. */
  { record: 'upstream:stakewatch_upstream_rate_limited_total:ratio15m', expr: limitedWithin('15m') },
  { record: 'upstream:stakewatch_upstream_rate_limited_total:ratio1h', expr: limitedWithin('1h') },
  /** Requests not sent because the budget is used up. */
  {
    record: 'upstream:stakewatch_upstream_requests_unsent_total:overbudget15m',
    expr: unsent('over_budget'),
  },
  /** Requests not sent because the upstream asked for a pause. */
  {
    record: 'upstream:stakewatch_upstream_requests_unsent_total:paused15m',
    expr: unsent('paused'),
  },
  /** Upstreams that were down, limited or rejected within the last hour. */
  {
    record: 'upstream:stakewatch_upstream_up:away1h',
    expr: `min_over_time(upstream:stakewatch_upstream_up:ready[1h]) == 0
or min_over_time(upstream:stakewatch_upstream_up:max5m{source=~"${SERVICES}"}[1h]) == 0
or ${latest('max_over_time(stakewatch_upstream_refusing[1h])')} == 1
or ${overBudget()}
or ${refused()}`,
  },
  /** Upstreams that stakewatch cannot query as much as it needs to at the moment. */
  { record: 'upstream:stakewatch_upstream_up:away', expr: away(limits) },
]

/** In the order of evaluation: a rule reads only earlier rules, or its own previous value. */
export const recorded = (limits: Thresholds): readonly Recorded[] => [
  ...upstreamsUp(limits),
  ...recordedOfMaintenance,
  ...rewardVotes,
  ...l1Weights,
  ...availability(limits),
  ...recordedOfNodeLife(limits),
  /** Unhealthy nodes: 0 for a failing check, else the seconds without a check. */
  { record: UNHEALTHY, expr: unhealthy(limits) },
  usable,
  /** Chains on which the data service is behind, and by how many blocks. */
  { record: BEHIND, expr: behind(limits) },
  /** Time of the newest block of an L1, for the texts of alerts about its weight. */
  { record: L1_HEAD, expr: l1Head },
  ...unknownSince(writtenGroups(limits, JOB)),
]
