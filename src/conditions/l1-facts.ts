// Facts about L1s that several conditions share: the weight that is online, and when the balances of validators run out.

import { isVoting, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'

const WEIGHT = 'stakewatch_subnet_weight'
const LISTED_WEIGHT = 'stakewatch_l1_listed_weight'
const SEEN_WEIGHT = 'stakewatch_l1_weight'
const DEPLETING = 'stakewatch_subnet_weight_depleting'
const NEXT_LISTED = 'stakewatch_l1_listed_next_depletion_timestamp_seconds'
const ACTIVE = 'stakewatch_l1_validator_active'
const LISTED_BALANCE = 'stakewatch_l1_validator_listed_balance_tokens'
const DEPLETION = 'stakewatch_l1_validator_depletion_timestamp_seconds'
const LISTED_DEPLETION = 'stakewatch_l1_validator_listed_depletion_timestamp_seconds'
const PLANNED_END = 'stakewatch_validator_planned_end_timestamp_seconds'
const INFO = 'stakewatch_subnet_info'

export const BALANCE_READS = [ACTIVE, LISTED_BALANCE, DEPLETION, LISTED_DEPLETION, PLANNED_END, INFO]
export const WEIGHT_READS = [WEIGHT, LISTED_WEIGHT, SEEN_WEIGHT, ...VOTE_READS]
export const WEIGHT_ENDING_READS = [...WEIGHT_READS, DEPLETING, ...BALANCE_READS]

/** The primary network is no L1, nor is a subnet whose validators need permission. While its kind is unknown, it may be one. */
export function isL1(subnet: View): boolean {
  if (subnet.labels['subnet'] === 'primary') return false
  const info = subnet.all(INFO)
  return info.length === 0 || info.some(({ labels }) => labels['kind'] === 'l1')
}

/** A share of something; undefined of nothing. */
const ratio = (part: number | undefined, whole: number | undefined) =>
  part === undefined || whole === undefined || whole === 0 ? undefined : part / whole

/** The weight of the validators in these states. */
function weightIn(subnet: View, isWanted: (state: string) => boolean): number | undefined {
  const some = subnet.all(WEIGHT).filter(({ labels }) => isWanted(labels['state']!))
  return some.length === 0 ? undefined : some.reduce((sum, { value }) => sum + value, 0)
}
const wholeWeight = (subnet: View) => weightIn(subnet, () => true)

const listed = (subnet: View, of: string) => subnet.value(LISTED_WEIGHT, { of })

/** Share of the weight that the data service lists and that is left when the next balance has run out. */
export const afterNextBalance = (subnet: View) => ratio(listed(subnet, 'after_next_balance'), listed(subnet, 'total'))

/** Share of the weight whose validators have a balance: by the P-Chain, else by the data service. */
export function activeShare(subnet: View): number | undefined {
  const inactive = ratio(
    weightIn(subnet, (state) => state === 'inactive'),
    wholeWeight(subnet),
  )
  return inactive === undefined ? ratio(listed(subnet, 'active'), listed(subnet, 'total')) : 1 - inactive
}

/** The highest share of the weight that a node with a vote is connected to. */
export function connectedShare(subnet: View): number | undefined {
  const shares = subnet.all(SEEN_WEIGHT).flatMap(({ labels: { of, source }, value }) => {
    if (of !== 'connected' || !subnet.of('node', { source: source! }).fact(isVoting)) return []
    return ratio(value, subnet.value(SEEN_WEIGHT, { of: 'total', source: source! })) ?? []
  })
  return shares.length === 0 ? undefined : Math.max(...shares)
}

/**
 * Share of the weight that is online. If no node runs the chain, connections are unknown, but validators without a balance are
 * offline for sure.
 */
export const onlineShare = (subnet: View) => subnet.fact(connectedShare) ?? subnet.fact(activeShare)

/** Whether a number that may be missing is below a limit. */
const isBelow = (value: number | undefined, limit: number) => value !== undefined && value < limit

/** Too little weight is online, about which there are conditions of their own. */
export const isUnhealthy = (subnet: View) => isBelow(onlineShare(subnet), subnet.limits.l1Healthy)

/** It is unhealthy because of empty balances. */
export const isDry = (subnet: View) => isBelow(subnet.fact(activeShare), subnet.limits.l1Healthy)

/** The balance is empty. The list of the data service counts where no node reports. */
export function isInactive(validator: View): boolean {
  const active = validator.value(ACTIVE)
  return active === undefined ? validator.value(LISTED_BALANCE) === 0 : active === 0
}
export const isBalanceKnown = (validator: View) => validator.has(ACTIVE) || validator.has(LISTED_BALANCE)

/** When its balance runs out: by the node, else by the data service (seconds since the epoch). */
export const depletionOf = (validator: View) => validator.value(DEPLETION) ?? validator.value(LISTED_DEPLETION)

/** The validation is at or near its planned end. */
export const isEndOver = (validator: View) => isPlannedFor(validator, validator.now)

/** An end then is planned, or comes later than planned. */
function isPlannedFor(validator: View, end: number): boolean {
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
export const nextListedDepletion = (subnet: View) => subnet.value(NEXT_LISTED)
export const NEXT_DEPLETION_READS = [NEXT_LISTED, DEPLETION, LISTED_DEPLETION, LISTED_WEIGHT]

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
  return isUnhealthy(subnet) || isBalanceRunningOut(subnet) ? undefined : share
}
