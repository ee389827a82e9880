// List historical rewards: what ended stakes have earned, with its price at that time.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { integer, nextPageToken, optional } from '../fields.ts'
import { assetAmount, price } from './asset.ts'
import { areOfNetwork, currency, OTHER_NETWORK } from './parameters.ts'
import { hasAddressesOrNodes, rewardFilters, stake, WHOSE } from './rewards.ts'

const historicalReward = z.object({
  rewardTxHash: z.string().min(1).describe('of the transaction that paid it'),
  utxoId: z.string().min(1),
  outputIndex: optional(integer),
  txHash: optional(z.string()).describe('the staking transaction'),
  ...stake,
  reward: assetAmount.extend({ historicalPrice: optional(price).describe('live services: when it is a day old') }),
})

/** A transaction can pay several rewards, each with a UTXO of its own. */
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
