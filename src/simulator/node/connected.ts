// How much of a validator set a node is connected to: that decides whether a chain can begin, and whether it is healthy.

import type { NodeState } from './node-state.ts'
import { type L1, INACTIVE_NODE_ID } from '../world/l1.ts'
import { wholeStake } from '../world/stakes.ts'
import type { World } from '../world/world.ts'

/** A validator as a node sees it. */
export interface Member {
  nodeId: string
  weight: bigint
  /** Unix seconds; undefined while it is connected. */
  awaySince: number | undefined
}

export function primaryMembers({ nodeId }: NodeState, { validators }: World): Member[] {
  return [...validators.all.values()].map((one) => ({
    nodeId: one.nodeId,
    weight: wholeStake(one),
    awaySince: one.views.get(nodeId)!.since,
  }))
}

export function membersOf({ validators, legacy }: L1, { nodeId }: NodeState, { l1s, now }: World): Member[] {
  const paying = validators.map((one): Member => {
    const { since } = l1s.viewOf(one, nodeId)
    const { inactiveSince, weight } = one
    if (inactiveSince === undefined) return { nodeId: one.nodeId, weight, awaySince: since }
    return { nodeId: INACTIVE_NODE_ID, weight, awaySince: Math.min(inactiveSince, since ?? inactiveSince) }
  })
  const permissioned = legacy
    .filter(({ end }) => end > now())
    .map((one) => ({ nodeId: one.nodeId, weight: one.weight, awaySince: l1s.viewOf(one, nodeId).since }))
  return [...paying, ...permissioned]
}

export function weightOf(members: readonly Member[]): bigint {
  return members.reduce((sum, { weight }) => sum + weight, 0n)
}

/** Share of the weight, 0 to 1. An empty set counts as connected. */
export function connectedShare(members: readonly Member[]): number {
  const total = weightOf(members)
  const away = weightOf(members.filter(({ awaySince }) => awaySince !== undefined))
  return total === 0n ? 1 : 1 - Number(away) / Number(total)
}

/** A chain begins as soon as this share of its weight is connected. */
const QUORUM = 0.75

/** The node waits no longer for chains of which enough is connected. One chain of a subnet that is missing holds up the others. */
export function beginChains(node: NodeState, world: World): void {
  const { phase, waiting, troubles } = node
  if (phase !== 'running' || waiting.size === 0) return
  const heldUp = [...troubles.values()].flatMap((one) => (one.kind === 'failed' ? [one.subnetId] : []))
  for (const l1 of world.l1s.all.filter(({ blockchainId }) => waiting.has(blockchainId))) {
    const isFollowed = l1.followers.has(node.nodeId)
    if (isFollowed && heldUp.includes(l1.subnetId)) continue
    if (isFollowed && connectedShare(membersOf(l1, node, world)) < QUORUM) continue
    waiting.delete(l1.blockchainId)
  }
}
