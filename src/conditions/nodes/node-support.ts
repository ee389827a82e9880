// Nodes without enough votes for their reward, or without the next upgrade.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { nodeIds, OWN_READS, ownValidators, peerStake } from '../nodes.ts'
import { isRewardLost, REWARD_READS } from '../validator-votes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { isNear, lateMachines } from '../validators/upgrades.ts'
import type { View } from '../view.ts'

const REWARDING = 'stakewatch_node_rewarding_stake_ratio'
const READY = 'stakewatch_node_upgrade_ready'
const PEERS_READY = 'stakewatch_node_peers_upgrade_ready_ratio'
const UPGRADE = 'stakewatch_node_upgrade_timestamp_seconds'
const VALIDATOR_READY = 'stakewatch_validator_upgrade_ready'

export const rewardingStakeLow: Condition = {
  alert: 'StakewatchRewardingStakeLow',
  panel: 'chains: Stake that would vote for the reward',
  severity: 'warning',
  for: 15 * MINUTE,
  explainedBy: ['node_of_other_network'],
  reads: [REWARDING, ...REWARD_READS, ...OWN_READS],
  judge: {
    node(view) {
      const rewarding = view.value(REWARDING)
      if (rewarding === undefined) return NOT_APPLICABLE
      // Relative to the connected stake, because a large validator that is down does not vote.
      const connected = view.fact(peerStake) ?? 0
      const share = connected > 0 ? rewarding / connected : rewarding
      // Once most observers count the reward as lost, StakewatchRewardLost fires instead.
      if (share >= view.limits.rewardingStake || view.fact(ownValidators).some((one) => one.fact(isRewardLost)))
        return OK
      return problem(share)
    },
  },
  title: '{{ $labels.source }}: too few reward votes',
  summary: "Part of the stake would not vote for the node's reward.",
  action: 'Keep {{ $labels.source }} up, and check that its staking port is open to everybody.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} is a validator, and only {{ humanizePercentage $value }} of the stake that it is connected to has seen enough uptime of it to vote for its reward.',
}

/** The node ids of machines that no node has seen announce support: they have an alert as validators. */
const lateIds = (network: View): ReadonlySet<string> =>
  new Set(lateMachines(network).map(({ labels }) => labels['node_id']!))

const isValidatorLate = (node: View) => {
  const late = node.of('network').fact(lateIds)
  return [...node.fact(nodeIds)].some((id) => late.has(id))
}

export const nodeNotUpgraded: Condition = {
  alert: 'StakewatchNodeNotUpgraded',
  panel: 'chains: Peers of nodes and the next upgrade',
  severity: 'warning',
  for: 25 * MINUTE,
  explainedBy: ['node_of_other_network'],
  reads: [READY, PEERS_READY, UPGRADE, VALIDATOR_READY, 'stakewatch_node_info'],
  judge: {
    node(view) {
      const [isReady, peers] = [view.value(READY), view.value(PEERS_READY)]
      if (isReady === undefined || peers === undefined) return NOT_APPLICABLE
      // Most of the stake must be ready: a few peers may announce an upgrade that is not the network's.
      if (isReady !== 0 || peers <= view.limits.upgradeOfMost) return OK
      // Validators, and the last day and a half before the upgrade, have alerts of their own.
      return view.of('network').fact(isNear) || isValidatorLate(view) ? OK : problem(0)
    },
  },
  title: '{{ $labels.source }} lacks the next upgrade',
  summary: 'The node does not support the next upgrade, and most of the stake does.',
  action: 'Plan the upgrade of node {{ $labels.source }} and its plugins before the network upgrade activates.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} runs software that does not support the next upgrade of the network, while most of the stake does. Upgrade it first, or it stops following the network when the upgrade activates.',
}
