// platform.getL1Validator: one L1 validator by the id of its validation.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, timestamp, unsigned } from '../fields.ts'
import { owner } from './owner.ts'

/** The balance is as of the last block of the node, as in platform.getCurrentValidators. */
export const getL1Validator = defineOperation({
  name: 'platform.getL1Validator',
  source: "the node's own interface, P-Chain",
  via: { rpc: '/ext/bc/P' },
  params: z.object({ validationID: z.string().min(1).describe('id of the validation') }),
  answer: z.object({
    subnetID: z.string(),
    nodeID: z.string(),
    weight: unsigned,
    startTime: optional(timestamp),
    validationID: optional(z.string()),
    publicKey: optional(z.string()),
    minNonce: optional(unsigned),
    balance: unsigned.describe('0 when inactive; in the smallest unit'),
    remainingBalanceOwner: optional(owner),
    deactivationOwner: optional(owner),
    height: optional(unsigned).describe('of the last block'),
  }),
  notFound: /^fetching L1 validator "\w+" failed: not found$/,
})
