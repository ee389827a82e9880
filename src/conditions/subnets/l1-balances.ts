// The balances of L1 validators: a validator whose balance is empty is inactive.

import type { Thresholds } from '../../alerts/thresholds.ts'
import { validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown, type Verdict } from '../condition.ts'
import { AMOUNT, type Details, ifKnown } from '../details.ts'
import { isTracked } from '../validators/connections.ts'
import {
  BALANCE,
  BALANCE_READS,
  balanceOf,
  depletionOf,
  EMPTY_BALANCE_READS,
  endingShare,
  isBalanceKnown,
  isEndOver,
  isInactive,
  runwayOf,
  WEIGHT_ENDING_READS,
} from '../l1-runways.ts'
import { ACTIVE_WEIGHT_READS, isDry, isL1, isListOutdated, L1_READS } from '../l1-weights.ts'
import { OUTDATED } from '../out-of-date.ts'
import { DAY, MINUTE } from '../../lib/seconds.ts'
import { PRICE, priceOf } from './subnets.ts'
import type { View } from '../view.ts'
import { IN_SET, TRACKED } from '../nodes.ts'

/** Whether a tracked validator of an L1, which has not left its set, should report a balance. */
const hasBalance = (view: View) => isTracked(view) && view.value(IN_SET) !== 0 && view.of('subnet').fact(isL1)

/** A validator whose balance is not reported, or was out of date. */
function unreported(view: View): Verdict {
  if (!hasBalance(view)) return NOT_APPLICABLE
  return unknown(isListOutdated(view.of('subnet')) ? OUTDATED : 'no source reports its balance')
}

/** The runway if it is one of this step of the countdown. */
function runwayWithin(view: View, below: keyof Thresholds, ...least: (keyof Thresholds)[]): number | undefined {
  const runway = runwayOf(view)
  if (runway === undefined || runway >= view.limits[below]) return undefined
  return least.every((limit) => runway >= view.limits[limit]) ? runway : undefined
}

/** It is far from this step, or how far is not known. */
const withoutRunway = (view: View): Verdict =>
  depletionOf(view) === undefined && isListOutdated(view.of('subnet')) ? unreported(view) : OK

const REPORTED_READS = [TRACKED, IN_SET, ...L1_READS]
const COUNTDOWN_READS = [...BALANCE_READS, ...REPORTED_READS]

/** What the person needs who pays. */
const priceText = ifKnown('month', ` At today's price, 30 days cost ${AMOUNT}.`)
const moneyText = `${ifKnown('balance', ` It has ${AMOUNT} left.`)}${priceText}`
const money: Details = {
  reads: [BALANCE, PRICE],
  of(view) {
    const price = priceOf(view.of('network'))
    return { balance: balanceOf(view), month: price === undefined ? undefined : 30 * DAY * price }
  },
}

const ofCountdown = {
  isTimeLeft: true,
  panel: 'l1s: L1 validators',
  for: MINUTE,
  reads: COUNTDOWN_READS,
  details: money,
  description: `The balance of L1 validator ${validator} runs out {{ if eq $value 0.0 }}now{{ else }}in {{ humanizeDuration $value }}{{ end }}.${moneyText} Top it up before then: an inactive validator may not come back after a top-up.`,
} as const

export const l1BalanceLow: Condition = {
  ...ofCountdown,
  alert: 'StakewatchL1BalanceLow',
  severity: 'info',
  judge: {
    validator(view) {
      const runway = runwayWithin(view, 'runwayPlanned', 'runwayNear', 'runwayLast')
      return runway === undefined ? withoutRunway(view) : problem(runway)
    },
  },
  title: '{{ $labels.validator }}: balance ends in weeks',
  summary: 'The balance of the L1 validator runs out in weeks.',
  action: 'Plan a top-up of the balance of {{ $labels.validator }} with its signers.',
}

export const l1BalanceEnding: Condition = {
  ...ofCountdown,
  alert: 'StakewatchL1BalanceEnding',
  severity: 'warning',
  // The depleting weight is read every five minutes; then the alert about the whole L1 may fire instead.
  for: 10 * MINUTE,
  reads: [...COUNTDOWN_READS, ...WEIGHT_ENDING_READS],
  judge: {
    validator(view) {
      const runway = runwayWithin(view, 'runwayNear', 'runwayLast')
      if (runway === undefined) return withoutRunway(view)
      return view.of('subnet').fact(endingShare) !== undefined ? OK : problem(runway)
    },
  },
  title: '{{ $labels.validator }}: balance ends in days',
  summary: 'The balance of the L1 validator runs out in days.',
  action: 'Top up the balance of {{ $labels.validator }} this week.',
}

const RUNNING_OUT = 'l1_balance_running_out'
/** Instead of the seconds that are left. */
const RUN_OUT = -1

export const l1BalanceRunningOut: Condition = {
  ...ofCountdown,
  alert: 'StakewatchL1BalanceRunningOut',
  severity: 'critical',
  heldBy: ['l1-validators', 'listed-l1s'],
  judge: {
    validator(view) {
      // That it has run out does not end the page.
      if (isInactive(view) && !isEndOver(view) && view.hasFired(RUNNING_OUT)) return problem(RUN_OUT)
      if (depletionOf(view) === undefined) return unreported(view)
      const runway = runwayWithin(view, 'runwayLast')
      return runway === undefined ? OK : problem(runway)
    },
  },
  title:
    '{{ $labels.validator }}: {{ if lt $value 0.0 }}balance ran out{{ else }}balance ends {{ if eq $value 0.0 }}now{{ else }}in {{ humanizeDuration $value }}{{ end }}{{ end }}',
  summary: 'The balance of the L1 validator runs out soon.',
  action: 'Top up the balance of {{ $labels.validator }} now: once empty, it may never validate again.',
  description: `{{ if lt $value 0.0 }}The balance of L1 validator ${validator} has run out, and the validator is inactive. A top-up may not bring it back.${priceText}{{ else }}${ofCountdown.description}{{ end }}`,
}

export const l1ValidatorInactive: Condition = {
  alert: 'StakewatchL1ValidatorInactive',
  panel: 'l1s: L1 validators',
  severity: 'critical',
  for: 2 * MINUTE,
  heldBy: ['l1-validators', 'listed-l1s'],
  reads: [...EMPTY_BALANCE_READS, ...ACTIVE_WEIGHT_READS, ...REPORTED_READS],
  judge: {
    validator(view) {
      if (!isBalanceKnown(view)) return unreported(view)
      // The conditions of the L1 cover what is not configured by itself when the whole L1 is affected.
      const isCovered = !isTracked(view) && isDry(view.of('subnet'))
      return isInactive(view) && !isEndOver(view) && !isCovered ? problem(0) : OK
    },
  },
  title: '{{ $labels.validator }} inactive: empty balance',
  summary: 'The balance of the L1 validator is empty.',
  action: 'Top up the balance of {{ $labels.validator }}, and check that it becomes active again.',
  description: `L1 validator ${validator} has an empty balance and is inactive: it does not validate, and its weight still counts towards the total of the L1.${priceText}`,
  details: money,
}
