// The stakes of validators: their end, their delegations and their weight.

import { type Rule, validator } from '../../alerts/rule.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from '../condition.ts'
import { ifKnown, TEXT } from '../details.ts'
import { hasEnded, isTracked } from './connections.ts'
import { isPlannedFor, PLANNED_END } from '../l1-runways.ts'
import { isRewardLost, REWARD_READS } from '../validator-votes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { valueAgo } from '../track.ts'
import type { Remembered, View } from '../view.ts'
import { IN_SET, TRACKED } from '../nodes.ts'

export const START = 'stakewatch_validator_start_timestamp_seconds'
export const END = 'stakewatch_validator_end_timestamp_seconds'
const NEXT_PERIOD = 'stakewatch_validator_next_period_seconds'
const DELEGATED_ENDING = 'stakewatch_validator_delegated_ending_ratio'
const STAKE = 'stakewatch_validator_stake_tokens'
const WEIGHT = 'stakewatch_validator_weight'

const hourly = (name: string, read: Remembered['read']): Remembered => ({
  name,
  of: 'validator',
  for: HOUR,
  read: (view) => (isTracked(view) ? read(view) : undefined),
})
export const startLately = hourly('start', (view) => view.value(START))
const weightLately = hourly('own_weight', ownWeight)

/** A validation started again or a new period began within the hour. */
export function hasJustStarted(view: View): boolean {
  const [start, before] = [view.value(START), valueAgo(view.track(startLately), view.now, HOUR)]
  return start !== undefined && before !== undefined && start !== before
}

/**
 * Seconds until the end of a stake that is not renewed. An auto-renewed stake continues unless its next period is 0 or the reward of
 * this period is lost.
 */
function endsIn(view: View): number | undefined {
  const end = view.value(END)
  const isRenewed = (view.value(NEXT_PERIOD) ?? 0) > 0 && !isRewardLost(view)
  return end === undefined || isRenewed ? undefined : Math.max(end - view.now, 0)
}

/** Why an auto-renewed stake ends; undefined for a fixed term. */
function whyNotRenewed(view: View): string | undefined {
  const next = view.value(NEXT_PERIOD)
  if (next === undefined) return undefined
  return next > 0 ? 'the reward of this period is lost' : 'its next period is set to 0'
}

/** It ends as planned or later. */
function endsAsPlanned(view: View): boolean {
  const end = view.value(END)
  return end !== undefined && isPlannedFor(view, end)
}

interface Step {
  alert: string
  severity: Rule['severity']
  /** The step is from this limit down to those of the steps after it. */
  below: keyof Thresholds
  least: readonly (keyof Thresholds)[]
  title: string
  summary: string
  action: string
}

/** One step of the countdown to the end of a stake. */
const stakeStep = ({ alert, severity, below, least, ...texts }: Step): Condition => ({
  alert,
  panel: 'validator: Term',
  isTimeLeft: true,
  severity,
  for: MINUTE,
  reads: [TRACKED, IN_SET, END, PLANNED_END, NEXT_PERIOD, ...REWARD_READS],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      if (!view.has(END)) return hasEnded(view) ? NOT_APPLICABLE : unknown('no end is known')
      const left = view.fact(endsIn)
      if (left === undefined || endsAsPlanned(view)) return OK
      const isInStep = left < view.limits[below] && least.every((limit) => left >= view.limits[limit])
      return isInStep ? problem(left) : OK
    },
  },
  ...texts,
  description: `The stake of validator ${validator} {{ if eq $value 0.0 }}has ended: it{{ else }}ends in {{ humanizeDuration $value }}. After that it{{ end }} {{ if eq $labels.subnet "primary" }}earns nothing until it is staked again{{ else }}no longer validates the subnet, until it is added again{{ end }}.${ifKnown('not_renewed', ` It does not renew, because ${TEXT}.`)}`,
  details: { reads: [], of: (view) => ({ not_renewed: whyNotRenewed(view) }) },
})

