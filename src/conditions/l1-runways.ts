// Facts about the balances of L1 validators: when they run out, and what that takes from the weight of the L1.

import { isBelow, isListOutdated, isTooLight, L1_WEIGHT_READS, ratio, weightIn, wholeWeight } from './l1-weights.ts'
import { OUT_OF_DATE_READS } from './out-of-date.ts'
import type { View } from './view.ts'

const DEPLETING = 'stakewatch_subnet_weight_depleting'
const NEXT_LISTED = 'stakewatch_l1_listed_next_depletion_timestamp_seconds'
const ACTIVE = 'stakewatch_l1_validator_active'
export const BALANCE = 'stakewatch_l1_validator_balance_tokens'
const LISTED_BALANCE = 'stakewatch_l1_validator_listed_balance_tokens'
const DEPLETION = 'stakewatch_l1_validator_depletion_timestamp_seconds'
const LISTED_DEPLETION = 'stakewatch_l1_validator_listed_depletion_timestamp_seconds'
export const PLANNED_END = 'stakewatch_validator_planned_end_timestamp_seconds'

/** Whether a balance is empty, and whether that was planned. */
export const EMPTY_BALANCE_READS = [ACTIVE, LISTED_BALANCE, PLANNED_END, ...OUT_OF_DATE_READS]
/** When it runs out. */
export const BALANCE_READS = [...EMPTY_BALANCE_READS, DEPLETION, LISTED_DEPLETION]
export const NEXT_DEPLETION_READS = [NEXT_LISTED, DEPLETION, LISTED_DEPLETION, ...OUT_OF_DATE_READS]
export const WEIGHT_ENDING_READS = [DEPLETING, ...L1_WEIGHT_READS, ...BALANCE_READS]

/** What the data service lists, unless it was out of date. */
const listed = (validator: View, metric: string) =>
  validator.has(metric) && !isListOutdated(validator.of('subnet')) ? validator.value(metric) : undefined

/** The balance is empty. The list of the data service counts where no node reports. */
export function isInactive(validator: View): boolean {
  const active = validator.value(ACTIVE)
  return active === undefined ? listed(validator, LISTED_BALANCE) === 0 : active === 0
}
/** Tokens: by the node, else by the data service. */
export const balanceOf = (validator: View) => validator.value(BALANCE) ?? listed(validator, LISTED_BALANCE)
export const isBalanceKnown = (validator: View) =>
  validator.has(ACTIVE) || listed(validator, LISTED_BALANCE) !== undefined

/** When its balance runs out: by the node, else by the data service (seconds since the epoch). */
export const depletionOf = (validator: View) => validator.value(DEPLETION) ?? listed(validator, LISTED_DEPLETION)

/** The validation is at or near its planned end. */
export const isEndOver = (validator: View) => isPlannedFor(validator, validator.now)

/** An end then is planned, or comes later than planned. */
export function isPlannedFor(validator: View, end: number): boolean {
  const planned = validator.value(PLANNED_END)
  return planned !== undefined && end > planned - validator.limits.plannedEndSlack
}

/**
 * Seconds until the balance of an active validator runs out before its planned end. It is an estimate, so 0 does not mean inactive.
 */
export function runwayOf(validator: View): number | undefined {
  const end = depletionOf(validator)
  if (end === undefined || isInactive(validator) || isPlannedFor(validator, end)) return undefined
  return Math.max(end - validator.now, 0)
}

interface Balances {
  /** The first end of a balance (seconds since the epoch). */
  next: number
  /** A balance runs out today or tomorrow. */
  isRunningOut: boolean
}

/** What the balances of each L1 make of it: one pass over the validators of the network. */
function balancesOf(network: View): ReadonlyMap<string, Balances> {
  const balances = new Map<string, Balances>()
  for (const validator of network.every('validator')) {
    const end = depletionOf(validator)
    if (end === undefined) continue
    const subnet = validator.labels['subnet']!
    const { next, isRunningOut } = balances.get(subnet) ?? { next: Infinity, isRunningOut: false }
    balances.set(subnet, {
      next: Math.min(next, end),
      isRunningOut: isRunningOut || isBelow(runwayOf(validator), network.limits.runwayLast),
    })
  }
  return balances
}
const ofBalances = (subnet: View) => subnet.of('network').fact(balancesOf).get(subnet.labels['subnet']!)

/** A balance of the L1 runs out today or tomorrow, which pages. */
export const isBalanceRunningOut = (subnet: View) => ofBalances(subnet)?.isRunningOut === true

/** When its next balance runs out, by the validators, and by the list of the data service. */
export const nextDepletion = (subnet: View) => ofBalances(subnet)?.next
export const nextListedDepletion = (subnet: View) => (isListOutdated(subnet) ? undefined : subnet.value(NEXT_LISTED))

/** Share of the weight that will still be active in a week. */
function nextWeek(subnet: View): number | undefined {
  const active = weightIn(subnet, (state) => state !== 'inactive')
  const ending = subnet.value(DEPLETING, { within: '7d' })
  return active === undefined || ending === undefined ? undefined : ratio(active - ending, wholeWeight(subnet))
}

/**
 * Share of the weight in a week, if balances that run out until then stall the L1: one alert for it instead of one for each
 * validator.
 */
export function endingShare(subnet: View): number | undefined {
  const share = nextWeek(subnet)
  if (share === undefined || share >= subnet.limits.l1Blocks) return undefined
  return isTooLight(subnet) || isBalanceRunningOut(subnet) ? undefined : share
}
