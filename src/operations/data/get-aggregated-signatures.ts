// Get aggregated signatures for a transaction: the signed message of one that concerns an L1.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { network } from './parameters.ts'

/** More than a read: it makes validators sign. Live services answer with 201. */
export const getAggregatedSignatures = defineOperation({
  name: 'get-aggregated-signatures',
  source: 'document 1, operation 2',
  effect: 'action',
  via: { get: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}' },
  params: z.object({ network, txHash: z.string().min(1).describe('of a transaction of the P- or X-Chain') }),
  answer: z.object({ signedMessage: z.string().describe('hexadecimal') }),
  cost: 20,
})