export const stakeEndPlanned: Condition = stakeStep({
  alert: 'StakewatchStakeEndPlanned',
  severity: 'info',
  below: 'stakeEndPlanned',
  least: ['stakeEndNear', 'stakeEndLast'],
  title: '{{ $labels.validator }}: stake ends in weeks',
  summary: 'The stake of the validator ends in weeks and does not renew automatically.',
  action: 'Decide whether {{ $labels.validator }} stakes again; if not, set `planned_end`.',
})

export const stakeEnding: Condition = stakeStep({
  alert: 'StakewatchStakeEnding',
  severity: 'warning',
  below: 'stakeEndNear',
  least: ['stakeEndLast'],
  title: '{{ $labels.validator }}: stake ends in days',
  summary: 'The stake of the validator ends in days and does not renew automatically.',
  action: 'Prepare the next stake of {{ $labels.validator }}: transaction, tokens and signers.',
})

export const stakeEndsSoon: Condition = {
  ...stakeStep({
    alert: 'StakewatchStakeEndsSoon',
    severity: 'critical',
    below: 'stakeEndLast',
    least: [],
    title:
      '{{ $labels.validator }}: stake {{ if eq $value 0.0 }}has ended{{ else }}ends in {{ humanizeDuration $value }}{{ end }}',
    summary: 'The stake of the validator ends soon and does not renew automatically.',
    action: 'Get the signers of {{ $labels.validator }} together, and have the next stake ready when this one ends.',
  }),
  heldBy: ['validators'],
}

export const delegationEnding: Condition = {
  alert: 'StakewatchDelegationEnding',
  panel: 'validator: Term',
  severity: 'info',
  for: 10 * MINUTE,
  reads: [TRACKED, DELEGATED_ENDING, END, NEXT_PERIOD, ...REWARD_READS],
  judge: {
    validator(view) {
      const ending = view.value(DELEGATED_ENDING, { within: '7d' })
      if (!isTracked(view) || ending === undefined) return NOT_APPLICABLE
      // When the stake ends, all delegations end with it; the countdown above covers that.
      const left = view.fact(endsIn)
      const { stakeEndPlanned, stakeEndNear, stakeEndLast } = view.limits
      if (left !== undefined && left < Math.max(stakeEndPlanned, stakeEndNear, stakeEndLast)) return OK
      return ending > view.limits.delegationEnding ? problem(ending) : OK
    },
  },
  title: '{{ $labels.validator }}: delegations end soon',
  summary: 'A large part of the delegations to the validator ends within a week.',
  action: 'Tell the delegators of {{ $labels.validator }} that they can delegate again.',
  description: `{{ humanizePercentage $value }} of the tokens delegated to validator ${validator} leave within a week, and their fees with them.`,
}

/** Own stake on the primary network, because delegations change its weight; else the weight. */
function ownWeight(view: View): number | undefined {
  return view.value(STAKE) ?? view.value(WEIGHT)
}

export const weightChanged: Condition = {
  alert: 'StakewatchWeightChanged',
  panel: 'validator: Stake with delegations',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: [TRACKED, STAKE, WEIGHT, START, startLately, weightLately],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const [weight, before] = [ownWeight(view), valueAgo(view.track(weightLately), view.now, HOUR)]
      if (weight === undefined || before === undefined) return unknown('its weight now or an hour ago is not known')
      const change = weight / before - 1
      // More stake is expected when a validation starts again or compounds at a renewal. Less stake never is.
      const isMore = change > view.limits.weightChange && !hasJustStarted(view)
      return change < -view.limits.weightChange || isMore ? problem(change) : OK
    },
  },
  title: '{{ $labels.validator }}: weight changed',
  summary: 'The weight of the validator has changed.',
  action: 'Ask your team whether the change was meant; if not, find out who can sign for {{ $labels.validator }}.',
  description: `The {{ if eq $labels.subnet "primary" }}own stake{{ else }}weight{{ end }} of validator ${validator} changed by {{ humanizePercentage $value }} within the last hour. Check that the change was intended.`,
}
