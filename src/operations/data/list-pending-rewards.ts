// List pending rewards: what running stakes will earn if they are rewarded.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import {
  decimal,
  integer,
  network,
  nextPageToken,
  optional,
  pageSize,
  pageToken,
  timestamp,
  unsigned,
} from '../fields.ts'

const assetAmount = z.object({
  assetId: optional(z.string()),
  name: optional(z.string()),
  symbol: optional(z.string()),
  denomination: optional(integer.pipe(z.int().min(0).max(36))).describe('decimal places'),
  type: optional(z.string()),
  amount: unsigned,
})

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
      addresses: z.string().min(1).optional().describe('comma-separated wallet addresses'),
      nodeIds: z.string().min(1).optional().describe('comma-separated node ids'),
      pageToken,
      pageSize,
      sortOrder: z.enum(['asc', 'desc']).optional(),
    })
    .refine(({ addresses, nodeIds }) => addresses !== undefined || nodeIds !== undefined, {
      message: 'one of addresses and nodeIds is required',
    }),
  answer: z.object({ nextPageToken, pendingRewards: z.array(pendingReward) }),
  items: 'pendingRewards',
  cost: 100,
})
