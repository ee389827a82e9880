// platform.getValidatorFeeConfig: how the price of L1 validation follows from the number of active L1 validators.

import { z } from 'zod'
import { optional, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** The price is minPrice * e^(excess / excessConversionConstant), rounded down (ACP-77). */
export const getValidatorFeeConfig = defineMethod({
  name: 'platform.getValidatorFeeConfig',
  answer: z.object({
    capacity: optional(unsigned).describe('most active L1 validators that the network allows'),
    target: unsigned.describe('with more active L1 validators than this the price grows, with fewer it falls'),
    minPrice: unsigned.describe('in the smallest unit per second'),
    excessConversionConstant: unsigned,
  }),
  integers: 'exact',
})
