// Get native token balance: what an address has of an EVM chain's own token.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, orNone, unsigned } from '../fields.ts'
import { price } from './asset.ts'
import { evmNames } from './evm.ts'
import { currency, evmAddress, evmChainId } from './parameters.ts'

/** Live services sometimes leave out price and value. */
export const getNativeTokenBalance = defineOperation({
  name: 'get-native-token-balance',
  source: 'document 1, operation 13',
  via: { get: '/v1/chains/{chainId}/addresses/{address}/balances:getNative' },
  params: z.object({
    chainId: evmChainId,
    address: evmAddress,
    blockNumber: unsigned.optional().describe('as of this block; default: the newest one'),
    currency: currency.describe('of price and value'),
  }),
  answer: z.object({
    nativeTokenBalance: z.object({
      ...evmNames,
      chainId: orNone(z.string()),
      price: optional(price).describe('of one whole token'),
      balance: unsigned.describe('in the smallest unit'),
      balanceValue: optional(price).describe('of the whole balance'),
    }),
  }),
  cost: 20,
})
