// platform.getFeeState: what a unit of gas costs on the P-Chain as of the last block of the node.

import { z } from 'zod'
import { isoTime, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** A block uses up capacity and adds as much excess; every second gives capacity back and takes excess away. */
export const getFeeState = defineMethod({
  name: 'platform.getFeeState',
  answer: z.object({
    capacity: unsigned.describe('gas that the next block may use'),
    excess: unsigned.describe('gas that was used above the target'),
    price: unsigned.describe('of a unit of gas, in the smallest unit'),
    timestamp: isoTime.describe('of the last block; Unix time in seconds for us'),
  }),
  integers: 'exact',
})
