// Alerts about the stakes of validators: their end, their delegations and their weight.

import {
  asPlanned,
  between,
  isLost,
  isTracked,
  knownValidator,
  latest,
  MINUTE,
  type Rule,
  type Step,
  validator,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

export const START = latest('stakewatch_validator_start_timestamp_seconds')
export const HOUR_AGO = latest('stakewatch_validator_start_timestamp_seconds offset 1h')
export const END = latest('stakewatch_validator_end_timestamp_seconds')

/**
 * Seconds until the end of stakes that are not renewed. An auto-renewed stake continues unless its next period is 0 or the reward of
 * this period is lost.
 */
const endsIn = `(
    clamp_min(${END} - time(), 0)
    unless (
      ${latest('stakewatch_validator_next_period_seconds')} > 0
      unless ${isLost}
    )
  )`

/** One step of the countdown to the end of a stake: it fires below the first number of seconds, down to the second one. */
function stakeStep(
  alert: string,
  severity: Rule['severity'],
  [below, least]: readonly [number, number?],
  limits: Thresholds,
): Step {
  return {
    alert,
    panel: 'validator: Term',
    severity,
    expr: `${between(endsIn, below, least)}
  unless ${asPlanned(END, limits)}
  ${isTracked}`,
    for: MINUTE,
    description: `The stake of validator ${validator} ends in {{ humanizeDuration $value }}. After that it earns nothing until it is staked again.`,
  }
}

/** Own stake on the primary network, because delegations change its weight; else the weight. */
const ownWeight = (at: string) =>
  `(${latest(`stakewatch_validator_stake_tokens${at}`)} or ${latest(`stakewatch_validator_weight${at}`)})`
const CHANGE = `(${ownWeight('')} / ${ownWeight(' offset 1h')} - 1)`

/** Stakes and delegations that end. */
export const stakes = (limits: Thresholds): readonly Rule[] => [
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
    panel: 'validator: Term',
    severity: 'info',
    // When the stake ends, all delegations end with it; the countdown above covers that.
    expr: `${latest('stakewatch_validator_delegated_ending_ratio{within="7d"}', 'within')} > ${limits.delegationEnding}
  unless ${endsIn} < ${limits.stakeEndPlanned}
  ${isTracked}`,
    for: 10 * MINUTE,
    summary: 'A large part of the delegations to the validator ends within a week.',
    description: `{{ humanizePercentage $value }} of the tokens delegated to validator ${validator} leave within a week, and their fees with them.`,
  },
]

export const weightChanged = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchWeightChanged',
    panel: 'validator: Stake with delegations',
    severity: 'warning',
    // More stake is expected when a validation starts again or compounds at a renewal. Less stake never is.
    expr: `(
    ${CHANGE} < -${limits.weightChange}
    or ${CHANGE} > ${limits.weightChange} unless ${START} != ${HOUR_AGO}
  )
  ${isTracked}`,
    for: 5 * MINUTE,
    summary: 'The weight of the validator has changed.',
    description: `The weight of validator ${validator} (on the primary network, its own stake) changed by {{ humanizePercentage $value }} within the last hour. Check that the change was intended.`,
  },
]
