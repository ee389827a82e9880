// List delegators: delegations to validators of the primary network, by validator or by owner.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { decimal, listOf, nextPageToken, optional, pageToken, orNone, timestamp, unsigned, word } from '../fields.ts'
import { areOfNetwork, network, OTHER_NETWORK, pageSize, someAddresses, sortOrder } from './parameters.ts'

const delegation = z.object({
  txHash: z.string().min(1),
  nodeId: word.min(1),
  delegationStatus: orNone(word).describe('active, pending or completed'),
  rewardAddresses: optional(z.array(z.string())),
  amountDelegated: unsigned,
  startTimestamp: optional(timestamp),
  endTimestamp: timestamp,
  delegationFee: optional(decimal).describe('percent of the reward'),
  estimatedGrossReward: optional(unsigned).describe('of one that is not over'),
  estimatedNetReward: optional(unsigned).describe('of one that is not over, less the fee'),
  grossReward: optional(unsigned).describe('of a completed one'),
  netReward: optional(unsigned).describe('of a completed one, less the fee'),
})

export const listDelegators = defineOperation({
  name: 'list-delegators',
  source: "the data service's own interface, delegators",
  via: { get: '/v1/networks/{network}/delegators' },
  params: z
    .object({
      network,
      nodeIds: z.string().min(1).optional().describe('comma-separated node ids of validators'),
      rewardAddresses: someAddresses,
      delegationStatus: z.enum(['active', 'pending', 'completed']).optional().describe('default: all'),
      sortOrder,
      pageToken,
      pageSize,
    })
    .refine(({ network, rewardAddresses: addresses }) => areOfNetwork({ network, addresses }), {
      ...OTHER_NETWORK,
      path: ['rewardAddresses'],
    }),
  answer: z.object({ nextPageToken, delegators: listOf(delegation) }),
  items: 'delegators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})
