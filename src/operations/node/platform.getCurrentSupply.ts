// platform.getCurrentSupply: an upper bound on the tokens that can stake a subnet.

import { z } from 'zod'
import { optional, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/**
 * Burnt tokens, fees among them, are not deducted. A subnet without supply of its own answers with an error that ends
 * in `not found`. Live nodes add the height.
 */
export const getCurrentSupply = defineMethod({
  name: 'platform.getCurrentSupply',
  source: 'document 2, P-Chain interface',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    supply: unsigned.describe('in the smallest unit of the staking token'),
    height: optional(unsigned).describe('live nodes only: the height at which it holds'),
  }),
  notFound: /not found$/,
  notFoundLasts: true,
})
