// Alerts about validators: their connection, their reward, the end of their stake, their owners and keys, and the balance
// of L1 validators.

import { DAY, type Group, HOLD, HOUR, latest, MINUTE, TAMPERING, unmet, validator } from './rule.ts'

/** Somebody has to wake up, find the cause and mend it before the reward is gone. */
const LEAST_BUDGET = 6 * HOUR
/** Requests of an observer that a validator answers when the way to it is sound; it may lose some. */
const LEAST_ANSWERS = 0.5
/** A new stake needs tokens, keys and people who sign. */
const END_IN_SIGHT = 7 * DAY
/** A top-up needs the same, and an L1 validator that has run dry may not come back. */
const LEAST_RUNWAY = 7 * DAY

/** Before a page for the same balance. In a small L1 each balance is one too many, so only a near end says anything. */
const NEXT_IN_SIGHT = 14 * DAY

/** A validator may be watched only because its whole subnet is: nobody here can mend it. */
const isTracked = 'and on (job, network, subnet, node_id) stakewatch_validator_tracked'

const budget = 'min without (instance, pod) (stakewatch_validator_downtime_budget_seconds)'
/** By strict majority of the nodes that watch it. */
const isLost =
  'avg without (source, state) (max without (instance, pod) (stakewatch_validator_reward_state{state="lost"})) > 0.5'
const outOfDanger = 'max without (state, instance, pod) (stakewatch_validator_reward_state{state=~"safe|on_track"})'

