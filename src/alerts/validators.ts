// Alerts about validators: their reward, the end of their stake, their place in the set, their owners and
// keys.

import { awayOf, failingOf, NODES, ownNodes } from './causes.ts'
import { CONNECTED, connections, L1_CONNECTED } from './connections.ts'
import {
  across,
  asPlanned,
  endIsOver,
  type Group,
  HOLD,
  HOUR,
  isLost,
  isTracked,
  type Known,
  knownPlace,
  knownValidator,
  latest,
  MINUTE,
  NODES_DOWN,
  oncePerMachine,
  type Rule,
  SAME_VALIDATOR,
  saying,
  TAMPERING,
  unmet,
  upgradeIsNear,
  validator,
  VALIDATOR_LATE,
  watchedBy,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Until the alert about an outage has fired; else each short one would begin the wait for another alert anew. */
const AWAY_FOR_LONG = `max_over_time(${CONNECTED}[5m])`
const OPINION = 'observer:stakewatch_validator_downtime_budget_seconds:min'
const BUDGET = 'validator:stakewatch_validator_downtime_budget_seconds:median'
/** The least that any observer requires: they differ only while one of them is behind an upgrade. */
const required = across('min', 'stakewatch_validator_required_uptime_ratio', 'source')
const START = latest('stakewatch_validator_start_timestamp_seconds')
const HOUR_AGO = latest('stakewatch_validator_start_timestamp_seconds offset 1h')
const END = latest('stakewatch_validator_end_timestamp_seconds')
const IN_SET = latest('stakewatch_validator_in_set')

/** What an hour took, as often as the limit has hours: each observer compares with itself, as others come and go. */
const budgetEnding = ({ budgetEnding: limit }: Thresholds, connected: string) => `(
    ${BUDGET} >= 0
    and (
      (${BUDGET} < ${limit} and ${connected} < 0.5)
      or (
        quantile without (source) (0.5, ${OPINION} - ${limit / HOUR} * (${OPINION} offset 1h - ${OPINION})) < 0
        unless ${START} != ${HOUR_AGO}
      )
    )
    unless ${saying('safe')} > 0.5
  )`

/**
 * Seconds until a stake ends that does not go on. An auto-renewed one does, unless its next period is 0 or the reward of this
 * period is lost: then it leaves. Without a next period the term is fixed.
 */
const endsIn = `(
    clamp_min(${END} - time(), 0)
    unless (
      ${latest('stakewatch_validator_next_period_seconds')} > 0
      unless ${isLost}
    )
  )`

/** One step of the countdown to the end of a stake: it fires below the first number of seconds, down to the second. */
function stakeStep(
  alert: string,
  severity: Rule['severity'],
  [below, least]: readonly [number, number?],
  limits: Thresholds,
): Pick<Rule, 'alert' | 'severity' | 'expr' | 'for' | 'hold' | 'description'> {
  return {
    alert,
    severity,
    expr: `${endsIn} < ${below}${least === undefined ? '' : ` >= ${least}`}
  unless ${asPlanned(END, limits)}
  ${isTracked}`,
    for: MINUTE,
    hold: HOLD,
    description: `The stake of validator ${validator} ends in {{ humanizeDuration $value }}. After that it earns nothing until it is staked again.`,
  }
}

/** Validators that are not in the set any more though nobody knew of an end: an earlier look tells that they were there. */
const left = `(
    ${IN_SET} == 0
    and ${latest('max_over_time(stakewatch_validator_in_set[1d])')} == 1
    unless ${latest('last_over_time(stakewatch_validator_end_timestamp_seconds[1d])')} <= time()
  )`
const REMOVED = `${latest('increase(stakewatch_validator_renewals_total{outcome="removed"}[1d])')} > 0`
const saidOtherwise = (limits: Thresholds) => `unless ${SAME_VALIDATOR} ${endIsOver(limits)}
  unless ${SAME_VALIDATOR} ${REMOVED}`

/** Own stake on the primary network, where delegations come and go, else the weight. */
const ownWeight = (at: string) =>
  `(${latest(`stakewatch_validator_stake_tokens${at}`)} or ${latest(`stakewatch_validator_weight${at}`)})`
const CHANGE = `(${ownWeight('')} / ${ownWeight(' offset 1h')} - 1)`

/** The only configured node of the network is the validator itself. */
const ALONE = `${oncePerMachine('stakewatch_validator_observers')} == 0`
/**
 * Tracked validators of a subnet whose connection no node reports, though l1-liveness asks and no node is about to run the
 * chain or has failed to: these have alerts of their own.
 */
const UNWATCHED_IN_SUBNET = `(
    ${latest('stakewatch_validator_tracked')}
    and on (job, network, subnet) ${watchedBy('l1-liveness')}
    and ${SAME_VALIDATOR} ${IN_SET} == 1
    unless ${SAME_VALIDATOR} stakewatch_l1_validator_connected
    unless on (job, network, subnet) (
      stakewatch_l1_chain_state{state=~"bootstrapping|dead|failed"} == 1
      or ${failingOf('subnet', '(.+)')}
    )
    unless on (job, network) ${awayOf(NODES)}
  )`

/** With the id of the node; an address may lead to several nodes. */
const NAMED_NODE_LATE = `max without (id) (label_replace(
        (${latest('stakewatch_node_upgrade_ready')} == 0)
          * on (job, network, source) group_left (id)
          topk by (job, network, source) (1, max by (job, network, source, id) (stakewatch_node_info)),
        "node_id", "$1", "id", "(.+)"
      ))`
/** A few peers that know an upgrade of their own are not the network. */
const mostAreReady = ({ upgradeOfMost }: Thresholds) =>
  `and on (job, network) max by (job, network) (stakewatch_node_peers_upgrade_ready_ratio) > ${upgradeOfMost}`

/** Whether the machine is ready, as a node or as a validator. Once nodes know of no upgrade that comes there is nothing left to report. */
const KNOWN_UPGRADE: Known = {
  by: `stakewatch_node_upgrade_ready or ${latest('stakewatch_validator_upgrade_ready', 'source')}`,
  ended: {
    series: `(
    stakewatch_collector_success{collector="node-peers"} == 1
    unless on (job, network) stakewatch_node_upgrade_timestamp_seconds
  )`,
    labels: 'job, network',
  },
  labels: 'job, network, source, validator',
  name: '{{ with $labels.source }}node {{ . }}{{ end }}{{ with $labels.validator }}validator {{ . }}{{ end }}',
  of: {
    series: 'stakewatch_upstream_up or stakewatch_validator_tracked',
    labels: 'job, network, source, validator',
  },
}

export const validators = (limits: Thresholds): Group => ({
  name: 'stakewatch-validators',
  rules: [
    ...connections(limits),
    {
      alert: 'StakewatchObserversDisagree',
      severity: 'warning',
      // More than half of them are the rules above and below; less than half are outvoted.
      expr: `(
    ${CONNECTED} == 0.5
    or ${L1_CONNECTED} == 0.5
    or ${saying('lost')} == 0.5
  )
  ${isTracked}`,
      for: 25 * MINUTE,
      hold: HOLD,
      summary: 'Half of the nodes that watch the validator report it as disconnected or its reward as lost.',
      description: `Half of the nodes that watch validator ${validator} report that it is disconnected or that its reward is lost; the other half does not. A tie does not page: check the validator, and add a node to get a majority.`,
    },
    {
      alert: 'StakewatchValidatorUnobserved',
      severity: 'warning',
      // A validator of several subnets is one node.
      expr: `${ALONE}
  or ${UNWATCHED_IN_SUBNET}
    unless on (job, network, node_id) ${ALONE}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'No other node watches the validator: its uptime is unknown.',
      description:
        '{{ if $labels.subnet }}Validator {{ $labels.validator }} ({{ $labels.node_id }}) is the only configured node that runs the chain of {{ $labels.network }}/{{ $labels.subnet }}: stakewatch cannot see whether it is connected. Add another node of that L1.{{ else }}Validator {{ $labels.validator }} ({{ $labels.node_id }}) is the only configured node of {{ $labels.network }}, and a node does not count its own uptime: stakewatch cannot see whether it is connected or whether its reward is safe. Add another node.{{ end }}',
    },
    {
      alert: 'StakewatchValidatorUnreachable',
      severity: 'warning',
      // One observer more, and no vote of ours: where half of the nodes or more say so, one of the rules above speaks.
      expr: `${latest('stakewatch_validator_listed_reachable_ratio', 'source')} < ${limits.reachable}
  unless ${SAME_VALIDATOR} ${CONNECTED} <= 0.5`,
      for: 25 * MINUTE,
      hold: HOLD,
      summary: "The validator answers few or none of the data service's requests.",
      description: `Validator ${validator} answers {{ humanizePercentage $value }} of the requests from the data service's own node. Other validators may have the same problem with it, and they vote on its reward.`,
    },
    {
      alert: 'StakewatchDowntimeBudgetSmall',
      severity: 'warning',
      // The network votes on the reward, so the nodes vote here: when most of them are below the limit, so is the median.
      expr: `${BUDGET} < clamp_max(${limits.budgetSmallShare} * (1 - ${required}) * (${END} - ${START}), ${limits.budgetSmall})
  and ${BUDGET} >= 0
  unless ${saying('safe')} > 0.5
  unless ${budgetEnding(limits, AWAY_FOR_LONG)}
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The validator has little downtime left before it loses its staking reward.',
      description: `Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it).`,
    },
    {
      alert: 'StakewatchDowntimeBudgetEnding',
      severity: 'critical',
      // One that comes and goes loses more slowly: what the last hour took tells when nothing is left. Not where another
      // period has begun within the hour, as that has another budget.
      expr: `${budgetEnding(limits, CONNECTED)}
  ${isTracked}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownValidator(BUDGET),
      summary: 'The validator is about to lose its staking reward.',
      description: `Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it). At the current rate that happens within a day.`,
    },
    {
      alert: 'StakewatchRewardLost',
      severity: 'warning',
      expr: `${isLost}
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      known: knownValidator('validator:stakewatch_validator_reward_state:avg'),
      summary: 'The validator has lost its staking reward.',
      description: `{{ humanizePercentage $value }} of the nodes that watch validator ${validator} report that it was down for too long to get its reward. Repairs made now will not bring this reward back.`,
    },
    {
      ...stakeStep('StakewatchStakeEndPlanned', 'info', [limits.stakeEndPlanned, limits.stakeEndNear], limits),
      summary: 'The stake of the validator ends within two weeks and does not renew automatically.',
    },
    {
      ...stakeStep('StakewatchStakeEnding', 'warning', [limits.stakeEndNear, limits.stakeEndLast], limits),
      summary: 'The stake of the validator ends within a week and does not renew automatically.',
    },
    {
      ...stakeStep('StakewatchStakeEndsSoon', 'critical', [limits.stakeEndLast], limits),
      known: knownValidator(END),
      summary: 'The stake of the validator ends today or tomorrow and does not renew automatically.',
    },
    {
      alert: 'StakewatchDelegationEnding',
      severity: 'info',
      // When the stake itself ends, so do all delegations: that has a countdown of its own.
      expr: `${latest('stakewatch_validator_delegated_ending_ratio{within="7d"}', 'within')} > ${limits.delegationEnding}
  unless ${endsIn} < ${limits.stakeEndPlanned}
  ${isTracked}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'A large part of the delegations to the validator ends within a week.',
      description: `{{ humanizePercentage $value }} of the tokens delegated to validator ${validator} leave within a week, and their fees with them.`,
    },
    {
      alert: 'StakewatchValidatorGone',
      severity: 'critical',
      expr: `${left}
  ${saidOtherwise(limits)}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownPlace,
      summary: 'The validator left the validator set unexpectedly.',
      description: `Validator ${validator} was in the validator set within the last day and no longer is, although no end of its validation was known. It earns nothing and cannot vote.`,
    },
    {
      alert: 'StakewatchValidatorNotInSet',
      severity: 'warning',
      // A removal after a lost reward is known a quarter of an hour later.
      expr: `${IN_SET} == 0
  unless ${left}
  ${saidOtherwise(limits)}`,
      for: 20 * MINUTE,
      hold: HOLD,
      summary: 'A tracked validator is not in the validator set.',
      description: `Validator ${validator} is configured but not in the validator set: its stake has ended, or it never started. No other alert about it can fire.`,
    },
    {
      alert: 'StakewatchValidatorRemoved',
      severity: 'warning',
      expr: REMOVED,
      // Three runs in a row have told it.
      for: 0,
      hold: HOLD,
      summary: 'The auto-renewed validator was removed and lost the reward of its period.',
      description: `Validator ${validator} lost the reward of its period within the last day, so the next period did not start. It has left the validator set and earns nothing until it is staked again.`,
    },
    {
      alert: 'StakewatchWeightChanged',
      severity: 'warning',
      // A validation that begins again, or compounds at a renewal, may have more stake. Less is always news.
      expr: `(
    ${CHANGE} < -${limits.weightChange}
    or ${CHANGE} > ${limits.weightChange} unless ${START} != ${HOUR_AGO}
  )
  ${isTracked}`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The weight of the validator has changed.',
      description: `The weight of validator ${validator} (on the primary network, its own stake) changed by {{ humanizePercentage $value }} within the last hour. Check that the change was intended.`,
    },
    {
      alert: 'StakewatchValidatorNotUpgraded',
      severity: 'warning',
      // The same machine may be a configured node: the alert about nodes leaves it out.
      expr: `${VALIDATOR_LATE}
  ${mostAreReady(limits)}
  unless on (job, network) ${upgradeIsNear(limits)}`,
      for: 25 * MINUTE,
      hold: HOLD,
      summary: 'The validator does not support the next upgrade, and most of the stake does.',
      description:
        'Validator {{ $labels.validator }} ({{ $labels.node_id }}) on {{ $labels.network }} runs software that does not support the next upgrade of the network, while most of the stake does. Upgrade it first, or it goes down when the upgrade activates.',
    },
    {
      alert: 'StakewatchUpgradeNear',
      severity: 'critical',
      // A node that is the validator as well is one page.
      expr: `(
    ${NAMED_NODE_LATE}
    or on (job, network, source) ${latest('stakewatch_node_upgrade_ready')} == 0
    or (
      ${VALIDATOR_LATE}
      unless on (job, network, node_id) ${NAMED_NODE_LATE}
    )
  )
  ${mostAreReady(limits)}
  and on (job, network) ${upgradeIsNear(limits)}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: KNOWN_UPGRADE,
      summary: 'A network upgrade that the validator or node does not support is about to activate.',
      description:
        '{{ if $labels.source }}Node {{ $labels.source }}{{ with $labels.node_id }} ({{ . }}){{ end }}{{ else }}Validator {{ $labels.validator }} ({{ $labels.node_id }}){{ end }} on {{ $labels.network }} does not support an upgrade that activates soon, and most of the stake does. Upgrade it now, or it stops following the network.',
    },
    {
      alert: 'StakewatchValidatorUnknown',
      severity: 'critical',
      // Where no node is configured the collector never runs, and nothing is missing. While no node has caught up since it
      // started, that is the news, if one of them is a tracked validator: the alert about that one wakes somebody.
      expr: `${latest('stakewatch_validator_tracked')}
  unless ${SAME_VALIDATOR} stakewatch_validator_in_set
  and on (job, network) stakewatch_collector_interval_seconds{collector="validators"}
  unless on (job, network) (
    ${NODES_DOWN}
    or nodes:stakewatch_upstream_up:ready == 0 and on (job, network) ${ownNodes()}
  )`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownPlace,
      summary: 'There is no data about a tracked validator.',
      description: `No node reports whether validator ${validator} is in the validator set. stakewatch cannot see what happens to it, and no other alert about it can fire.`,
    },
    {
      alert: 'StakewatchValidatorTampered',
      severity: 'critical',
      expr: unmet(`stakewatch_validator_expectation_met{expectation=~"${TAMPERING}"}`),
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownValidator(latest('stakewatch_validator_expectation_met'), ', expectation'),
      summary: 'The reward owner, balance owner or signing key of the validator differs from the configuration.',
      description: `Validator ${validator} does not have the {{ $labels.expectation }} declared in the configuration. If your team did not change it, an attacker may control its rewards, balance or signatures.`,
    },
  ],
})
