// What the P-Chain costs: gas, and the validation of L1s.

import { z } from 'zod'
import { isoTime, optional, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/**
 * How much gas the P-Chain has, and how its price follows from the use. The price is minPrice * e^(excess /
 * excessConversionConstant), rounded down (ACP-103).
 */
export const getFeeConfig = defineMethod({
  name: 'platform.getFeeConfig',
  answer: z.object({
    weights: optional(z.array(unsigned)).describe('gas of a byte, of a read, of a write and of a microsecond'),
    maxCapacity: unsigned.describe('most gas that a block may use after a quiet time'),
    maxPerSecond: optional(unsigned).describe('gas that every second gives back'),
    targetPerSecond: optional(unsigned).describe('above so much use the price grows, below it falls'),
    minPrice: unsigned.describe('in the smallest unit per unit of gas'),
    excessConversionConstant: optional(unsigned),
  }),
  integers: 'exact',
})

/**
 * What a unit of gas costs on the P-Chain as of the last block of the node. A block uses up capacity and adds as much excess;
 * every second gives capacity back and takes excess away.
 */
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

/**
 * How the price of L1 validation follows from the number of active L1 validators. The price is minPrice * e^(excess /
 * excessConversionConstant), rounded down (ACP-77).
 */
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

/**
 * What a second of an active L1 validator costs as of the last block of the node. In every second the excess moves first, by
 * the active L1 validators above the target, and then the price follows it.
 */
export const getValidatorFeeState = defineMethod({
  name: 'platform.getValidatorFeeState',
  answer: z.object({
    excess: unsigned.describe('validators above the target, summed up over seconds; never below 0'),
    price: unsigned.describe('of one second of one validator, in the smallest unit'),
    timestamp: isoTime.describe('of the last block; Unix time in seconds for us'),
  }),
  integers: 'exact',
})
