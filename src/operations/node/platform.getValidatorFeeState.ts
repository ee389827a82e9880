// platform.getValidatorFeeState: what a second of an active L1 validator costs as of the last block of the node.

import { z } from 'zod'
import { isoTime, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** In every second the excess moves first, by the active L1 validators above the target, and then the price follows it. */
export const getValidatorFeeState = defineMethod({
  name: 'platform.getValidatorFeeState',
  answer: z.object({
    excess: unsigned.describe('validators above the target, summed up over seconds; never below 0'),
    price: unsigned.describe('of one second of one validator, in the smallest unit'),
    timestamp: isoTime.describe('of the last block; Unix time in seconds for us'),
  }),
  integers: 'exact',
})
