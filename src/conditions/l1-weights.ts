// Facts about the weight of L1s: how much of it is online.

import { isVoting, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'

const BY_NODE = 'stakewatch_l1_weight'
const BY_STATE = 'stakewatch_subnet_weight'
const LISTED = 'stakewatch_l1_listed_weight'

export const L1_WEIGHT_READS = [BY_NODE, BY_STATE, LISTED, ...VOTE_READS]

const ratio = (part: number | undefined, whole: number | undefined) =>
  part === undefined || whole === undefined || whole === 0 ? undefined : part / whole

/** The highest share that a node which votes is connected to. */
function connectedShare(subnet: View): number | undefined {
  const shares = subnet.all(BY_NODE).flatMap(({ labels, value }) => {
    const source = labels['source']!
    if (labels['of'] !== 'connected' || !subnet.of('node', { source }).fact(isVoting)) return []
    const share = ratio(value, subnet.value(BY_NODE, { source, of: 'total' }))
    return share === undefined ? [] : [share]
  })
  return shares.length === 0 ? undefined : Math.max(...shares)
}

/** Share of the weight whose validators have a balance, by the P-Chain, else by the data service. */
function activeShare(subnet: View): number | undefined {
  const all = subnet.all(BY_STATE)
  const inactive = subnet.value(BY_STATE, { state: 'inactive' })
  const lost = ratio(
    inactive,
    all.reduce((sum, { value }) => sum + value, 0),
  )
  if (lost !== undefined) return 1 - lost
  return ratio(subnet.value(LISTED, { of: 'active' }), subnet.value(LISTED, { of: 'total' }))
}

/**
 * Share of the weight of the L1 that is online. If no node runs its chain, connections are unknown, but validators without a
 * balance are offline for sure.
 */
export const onlineShare = (subnet: View): number | undefined => connectedShare(subnet) ?? activeShare(subnet)
