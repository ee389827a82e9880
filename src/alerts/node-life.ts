// Alerts about nodes that bootstrap, cannot create a chain, or keep going down.

import {
  CHAIN_FAILED,
  FOREIGN,
  NODES,
  ownNodes,
  rateLimited,
  refusing,
  SOURCE_ID,
  STARTING,
  UNSTEADY,
  UNSTEADY_NODES,
} from './causes.ts'
import { knownNode, lastSuccessOf, latest, MINUTE, type Recorded, type Rule } from './rule.ts'
import { ALL_UNPLANNED, kinds, quiet, UNPLANNED } from './quiet.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up:max'

const askedState = lastSuccessOf('node-state')

/** Nodes that have been bootstrapping for longer than this. */
export const startingFor = (seconds: number) =>
  `(${STARTING} and on (job, network, source) ${askedState} - ${latest('stakewatch_node_state_since_timestamp_seconds')} > ${seconds})`

/**
 * Share of the last hour, or else of the last day, without an answer. One restart or one long outage does not count: it takes
 * several outages, and for the day, one in the last three hours.
 */
const shareAway = (up: string, { unsteadyHour, unsteadyDay, unsteadyOutages }: Thresholds) => `(
    (1 - avg_over_time(${up}[1h])) >= ${unsteadyHour} and resets(${up}[1h]) >= ${unsteadyOutages}
    or (1 - avg_over_time(${up}[1d])) >= ${unsteadyDay} and resets(${up}[1d]) >= ${unsteadyOutages} and resets(${up}[3h]) > 0
  )
  unless max_over_time(${up}[15m]) == 0`

/** Starts of a node within an hour, if there are too many. */
const restarting = ({ nodeRestarts }: Thresholds) =>
  `round(${latest('increase(stakewatch_node_restarts_total[1h])')}) >= ${nodeRestarts}
  unless on (${kinds.node.labels}) max_over_time(${quiet('node')}[1h])`

export const recordedOfNodeLife = (limits: Thresholds): readonly Recorded[] => [
  /** Below 1: share of the time without an answer. From 1 on: number of starts. */
  {
    record: UNSTEADY,
    expr: `${restarting(limits)}
or ${shareAway(UNPLANNED, limits)}
  unless on (job, network, source) (${refusing()} or ${rateLimited(limits)})`,
  },
  /** Share of the time in which no node of the network answered. */
  { record: UNSTEADY_NODES, expr: shareAway(ALL_UNPLANNED, limits) },
]

/** Chains that tracked L1 validators could not create, with the node id. */
const ownFailed = `(
    ${CHAIN_FAILED} * on (job, network, source) group_left (node_id) ${SOURCE_ID}
    and on (job, network, subnet, node_id) ${latest('stakewatch_validator_tracked')}
  )`

const failedText =
  'Node {{ $labels.source }} on {{ $labels.network }} tracks subnet {{ $labels.subnet }} and could not create its chain {{ $labels.check }}: the virtual machine plugin is missing or incompatible, or the genesis is invalid. Fix it and restart the node; it does not try again by itself.'
const unsteadyText =
  '{{ if lt $value 1.0 }}{{ $labels.source }} on {{ $labels.network }} did not answer stakewatch for {{ humanizePercentage $value }} of the last hour or day, in several outages.{{ else }}Node {{ $labels.source }} on {{ $labels.network }} started {{ $value }} times within an hour.{{ end }}'

export const nodeLife = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchNodeBootstrapping',
    panel: 'chains: Nodes themselves',
    severity: 'warning',
    // For a tracked validator, StakewatchOwnNodeUnhealthy fires.
    expr: `${askedState} - ${latest('stakewatch_node_state_since_timestamp_seconds')} > ${limits.nodeBootstrapping}
  and on (job, network, source) ${STARTING}
  unless on (job, network, source) (${FOREIGN} or ${ownNodes()})`,
    for: 5 * MINUTE,
    quietFor: 'node',
    summary: 'An observer node has been bootstrapping for over an hour.',
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} has been bootstrapping for {{ humanizeDuration $value }}. Until it finishes, it reports nothing about validators, chains and balances.',
  },
  {
    alert: 'StakewatchOwnChainNotCreated',
    panel: 'chains: Nodes themselves',
    severity: 'critical',
    expr: `${ownFailed}
  unless on (job, network, source) ${FOREIGN}`,
    for: 2 * MINUTE,
    known: knownNode('stakewatch_node_health_check_passing'),
    summary: 'A tracked L1 validator could not create the chain of its L1.',
    description: `${failedText} It is a tracked validator of that L1 and does not validate.`,
  },
  {
    alert: 'StakewatchChainNotCreated',
    panel: 'chains: Nodes themselves',
    severity: 'warning',
    expr: `${CHAIN_FAILED}
  unless on (job, network, source, check) ${ownFailed}
  unless on (job, network, source) ${FOREIGN}`,
    for: 2 * MINUTE,
    summary: 'A node could not create a chain of a subnet that it tracks.',
    description: failedText,
  },
]

/** These belong to the group about upstreams, because services can be unsteady too. */
export const unsteady: readonly Rule[] = [
  {
    alert: 'StakewatchOwnNodeUnsteady',
    panel: 'self: Upstreams',
    severity: 'critical',
    expr: `${UNSTEADY}{${NODES}}
  and on (job, network, source) ${ownNodes()}
  unless on (job, network) ${UNSTEADY_NODES}`,
    for: 2 * MINUTE,
    quietFor: 'node',
    known: knownNode('stakewatch_upstream_up'),
    summary: 'A node that is a tracked validator keeps going down.',
    description: `${unsteadyText} It is a tracked validator.`,
  },
  {
    alert: 'StakewatchUpstreamUnsteady',
    panel: 'self: Upstreams',
    severity: 'warning',
    expr: `${UNSTEADY}
  unless on (job, network, source) ${ownNodes()}
  unless on (job, network, source) (${UP}{${NODES}} and on (job, network) ${UNSTEADY_NODES})`,
    for: 2 * MINUTE,
    quietFor: 'node',
    summary: 'A node or a service keeps going down.',
    description: unsteadyText,
  },
  {
    alert: 'StakewatchNodesUnsteady',
    panel: 'self: Upstreams',
    severity: 'critical',
    expr: UNSTEADY_NODES,
    for: 2 * MINUTE,
    quietFor: 'nodes',
    summary: 'All nodes of the network keep going down at the same time.',
    description:
      'No node of {{ $labels.network }} answered stakewatch for {{ humanizePercentage $value }} of the last hour or day, in several outages. During that time stakewatch could not see the validators.',
  },
]