export const validators: Group = {
  name: 'stakewatch-validators',
  rules: [
    {
      alert: 'StakewatchValidatorDisconnected',
      severity: 'critical',
      // A single node that cannot reach the validator is not the network.
      expr: `max without (source, instance, pod) (stakewatch_validator_connected) == 0
  ${isTracked}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'No node that watches the validator is connected to it.',
      description: `Every node with an opinion says that validator ${validator} is disconnected. Each second of it is taken from its downtime budget.`,
    },
    {
      alert: 'StakewatchValidatorUnreachable',
      severity: 'warning',
      // One observer more, and no vote of ours: where all nodes say so, the rule above wakes somebody.
      expr: `max without (source, instance, pod) (stakewatch_validator_listed_reachable_ratio) < ${LEAST_ANSWERS}
  unless on (job, network, subnet, node_id) max without (source, instance, pod) (stakewatch_validator_connected) == 0`,
      for: 30 * MINUTE,
      hold: HOLD,
      summary: 'The data service gets no answers from the validator, or few.',
      description: `Validator ${validator} answers {{ humanizePercentage $value }} of the requests of the data service's own node. Others on the network may see the same, and they vote on its reward.`,
    },
    {
      alert: 'StakewatchDowntimeBudgetSmall',
      severity: 'critical',
      // The network votes on the reward, so the nodes vote on the page. The value is the median: when most nodes are below
      // the limit, so is the median.
      expr: `quantile without (source) (0.5, ${budget})
  and avg without (source) (${budget} < bool ${LEAST_BUDGET}) > 0.5
  unless avg without (source) (${outOfDanger}) > 0.5
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The validator is about to lose its staking reward, or has lost it.',
      description: `{{ if lt $value 0.0 }}By the median of the nodes that watch it, validator ${validator} has been down for too long: its reward is lost, and what is mended now will not bring it back.{{ else }}Validator ${validator} may be down for {{ humanizeDuration $value }} more, by the median of the nodes that watch it, before its reward is lost.{{ end }}`,
    },
    {
      alert: 'StakewatchStakeEnding',
      severity: 'warning',
      // An auto-renewed stake goes on, unless its next period is 0 or the reward of this period is lost: then it leaves.
      // Without a next period the term is fixed.
      expr: `clamp_min(${latest('stakewatch_validator_end_timestamp_seconds')} - time(), 0) < ${END_IN_SIGHT}
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
  and on (job, network) max by (job, network) (stakewatch_node_peers_upgrade_ready_ratio) > 0.5`,
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
  and on (job, network) stakewatch_collector_interval_seconds{collector="validators"}`,
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
}

/** A node that sees less than others may have the problem itself: the best view counts. */
const marginOf = (threshold: string, when: string) =>
  `max without (source, threshold, when, instance, pod) (stakewatch_l1_liveness_margin{threshold="${threshold}",when="${when}"})`
/** What the data service lists, where no node tells of the liveness of the L1. */
const listed = (expr: string) => `(
    ${expr}
    unless on (job, network, subnet) max without (source, threshold, when, instance, pod) (stakewatch_l1_liveness_margin)
  )`
const listedWeight = (of: string) => `max without (of, instance, pod) (stakewatch_l1_listed_weight{of="${of}"})`
const listedShare = (of: string) => `${listedWeight(of)} / ${listedWeight('total')}`
const ofL1 = '{{ $labels.network }}/{{ $labels.subnet }}'
/** What blocks need, and what is left for those that may be away. */
const SPARE = 0.25

export const l1: Group = {
  name: 'stakewatch-l1',
  rules: [
    {
      alert: 'StakewatchL1WeightLow',
      severity: 'critical',
      // Without a node nobody tells who is connected. But whoever has no balance is away for sure.
      expr: `${marginOf('health', 'now')} + 0.8 < 0.8
  or ${listed(`${listedShare('active')} < 0.8`)}`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'Too little weight of the L1 takes part: it is about to stand still, or does.',
      description: `Of the weight of L1 ${ofL1} {{ humanizePercentage $value }} take part: no node that runs its chain is connected to more, or, where no node tells, the data service lists no more with a balance. Below 75 % it makes no blocks, and a node that is restarted does not come back.`,
    },
    {
      alert: 'StakewatchL1OneStepFromStall',
      severity: 'warning',
      // An L1 in which one validator holds more than a quarter of the weight is always in that state: nothing is missing.
      expr: `(
    ${marginOf('blocks', 'greatest_stops')} < 0
    and ${marginOf('blocks', 'now')} - ${marginOf('blocks', 'greatest_stops')} <= ${SPARE}
  )
  or ${marginOf('blocks', 'balance_ends')} < 0
  or ${listed(`${listedShare('after_next_balance')} < 0.75
    and ${latest('stakewatch_l1_listed_next_depletion_timestamp_seconds')} - time() < ${NEXT_IN_SIGHT}`)}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'The L1 stands still when one more validator stops or the next balance has run out.',
      description: `So much weight of L1 ${ofL1} is away that it makes no blocks any more when its heaviest validator restarts, or when the next balance has run out. Then a node that is restarted does not come back either.`,
    },
    {
      alert: 'StakewatchL1BalanceRunningOut',
      severity: 'critical',
      // The value 0 means inactive and nothing else: an active validator whose time is up by this reckoning has the value 1.
      // What the data service lists counts for those of whom no node tells: with a node there is no second page.
      expr: `${latest('stakewatch_l1_validator_active')} == 0
  or clamp_min(${latest('stakewatch_l1_validator_depletion_timestamp_seconds')} - time(), 1) < ${LEAST_RUNWAY}
  or (
    (
      ${latest('stakewatch_l1_validator_listed_balance_tokens')} == 0
      or clamp_min(${latest('stakewatch_l1_validator_listed_depletion_timestamp_seconds')} - time(), 1) < ${LEAST_RUNWAY}
    )
    unless on (job, network, subnet, node_id) ${latest('stakewatch_l1_validator_active')}
  )`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The balance of the L1 validator runs out, or has run out.',
      description: `{{ if eq $value 0.0 }}L1 validator ${validator} has no balance left and is inactive; its weight still counts in the total of the L1.{{ else }}The balance of L1 validator ${validator} runs out in {{ humanizeDuration $value }}; then it goes inactive, and may not come back after a top-up.{{ end }}`,
    },
    {
      alert: 'StakewatchSubnetChanged',
      severity: 'warning',
      expr: `${latest('increase(stakewatch_subnet_changes_total[1h])')} > 0`,
      // Two runs in a row have told it.
      for: 0,
      hold: HOLD,
      summary: 'The subnet has another owner, or another manager of its validators.',
      description:
        'Within the last hour the {{ $labels.what }} of subnet {{ $labels.network }}/{{ $labels.subnet }} has changed: who may change the subnet (owner), or which contract decides on its validators (manager). If it was none of you, somebody else can sign for it.',
    },
  ],
}
