// platform.getL1Validator: one L1 validator by the id of its validation.

import { z } from 'zod'
import { optional, timestamp, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'
import { owner } from './owner.ts'

/** The balance is as of the last block of the node, as in platform.getCurrentValidators. */
export const getL1Validator = defineMethod({
  name: 'platform.getL1Validator',
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
