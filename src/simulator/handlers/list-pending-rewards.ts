// List pending rewards: one for each running validation, for the share of the validator in each delegation, and for
// each delegation, by the addresses they go to or by the node.

import { listPendingRewards } from '../../operations/data/rewards.ts'
import { inOrder } from '../services/paging.ts'
import { handles, type Place } from '../handler.ts'
import { AVAX } from '../world/fixed-ids.ts'
import { pendingOf, type Reward } from '../world/stakes.ts'
import { askedFor, stakeOf } from './rewards.ts'
import { amountOf } from './utxo-record.ts'

export const handleListPendingRewards = handles(listPendingRewards, (place, params) => {
  const { world, paging } = place
  const { pageToken, pageSize, sortOrder = 'asc' } = params
  const { nodes, isAsked, name } = askedFor(params)
  const running = world.validators.all
  const validators = nodes ? [...nodes].flatMap((nodeId) => running.get(nodeId) ?? []) : [...running.values()]
  const all = [...validators.flatMap(pendingOf), ...world.staking.held()]
  const { items, ...next } = paging.page<Reward>({
    list: ['pending rewards', sortOrder, name].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(all.filter(isAsked), compare, sortOrder),
  })
  return { ...next, pendingRewards: items.map((one) => record(one, place)) }
})

/** By start; of the rewards of one transaction by type. */
function compare(a: Reward, b: Reward): number {
  const key = ({ stake, type }: Reward) => `${stake.txId} ${type}`
  return a.stake.start - b.stake.start || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
}

function record(reward: Reward, place: Place) {
  const now = place.world.now()
  const { start, end } = reward.stake
  return {
    ...stakeOf(reward, place),
    progress: Number(Math.min(1, (now - start) / (end - start)).toFixed(4)),
    estimatedReward: amountOf(AVAX, reward.amount),
  }
}
