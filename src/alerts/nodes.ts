// Alerts about nodes: another network, failing health checks, lag, forks, missing upgrades and exposed admin APIs.

import { DEAD, FOREIGN, ofNode, ownNodes, PEER_STAKE, STARTING } from './causes.ts'
import { UNHEALTHY } from './health.ts'
import { nodeLife } from './node-life.ts'
import { type Group, type Rule, isLost, knownNode, latest, MINUTE, upgradeIsNear, VALIDATOR_LATE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const unlessForeign = `unless on (job, network, source) ${FOREIGN}`

/** The index of a node has stopped while its chain goes on; StakewatchIndexStalled covers it. */
const indexIsLate = ({ indexBehind }: Thresholds) =>
  `${latest('stakewatch_node_evm_head_timestamp_seconds')} - ignoring (index) ${latest('stakewatch_index_last_accepted_timestamp_seconds{index="block"}')} > ${indexBehind}`

const unhealthyText =
  '{{ if eq $value 0.0 }}Node {{ $labels.source }} on {{ $labels.network }} fails health check {{ $labels.check }}.{{ else }}Node {{ $labels.source }} on {{ $labels.network }} has not run a health check for {{ humanizeDuration $value }}: part of it is stuck, even if it reports healthy.{{ end }}'

/** Nodes of another network, and nodes that fail their health checks. */
const health: readonly Rule[] = [
  {
    alert: 'StakewatchNodeOfOtherNetwork',
    panel: 'chains: Nodes themselves',
    severity: 'critical',
    expr: FOREIGN,
    for: 2 * MINUTE,
    known: knownNode('stakewatch_node_in_network'),
    summary: 'The node belongs to a different network than configured.',
    description:
      'The node at the address of {{ $labels.source }} does not belong to {{ $labels.network }} but to another network: everything stakewatch shows from it is wrong for {{ $labels.network }}. Check its URL.',
  },
  {
    alert: 'StakewatchOwnNodeUnhealthy',
    panel: 'chains: Health checks of nodes',
    severity: 'critical',
    expr: `${UNHEALTHY}
  and on (job, network, source) ${ownNodes()}`,
    for: 5 * MINUTE,
    quietFor: 'node',
    known: knownNode('stakewatch_node_health_check_passing'),
    summary: 'A node that is a tracked validator fails a health check, or no longer runs it.',
    description: `${unhealthyText} It is a tracked validator.`,
  },
  {
    alert: 'StakewatchNodeUnhealthy',
    panel: 'chains: Health checks of nodes',
    severity: 'warning',
    // No page: either another node still observes, or StakewatchNodesDown pages.
    expr: `${UNHEALTHY}
  unless on (job, network, source) (${ownNodes()} or ${STARTING})`,
    for: 5 * MINUTE,
    quietFor: 'node',
    summary: 'An observer node fails a health check, or no longer runs it.',
    description: unhealthyText,
  },
]

/** Nodes that fork, lag, or have a dead chain process. */
const progress = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchNodeForked',
    panel: 'chains: Heads of nodes',
    severity: 'critical',
    expr: `${latest('stakewatch_node_on_canonical_chain')} == 0
  ${unlessForeign}`,
    for: 5 * MINUTE,
    known: knownNode('stakewatch_node_on_canonical_chain', ', chain'),
    summary: 'The blocks of the node differ from those the data service lists.',
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} has a different block of chain {{ $labels.chain }} than the data service lists at the same height, and reports that it does not have the listed one.',
  },
  {
    alert: 'StakewatchChainProcessDead',
    panel: 'chains: Heads of nodes',
    severity: 'critical',
    // An L1 with an EVM has two series, as a chain and as an L1: one alert for each node.
    expr: DEAD,
    for: 2 * MINUTE,
    known: knownNode('stakewatch_node_evm_chain_state or stakewatch_l1_chain_state'),
    summary: 'A chain process on the node has died, and the node does not restart it.',
    description:
      'At least one chain process on node {{ $labels.source }} on {{ $labels.network }} has died. The node does not validate that chain until you restart it.',
  },
  {
    alert: 'StakewatchNodeBehind',
    panel: 'chains: Heads of nodes',
    severity: 'warning',
    // Unhealthy and forked nodes have alerts of their own.
    expr: `${latest('stakewatch_node_behind_blocks')} > ${limits.nodeBehindBlocks}
  unless on (job, network, chain, source) (${latest('stakewatch_node_on_canonical_chain')} == 0 or ${indexIsLate(limits)})
  unless on (job, network, source) (${FOREIGN} or ${DEAD} or ${ofNode(UNHEALTHY)})`,
    for: 10 * MINUTE,
    quietFor: 'node',
    summary: 'The node is falling behind the chain.',
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} is {{ $value }} blocks behind the data service on chain {{ $labels.chain }}.',
  },
]

