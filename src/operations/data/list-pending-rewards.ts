// List pending rewards: what running stakes will earn if they are rewarded.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { decimal, nextPageToken, optional } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { areOfNetwork, OTHER_NETWORK } from './parameters.ts'
import { hasAddressesOrNodes, rewardFilters, stake, WHOSE } from './rewards.ts'

const pendingReward = z.object({
  txHash: z.string().min(1).describe('the staking transaction'),
  ...stake,
  progress: optional(decimal).describe('the document gives no unit'),
  estimatedReward: assetAmount,
})

/** By node id the answer holds the rewards of the delegators as well. One of addresses and nodeIds must be given. */
export const listPendingRewards = defineOperation({
  name: 'list-pending-rewards',
  source: 'document 1, operation 10',
  via: { get: '/v1/networks/{network}/rewards:listPending' },
  params: z.object(rewardFilters).refine(hasAddressesOrNodes, { message: WHOSE }).refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, pendingRewards: z.array(pendingReward) }),
  items: 'pendingRewards',
  cost: 100,
})
