// Alerts about validators: their connection, their reward, the end of their stake, their owners and keys.

import { type Group, HOLD, HOUR, latest, MINUTE, NODES_DOWN, TAMPERING, unmet, validator } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** A validator may be watched only because its whole subnet is: nobody here can mend it. */
const isTracked = 'and on (job, network, subnet, node_id) stakewatch_validator_tracked'

const CONNECTED = 'validator:stakewatch_validator_connected:avg'
const BUDGET = 'validator:stakewatch_validator_downtime_budget_seconds:median'
/** Share of the observers that say so of the reward. */
const saying = (states: string) =>
  `sum without (state) (validator:stakewatch_validator_reward_state:avg{state=~"${states}"})`
const isLost = `${saying('lost')} > 0.5`
/** The least that any observer requires: they differ only while one of them is behind an upgrade. */
const required = 'min without (source, instance, pod) (stakewatch_validator_required_uptime_ratio)'
const term = `(${latest('stakewatch_validator_end_timestamp_seconds')} - ${latest('stakewatch_validator_start_timestamp_seconds')})`

export const validators = (limits: Thresholds): Group => ({
  name: 'stakewatch-validators',
  rules: [
    {
      alert: 'StakewatchValidatorDisconnected',
      severity: 'critical',
      expr: `${CONNECTED} < 0.5
  ${isTracked}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'Most of the nodes that watch the validator are not connected to it.',
      description: `More than half of the nodes that watch validator ${validator} say that it is disconnected; {{ humanizePercentage $value }} are connected to it. Each second of it is taken from its downtime budget.`,
    },
    {
      alert: 'StakewatchObserversDisagree',
      severity: 'warning',
      // More than half of them are the rules above and below; less than half are outvoted.
      expr: `(
    ${CONNECTED} == 0.5
    or ${saying('lost')} == 0.5
  )
  ${isTracked}`,
      for: 30 * MINUTE,
      hold: HOLD,
      summary: 'Half of the nodes that watch the validator say that it is disconnected or that its reward is lost.',
      description: `Half of the nodes that watch validator ${validator} say that it is disconnected or that its reward is lost, and the other half does not: with two nodes, one of them sees it so. No vote decides between them, so nobody is woken.`,
    },
    {
      alert: 'StakewatchValidatorUnreachable',
      severity: 'warning',
      // One observer more, and no vote of ours: where all nodes say so, the rule above wakes somebody.
      expr: `max without (source, instance, pod) (stakewatch_validator_listed_reachable_ratio) < ${limits.reachable}
  unless on (job, network, subnet, node_id) ${CONNECTED} == 0`,
      for: 30 * MINUTE,
      hold: HOLD,
      summary: 'The data service gets no answers from the validator, or few.',
      description: `Validator ${validator} answers {{ humanizePercentage $value }} of the requests of the data service's own node. Others on the network may see the same, and they vote on its reward.`,
    },
    {
      alert: 'StakewatchDowntimeBudgetSmall',
      severity: 'warning',
      // The network votes on the reward, so the nodes vote here: when most of them are below the limit, so is the median.
      expr: `${BUDGET} < clamp_max(${limits.budgetSmallShare} * (1 - ${required}) * ${term}, ${limits.budgetSmall})
  and ${BUDGET} >= 0
  unless ${saying('safe')} > 0.5
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The validator may not be down for much longer before its staking reward is lost.',
      description: `By the median of the nodes that watch it, validator ${validator} may be down for {{ humanizeDuration $value }} more before its reward is lost.`,
    },
    {
      alert: 'StakewatchDowntimeBudgetEnding',
      severity: 'critical',
      // One that comes and goes loses more slowly: what an hour took tells when nothing is left.
      expr: `${BUDGET} >= 0
  and (
    (${BUDGET} < ${limits.budgetEnding} and ${CONNECTED} < 0.5)
    or predict_linear(${BUDGET}[1h], ${limits.budgetEnding}) < 0
  )
  unless ${saying('safe')} > 0.5
  ${isTracked}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The validator is about to lose its staking reward.',
      description: `By the median of the nodes that watch it, validator ${validator} may be down for {{ humanizeDuration $value }} more before its reward is lost. As it goes now, that is within a day.`,
    },
    {
      alert: 'StakewatchRewardLost',
      severity: 'warning',
      expr: `${isLost}
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The staking reward of the validator is lost.',
      description: `{{ humanizePercentage $value }} of the nodes that watch validator ${validator} say that it has been down for too long: its reward is lost, and what is mended now will not bring it back.`,
    },
    {
      alert: 'StakewatchStakeEnding',
      severity: 'warning',
      // An auto-renewed stake goes on, unless its next period is 0 or the reward of this period is lost: then it leaves.
      // Without a next period the term is fixed.
      expr: `clamp_min(${latest('stakewatch_validator_end_timestamp_seconds')} - time(), 0) < ${limits.stakeEndNear}
  unless (
    ${latest('stakewatch_validator_next_period_seconds')} > 0
    unless ${isLost}
  )
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The stake of the validator ends soon and will not be renewed by itself.',
      description: `The stake of validator ${validator} ends in {{ humanizeDuration $value }}. From then on it earns nothing until somebody stakes again.`,
    },
    {
      alert: 'StakewatchValidatorRemoved',
      severity: 'warning',
      expr: `${latest('increase(stakewatch_validator_renewals_total{outcome="removed"}[1d])')} > 0`,
      // Three runs in a row have told it.
      for: 0,
      hold: HOLD,
      summary: 'The auto-renewed validator was removed: the reward of its period is lost.',
      description: `Within the last day validator ${validator} lost the reward of its period, and so it did not begin the next one: it has left the set, and earns nothing until somebody stakes again.`,
    },
    {
      alert: 'StakewatchValidatorNotUpgraded',
      severity: 'warning',
      // A validator of several subnets is one node. Any node that it told the truth is right. A few peers that know an upgrade
      // of their own are not the network.
      expr: `max by (job, network, node_id) (stakewatch_validator_upgrade_ready) == 0
  and on (job, network) max by (job, network) (stakewatch_node_peers_upgrade_ready_ratio) > ${limits.upgradeOfMost}`,
      for: HOUR,
      hold: HOLD,
      summary: 'Most of the stake is ready for an upgrade that the validator does not know.',
      description:
        'The software of validator {{ $labels.node_id }} of {{ $labels.network }} does not know the next upgrade of the network, and that of most of the stake does: when the upgrade comes into force the validator is down.',
    },
    {
      alert: 'StakewatchValidatorUnknown',
      severity: 'critical',
      // Where no node is configured the collector never runs, and nothing is missing.
      expr: `${latest('stakewatch_validator_tracked')}
  unless on (job, network, subnet, node_id) stakewatch_validator_in_set
  and on (job, network) stakewatch_collector_interval_seconds{collector="validators"}
  unless on (job, network) ${NODES_DOWN}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'Nothing is known about a tracked validator any more.',
      description: `No node says whether validator ${validator} is in the set: what happens to it now is not seen, and no other alert about it can fire.`,
    },
    {
      alert: 'StakewatchValidatorTampered',
      severity: 'critical',
      expr: unmet(`stakewatch_validator_expectation_met{expectation=~"${TAMPERING}"}`),
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The reward owner, the balance owner or the signing key of the validator is not the declared one.',
      description: `Validator ${validator} does not have the {{ $labels.expectation }} that the configuration declares: what it earns, keeps or signs may be in other hands.`,
    },
  ],
})
