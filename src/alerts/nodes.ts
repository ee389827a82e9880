// Alerts about nodes: nodes of another network, nodes that are unhealthy, that lag or have other blocks, that
// miss an upgrade, and admin interfaces that must not answer.

import { DEAD, FOREIGN, ofNode, ownNodes, PEER_STAKE, STARTING } from './causes.ts'
import { UNHEALTHY } from './health.ts'
import { nodeLife } from './node-life.ts'
import { type Group, HOLD, isLost, knownNode, latest, MINUTE, upgradeIsNear, VALIDATOR_LATE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const unlessForeign = `unless on (job, network, source) ${FOREIGN}`

/** The index of a node stands still while its own chain goes on: StakewatchIndexStalled says so. */
const indexIsLate = ({ indexBehind }: Thresholds) =>
  `${latest('stakewatch_node_evm_head_timestamp_seconds')} - ignoring (index) ${latest('stakewatch_index_last_accepted_timestamp_seconds{index="block"}')} > ${indexBehind}`

const unhealthyText =
  '{{ if eq $value 0.0 }}Health check {{ $labels.check }} of node {{ $labels.source }} of {{ $labels.network }} fails.{{ else }}Node {{ $labels.source }} of {{ $labels.network }} has not made a health check for {{ humanizeDuration $value }}: part of it is stuck, whatever it says.{{ end }}'

export const nodes = (limits: Thresholds): Group => ({
  name: 'stakewatch-nodes',
  rules: [
    {
      alert: 'StakewatchNodeOfOtherNetwork',
      severity: 'critical',
      expr: FOREIGN,
      for: 2 * MINUTE,
      hold: HOLD,
      known: knownNode('stakewatch_node_in_network'),
      summary: 'The node belongs to another network than the configured one.',
      description:
        'What answers at the address of node {{ $labels.source }} belongs to another network than {{ $labels.network }}: what stakewatch shows of it is not true of this network.',
    },
    {
      alert: 'StakewatchOwnNodeUnhealthy',
      severity: 'critical',
      expr: `${UNHEALTHY}
  and on (job, network, source) ${ownNodes()}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownNode('stakewatch_node_health_check_passing'),
      summary: 'A node that is a tracked validator fails a health check, or has stopped making it.',
      description: `${unhealthyText} It is a tracked validator.`,
    },
    {
      alert: 'StakewatchNodeUnhealthy',
      severity: 'warning',
      // Another node watches meanwhile, or StakewatchNodesDown wakes somebody.
      expr: `${UNHEALTHY}
  unless on (job, network, source) (${ownNodes()} or ${STARTING})`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'A node that only watches fails a health check, or has stopped making it.',
      description: unhealthyText,
    },
    ...nodeLife(limits),
    {
      alert: 'StakewatchNodeForked',
      severity: 'critical',
      expr: `${latest('stakewatch_node_on_canonical_chain')} == 0
  ${unlessForeign}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownNode('stakewatch_node_on_canonical_chain', ', chain'),
      summary: 'The node has other blocks than the data service lists.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} has another block of chain {{ $labels.chain }} than the data service lists at the same height, and says that it does not have the listed one.',
    },
    {
      alert: 'StakewatchChainProcessDead',
      severity: 'critical',
      // An L1 with an EVM is seen as a chain and as an L1: one alert for each node.
      expr: DEAD,
      for: 2 * MINUTE,
      hold: HOLD,
      known: knownNode('stakewatch_node_evm_chain_state or stakewatch_l1_chain_state'),
      summary: 'The process of a chain on the node has died; the node does not start it again.',
      description:
        'The process of at least one chain on node {{ $labels.source }} of {{ $labels.network }} has died. A validator of that chain does nothing for it until the node is restarted.',
    },
    {
      alert: 'StakewatchNodeBehind',
      severity: 'warning',
      // A node that says that it is unwell is the news, and so is one that is on a chain of its own.
      expr: `${latest('stakewatch_node_behind_blocks')} > ${limits.nodeBehindBlocks}
  unless on (job, network, chain, source) (${latest('stakewatch_node_on_canonical_chain')} == 0 or ${indexIsLate(limits)})
  unless on (job, network, source) (${FOREIGN} or ${DEAD} or ${ofNode(UNHEALTHY)})`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The node does not keep up with the chain.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} lacks {{ $value }} blocks of chain {{ $labels.chain }} that the data service has listed.',
    },
    {
      alert: 'StakewatchRewardingStakeLow',
      severity: 'warning',
      // A large validator that is down votes for no one: what the node is connected to counts. Once the reward is lost by
      // most of the nodes that watch, that is the news.
      expr: `(
    ${latest('stakewatch_node_rewarding_stake_ratio')} / on (job, network, source) (${PEER_STAKE} > 0)
    or on (job, network, source) ${latest('stakewatch_node_rewarding_stake_ratio')}
  ) < ${limits.rewardingStake}
  ${unlessForeign}
  unless on (job, network, source) ${ownNodes(`(${isLost})`)}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'Part of the stake would not vote for the reward of the node.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} is a validator, and of the stake that it is connected to only {{ humanizePercentage $value }} has seen enough uptime of it to vote for its reward.',
    },
    {
      alert: 'StakewatchNodeNotUpgraded',
      severity: 'warning',
      // A few peers that know an upgrade of their own are not the network.
      // A node that is a tracked validator is told of as one, and the last day and a half before it have an alert of their own.
      expr: `${latest('stakewatch_node_upgrade_ready')} == 0
  and ${latest('stakewatch_node_peers_upgrade_ready_ratio')} > ${limits.upgradeOfMost}
  ${unlessForeign}
  unless on (job, network) ${upgradeIsNear(limits)}
  unless on (job, network, source) ${ownNodes(`(${VALIDATOR_LATE})`)}`,
      for: 25 * MINUTE,
      hold: HOLD,
      summary: 'Most of the stake is ready for an upgrade that the node does not know.',
      description:
        'The software of node {{ $labels.source }} of {{ $labels.network }} does not know the next upgrade of the network, and that of most of the stake does: when the upgrade comes into force the node stops following the network.',
    },
    {
      alert: 'StakewatchAdminApiExposed',
      severity: 'critical',
      expr: `${latest('stakewatch_node_admin_api_reachable')} == 1
  and on (job, network, source) stakewatch_node_admin_api_expected == 0`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownNode('stakewatch_node_admin_api_reachable'),
      summary: 'The admin interface of the node answers, and must not.',
      description:
        'The admin interface of node {{ $labels.source }} of {{ $labels.network }} answers to stakewatch: whoever gets that far can change its logs, load code into it and slow it down.',
    },
    {
      alert: 'StakewatchPeerStakeLow',
      severity: 'warning',
      // The node fails a check of its own when it says the same.
      expr: `${PEER_STAKE} < ${limits.peerStake}
  unless on (job, network, source) (${FOREIGN} or ${ofNode(UNHEALTHY)})`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'The node is connected to too little of the stake.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} is connected to validators with {{ humanizePercentage $value }} of the stake. It sees too few of the votes, and its opinion of other validators counts those that it does not reach as disconnected.',
    },
    {
      alert: 'StakewatchLoggerVerbose',
      severity: 'warning',
      expr: `count by (job, network, source) (
    max by (job, network, source, logger) (stakewatch_node_logger_level{level=~"debug|trace|verbo"})
) > 0`,
      for: 25 * MINUTE,
      hold: HOLD,
      summary: 'Loggers of the node write everything: somebody has left them so.',
      description:
        '{{ $value }} loggers of node {{ $labels.source }} of {{ $labels.network }} write at the level trace, debug or verbo. That slows the node down and fills its disk.',
    },
    {
      alert: 'StakewatchNodeExchanged',
      severity: 'warning',
      expr: `${latest('increase(stakewatch_node_id_changes_total[1h])')} > 0
  ${unlessForeign}`,
      // It has happened: nothing would take it back.
      for: 0,
      hold: HOLD,
      summary: 'Another node than before answers at the address of a node.',
      description:
        'Within the last hour another node than before has answered at the address of node {{ $labels.source }} of {{ $labels.network }}: it was exchanged, has lost its staking key, or the address leads to several nodes.',
    },
  ],
})
