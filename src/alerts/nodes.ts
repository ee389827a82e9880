// Alerts about nodes: nodes of another network, nodes that are unhealthy, that lag or have other blocks, that
// miss an upgrade, and admin interfaces that must not answer.

import { type Group, HOLD, HOUR, latest, MINUTE, upgradeIsNear } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const healthAsked =
  'max without (instance, pod, collector, target) (stakewatch_collector_last_success_timestamp_seconds{collector="node-health"})'

export const nodes = (limits: Thresholds): Group => ({
  name: 'stakewatch-nodes',
  rules: [
    {
      alert: 'StakewatchNodeOfOtherNetwork',
      severity: 'critical',
      expr: `${latest('stakewatch_node_in_network')} == 0`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'The node belongs to another network than the configured one.',
      description:
        'What answers at the address of node {{ $labels.source }} belongs to another network than {{ $labels.network }}: what stakewatch shows of it is not true of this network.',
    },
    {
      alert: 'StakewatchNodeUnhealthy',
      severity: 'critical',
      // The value 0 means a check that fails and nothing else. A node that is stuck goes on saying that all is well.
      expr: `${latest('stakewatch_node_health_check_passing')} == 0
  or ${healthAsked} - on (job, network, source) group_right () ${latest('stakewatch_node_health_check_timestamp_seconds')} > ${limits.healthStill}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'A health check of the node fails, or the node has stopped making it.',
      description:
        '{{ if eq $value 0.0 }}Health check {{ $labels.check }} of node {{ $labels.source }} of {{ $labels.network }} fails.{{ else }}Node {{ $labels.source }} of {{ $labels.network }} has not made its health check {{ $labels.check }} for {{ humanizeDuration $value }}: part of it is stuck, whatever it says.{{ end }}',
    },
    {
      alert: 'StakewatchNodeForked',
      severity: 'critical',
      expr: `${latest('stakewatch_node_on_canonical_chain')} == 0`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The node has other blocks than the data service lists.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} has another block of chain {{ $labels.chain }} than the data service lists at the same height, and says that it does not have the listed one.',
    },
    {
      alert: 'StakewatchChainProcessDead',
      severity: 'critical',
      // An L1 with an EVM is seen as a chain and as an L1: one alert for each node.
      expr: `max by (job, network, source) (
    stakewatch_node_evm_chain_state{state="dead"}
  or
    stakewatch_l1_chain_state{state="dead"}
) == 1`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'The process of a chain on the node has died; the node does not start it again.',
      description:
        'The process of at least one chain on node {{ $labels.source }} of {{ $labels.network }} has died. A validator of that chain does nothing for it until the node is restarted.',
    },
    {
      alert: 'StakewatchNodeBehind',
      severity: 'warning',
      expr: `${latest('stakewatch_node_behind_blocks')} > ${limits.nodeBehindBlocks}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The node does not keep up with the chain.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} lacks {{ $value }} blocks of chain {{ $labels.chain }} that the data service has listed.',
    },
    {
      alert: 'StakewatchRewardingStakeLow',
      severity: 'warning',
      expr: `${latest('stakewatch_node_rewarding_stake_ratio')} < ${limits.rewardingStake}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'Part of the stake would not vote for the reward of the node.',
      description:
        'Node {{ $labels.source }} of {{ $labels.network }} is a validator, and only {{ humanizePercentage $value }} of the stake has seen enough uptime of it to vote for its reward.',
    },
    {
      alert: 'StakewatchNodeNotUpgraded',
      severity: 'warning',
      // A few peers that know an upgrade of their own are not the network.
      expr: `${latest('stakewatch_node_upgrade_ready')} == 0
  and ${latest('stakewatch_node_peers_upgrade_ready_ratio')} > ${limits.upgradeOfMost}
  unless on (job, network) ${upgradeIsNear(limits)}`,
      for: HOUR,
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
      summary: 'The admin interface of the node answers, and must not.',
      description:
        'The admin interface of node {{ $labels.source }} of {{ $labels.network }} answers to stakewatch: whoever gets that far can change its logs, load code into it and slow it down.',
    },
  ],
})
