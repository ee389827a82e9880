// List pending rewards: what running stakes will earn if they are rewarded.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { decimal, nextPageToken, optional, pageToken, timestamp, unsigned } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { addresses, areOfNetwork, network, nodeIds, OTHER_NETWORK, pageSize, sortOrder } from './parameters.ts'

const pendingReward = z.object({
  addresses: optional(z.array(z.string())).describe('who will get it'),
  txHash: z.string().min(1).describe('the staking transaction'),
  amountStaked: optional(unsigned),
  nodeId: optional(z.string()),
  startTimestamp: optional(timestamp),
  endTimestamp: optional(timestamp),
  rewardType: optional(z.string()).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
  progress: optional(decimal).describe('the document gives no unit'),
  estimatedReward: assetAmount,
})

/** By node id the answer holds the rewards of the delegators as well. One of addresses and nodeIds must be given. */
export const listPendingRewards = defineOperation({
  name: 'list-pending-rewards',
  source: 'document 1, operation 10',
  service: 'data',
  effect: 'read',
  via: { get: '/v1/networks/{network}/rewards:listPending' },
  params: z
    .object({
      network,
      addresses: addresses.optional(),
      nodeIds: nodeIds.optional(),
      pageToken,
      pageSize,
      sortOrder,
    })
    .refine(({ addresses, nodeIds }) => addresses !== undefined || nodeIds !== undefined, {
      message: 'one of addresses and nodeIds is required',
    })
    .refine(areOfNetwork, { path: ['addresses'], message: OTHER_NETWORK }),
  answer: z.object({ nextPageToken, pendingRewards: z.array(pendingReward) }),
  items: 'pendingRewards',
  cost: 100,
})