/** Nodes without enough votes for their reward, or without the next upgrade. */
const support = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchRewardingStakeLow',
    panel: 'chains: Stake that would vote for the reward',
    severity: 'warning',
    // Relative to the connected stake, because a large validator that is down does not vote. Once most observers count the
    // reward as lost, StakewatchRewardLost fires instead.
    expr: `(
    ${latest('stakewatch_node_rewarding_stake_ratio')} / on (job, network, source) (${PEER_STAKE} > 0)
    or on (job, network, source) ${latest('stakewatch_node_rewarding_stake_ratio')}
  ) < ${limits.rewardingStake}
  ${unlessForeign}
  unless on (job, network, source) ${ownNodes(`(${isLost})`)}`,
    for: 15 * MINUTE,
    summary: "Part of the stake would not vote for the node's reward.",
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} is a validator, and only {{ humanizePercentage $value }} of the stake that it is connected to has seen enough uptime of it to vote for its reward.',
  },
  {
    alert: 'StakewatchNodeNotUpgraded',
    panel: 'chains: Peers of nodes and the next upgrade',
    severity: 'warning',
    // Most of the stake must be ready: a few peers may announce an upgrade that is not the network's.
    // Tracked validators, and the last day and a half before the upgrade, have alerts of their own.
    expr: `${latest('stakewatch_node_upgrade_ready')} == 0
  and ${latest('stakewatch_node_peers_upgrade_ready_ratio')} > ${limits.upgradeOfMost}
  ${unlessForeign}
  unless on (job, network) ${upgradeIsNear(limits)}
  unless on (job, network, source) ${ownNodes(`(${VALIDATOR_LATE})`)}`,
    for: 25 * MINUTE,
    summary: 'The node does not support the next upgrade, and most of the stake does.',
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} runs software that does not support the next upgrade of the network, while most of the stake does. Upgrade it first, or it stops following the network when the upgrade activates.',
  },
]

/** Nodes with an exposed admin API, too few peers, verbose loggers or another id. */
const settings = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchAdminApiExposed',
    panel: 'chains: Nodes themselves',
    severity: 'critical',
    expr: `${latest('stakewatch_node_admin_api_reachable')} == 1
  and on (job, network, source) stakewatch_node_admin_api_expected == 0`,
    for: 5 * MINUTE,
    known: knownNode('stakewatch_node_admin_api_reachable'),
    summary: 'The admin API of the node is reachable, and must not be.',
    description:
      'The admin API of node {{ $labels.source }} on {{ $labels.network }} answers stakewatch. Anyone with that access can change its logs, load code into it and slow it down. Disable it or close the port.',
  },
  {
    alert: 'StakewatchPeerStakeLow',
    panel: 'chains: Peers of nodes and the next upgrade',
    severity: 'warning',
    // A node that reports the problem itself fails a health check instead.
    expr: `${PEER_STAKE} < ${limits.peerStake}
  unless on (job, network, source) (${FOREIGN} or ${ofNode(UNHEALTHY)})`,
    for: 15 * MINUTE,
    quietFor: 'node',
    summary: 'The node is connected to too little of the stake.',
    description:
      'Node {{ $labels.source }} on {{ $labels.network }} is connected to validators with only {{ humanizePercentage $value }} of the stake. It sees too few votes, and reports every validator that it cannot reach as disconnected.',
  },
  {
    alert: 'StakewatchLoggerVerbose',
    panel: 'chains: Loggers of nodes',
    severity: 'warning',
    expr: `count by (job, network, source) (
    max by (job, network, source, logger) (stakewatch_node_logger_level{level=~"debug|trace|verbo"})
) > 0`,
    for: 25 * MINUTE,
    summary: 'Loggers of the node were left at a debug level.',
    description:
      '{{ $value }} loggers of node {{ $labels.source }} on {{ $labels.network }} write at the level debug, trace or verbo. That slows the node down and fills its disk.',
  },
  {
    alert: 'StakewatchNodeExchanged',
    panel: 'chains: Nodes themselves',
    severity: 'warning',
    expr: `${latest('increase(stakewatch_node_id_changes_total[1h])')} > 0
  ${unlessForeign}`,
    // A change of the id cannot be undone, so there is no reason to wait.
    for: 0,
    summary: 'A different node answers at the address of a node.',
    description:
      'The node id at the address of node {{ $labels.source }} on {{ $labels.network }} changed within the last hour: the machine was replaced, the node lost its staking key, or the address leads to several nodes.',
  },
]

export const nodes = (limits: Thresholds): Group => ({
  name: 'stakewatch-nodes',
  rules: [...health, ...nodeLife(limits), ...progress(limits), ...support(limits), ...settings(limits)],
})
