// Alerts about the observers of validators, downtime budgets and rewards.

import { awayOf, failingOf, NODES } from './causes.ts'
import { CONNECTED, L1_CONNECTED } from './connections.ts'
import {
  across,
  IN_SET,
  HOUR,
  isLost,
  isTracked,
  knownValidator,
  latest,
  MINUTE,
  named,
  oncePerMachine,
  type Rule,
  SAME_VALIDATOR,
  saying,
  validator,
  watchedBy,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'
import { END, HOUR_AGO, START } from './validator-stakes.ts'

/** Bridges short outages, which would otherwise restart the waiting time of the alert. */
const AWAY_FOR_LONG = `max_over_time(${CONNECTED}[5m])`
const OPINION = 'observer:stakewatch_validator_downtime_budget_seconds:min'
const BUDGET = 'validator:stakewatch_validator_downtime_budget_seconds:median'
/** The lowest requirement of any observer: they differ only while one of them lacks an upgrade. */
const required = across('min', 'stakewatch_validator_required_uptime_ratio', 'source')
/**
 * The budget is below the limit and the validator is disconnected, or the loss of the last hour would use it up within the limit.
 * Each observer is compared with itself, because the set of observers changes.
 */
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

/** The only configured node of the network is the validator itself. */
const ALONE = `${oncePerMachine('stakewatch_validator_observers')} == 0`
/**
 * Tracked validators of a subnet whose connection no node reports, although l1-liveness runs. Excludes subnets whose chain a node
 * is bootstrapping or failed to run, because these have alerts of their own.
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

/** Validators on which observers disagree, or which none of them sees. */
export const observers = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchObserversDisagree',
    panel: 'validator: Connection by observer',
    severity: 'warning',
    // A majority is covered by other rules, and a minority is outvoted.
    expr: `(
    ${CONNECTED} == 0.5
    or ${L1_CONNECTED} == 0.5
    or ${saying('lost')} == 0.5
  )
  ${isTracked}`,
    for: 25 * MINUTE,
    quietFor: 'validator',
    summary: 'Half of the nodes that watch the validator report it as disconnected or its reward as lost.',
    description: `Half of the nodes that watch validator ${validator} report that it is disconnected or that its reward is lost; the other half does not. A tie does not page: check the validator, and add a node to get a majority.`,
  },
  {
    alert: 'StakewatchValidatorUnobserved',
    panel: 'fleet: Tracked validators',
    severity: 'warning',
    // A validator of several subnets is one machine, so one alert.
    expr: `${ALONE}
  or ${UNWATCHED_IN_SUBNET}
    unless on (job, network, node_id) ${ALONE}`,
    for: 15 * MINUTE,
    quietFor: 'machine',
    summary: 'No other node watches the validator: its uptime is unknown.',
    description: `{{ if $labels.subnet }}Validator ${named} is the only configured node that runs the chain of {{ $labels.network }}/{{ $labels.subnet }}: stakewatch cannot see whether it is connected. Add another node of that L1.{{ else }}Validator ${named} is the only configured node of {{ $labels.network }}, and a node does not count its own uptime: stakewatch cannot see whether it is connected or whether its reward is safe. Add another node.{{ end }}`,
  },
  {
    alert: 'StakewatchValidatorUnreachable',
    panel: 'validator: Answers to the data service',
    severity: 'warning',
    // The data service has no vote: if half of our nodes or more are disconnected, the rules above apply.
    expr: `${latest('stakewatch_validator_listed_reachable_ratio', 'source')} < ${limits.reachable}
  unless ${SAME_VALIDATOR} ${CONNECTED} <= 0.5`,
    for: 25 * MINUTE,
    quietFor: 'validator',
    summary: "The validator answers few or none of the data service's requests.",
    description: `Validator ${validator} answers {{ humanizePercentage $value }} of the requests from the data service's own node. Other validators may have the same problem with it, and they vote on its reward.`,
  },
]

/** Downtime budgets and lost rewards. */
export const rewards = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchDowntimeBudgetSmall',
    panel: 'validator: Observers',
    severity: 'warning',
    // The median of the nodes, because the network also votes on the reward.
    expr: `${BUDGET} < clamp_max(${limits.budgetSmallShare} * (1 - ${required}) * (${END} - ${START}), ${limits.budgetSmall})
  and ${BUDGET} >= 0
  unless ${saying('safe')} > 0.5
  unless ${budgetEnding(limits, AWAY_FOR_LONG)}
  ${isTracked}`,
    for: 10 * MINUTE,
    summary: 'The validator has little downtime left before it loses its staking reward.',
    description: `Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it).`,
  },
  {
    alert: 'StakewatchDowntimeBudgetEnding',
    panel: 'validator: Observers',
    severity: 'critical',
    // For a flapping validator, the loss of the last hour counts, unless a new period with a new budget started in that hour.
    expr: `${budgetEnding(limits, CONNECTED)}
  ${isTracked}`,
    for: 5 * MINUTE,
    known: knownValidator(BUDGET),
    summary: 'The validator is about to lose its staking reward.',
    description: `Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it). At the current rate that happens within a day.`,
  },
  {
    alert: 'StakewatchRewardLost',
    panel: 'validator: Reward by observer',
    severity: 'warning',
    expr: `${isLost}
  ${isTracked}`,
    for: 10 * MINUTE,
    known: knownValidator('validator:stakewatch_validator_reward_state:avg'),
    summary: 'The validator has lost its staking reward.',
    description: `{{ humanizePercentage $value }} of the nodes that watch validator ${validator} report that it was down for too long to get its reward. Repairs made now will not bring this reward back.`,
  },
]
