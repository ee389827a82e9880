// What the lists of rewards (operations 9 and 10) share: whose rewards are asked for, and the stakes that earn them.

import { z } from 'zod'
import { optional, pageToken, orNone, timestamp, unsigned, word } from '../fields.ts'
import { stakingType } from './auto-renew.ts'
import { network, pageSize, someAddresses, sortOrder } from './parameters.ts'

export const rewardFilters = {
  network,
  addresses: someAddresses,
  nodeIds: z.string().min(1).optional().describe('comma-separated node ids'),
  pageToken,
  pageSize,
  sortOrder,
}
export const WHOSE = 'one of addresses and nodeIds is required'
export function hasAddressesOrNodes(given: { addresses?: string | undefined; nodeIds?: string | undefined }) {
  return given.addresses !== undefined || given.nodeIds !== undefined
}

export const stake = {
  addresses: orNone(z.array(z.string())).describe('whom the reward is for'),
  amountStaked: optional(unsigned),
  nodeId: orNone(z.string()),
  startTimestamp: optional(timestamp),
  endTimestamp: orNone(timestamp),
  stakingType,
  rewardType: orNone(word).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
}
