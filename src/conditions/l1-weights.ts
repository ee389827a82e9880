// Facts about the weight of L1s: how much of it is online, and how much has a balance.

import { isVoting, VOTE_READS } from './nodes.ts'
import { OUT_OF_DATE_READS, standingOfList } from './out-of-date.ts'
import type { View } from './view.ts'

const WEIGHT = 'stakewatch_subnet_weight'
const LISTED_WEIGHT = 'stakewatch_l1_listed_weight'
const SEEN_WEIGHT = 'stakewatch_l1_weight'
const INFO = 'stakewatch_subnet_info'

export const L1_READS = [INFO]
/** How much of the weight has a balance. */
export const ACTIVE_WEIGHT_READS = [WEIGHT, LISTED_WEIGHT, ...OUT_OF_DATE_READS]
/** How much of it is online. */
export const L1_WEIGHT_READS = [...ACTIVE_WEIGHT_READS, SEEN_WEIGHT, ...VOTE_READS]
export const WHOLE_WEIGHT_READS = [WEIGHT]

/** The primary network is no L1, nor is a subnet whose validators need permission. While its kind is unknown, it may be one. */
export function isL1(subnet: View): boolean {
  if (subnet.labels['subnet'] === 'primary') return false
  const info = subnet.all(INFO)
  return info.length === 0 || info.some(({ labels }) => labels['kind'] === 'l1')
}

/** The data service listed the validators of the L1 when it was out of date. */
export const isListOutdated = (subnet: View) => subnet.fact(standingOfList) === 'outdated'

/** A share; undefined where the whole is missing or zero. */
export const ratio = (part: number | undefined, whole: number | undefined) =>
  part === undefined || whole === undefined || whole === 0 ? undefined : part / whole

/** The weight of the validators in these states. */
export function weightIn(subnet: View, isWanted: (state: string) => boolean): number | undefined {
  const some = subnet.all(WEIGHT).filter(({ labels }) => isWanted(labels['state']!))
  return some.length === 0 ? undefined : some.reduce((sum, { value }) => sum + value, 0)
}
export const wholeWeight = (subnet: View) => weightIn(subnet, () => true)

/** What the data service lists, unless it was out of date. */
const listed = (subnet: View, of: string) =>
  subnet.has(LISTED_WEIGHT) && !isListOutdated(subnet) ? subnet.value(LISTED_WEIGHT, { of }) : undefined

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
export const isBelow = (value: number | undefined, limit: number) => value !== undefined && value < limit

/** The highest of the limits below which the L1 has a page. */
const wanted = ({ limits: { l1Healthy, l1Blocks, l1Messages } }: View) => Math.max(l1Healthy, l1Blocks, l1Messages)

/** Too little weight is online, about which there are conditions of their own. */
export const isTooLight = (subnet: View) => isBelow(onlineShare(subnet), wanted(subnet))

/** It is unhealthy because of empty balances. */
export const isDry = (subnet: View) => isBelow(subnet.fact(activeShare), wanted(subnet))
