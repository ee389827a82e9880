// platform.getFeeConfig: how much gas the P-Chain has, and how its price follows from the use.

import { z } from 'zod'
import { optional, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** The price is minPrice * e^(excess / excessConversionConstant), rounded down (ACP-103). */
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
