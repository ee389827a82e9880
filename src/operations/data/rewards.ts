// What stakes earn.

import { z } from 'zod'
import { decimal, integer, nextPageToken, optional, orNone, pageToken, timestamp, unsigned, word } from '../fields.ts'
import { stakingType, assetAmount, price } from './shared.ts'
import { areOfNetwork, currency, network, OTHER_NETWORK, pageSize, someAddresses, sortOrder } from './parameters.ts'
import { defineOperation } from '../define.ts'

/** What the lists of rewards (operations 9 and 10) share: whose rewards are asked for, and the stakes that earn them. */
const rewardFilters = {
  network,
  addresses: someAddresses,
  nodeIds: z.string().min(1).optional().describe('comma-separated node ids'),
  pageToken,
  pageSize,
  sortOrder,
}
const WHOSE = 'one of addresses and nodeIds is required'
function hasAddressesOrNodes(given: { addresses?: string | undefined; nodeIds?: string | undefined }) {
  return given.addresses !== undefined || given.nodeIds !== undefined
}

const stake = {
  addresses: orNone(z.array(z.string())).describe('whom the reward is for'),
  amountStaked: optional(unsigned),
  nodeId: orNone(z.string()),
  startTimestamp: optional(timestamp),
  endTimestamp: orNone(timestamp),
  stakingType,
  rewardType: orNone(word).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
}

const historicalReward = z.object({
  rewardTxHash: z.string().min(1).describe('of the transaction that paid it'),
  utxoId: z.string().min(1),
  outputIndex: optional(integer),
  txHash: optional(z.string()).describe('the staking transaction'),
  ...stake,
  reward: assetAmount.extend({ historicalPrice: optional(price).describe('live services: when it is a day old') }),
})

/**
 * What ended stakes have earned, with its price at that time. A transaction can pay several rewards, each with a UTXO of its
 * own.
 */
export const listHistoricalRewards = defineOperation({
  name: 'list-historical-rewards',
  source: 'document 1, operation 9',
  via: { get: '/v1/networks/{network}/rewards' },
  params: z
    .object({ ...rewardFilters, currency })
    .refine(hasAddressesOrNodes, { message: WHOSE })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, historicalRewards: z.array(historicalReward) }),
  items: 'historicalRewards',
  cost: 100,
})

const pendingReward = z.object({
  txHash: z.string().min(1).describe('the staking transaction'),
  ...stake,
  progress: optional(decimal).describe('the document gives no unit'),
  estimatedReward: assetAmount,
})

/**
 * What running stakes will earn if they are rewarded. By node id the answer holds the rewards of the delegators as well. One
 * of addresses and nodeIds must be given.
 */
export const listPendingRewards = defineOperation({
  name: 'list-pending-rewards',
  source: 'document 1, operation 10',
  via: { get: '/v1/networks/{network}/rewards:listPending' },
  params: z.object(rewardFilters).refine(hasAddressesOrNodes, { message: WHOSE }).refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, pendingRewards: z.array(pendingReward) }),
  items: 'pendingRewards',
  cost: 100,
})
