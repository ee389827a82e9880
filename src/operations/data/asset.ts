// Amounts of assets and prices, as several operations of the data service give them.

import { z } from 'zod'
import { decimalPlaces, measure, optional, orNone, unsigned } from '../fields.ts'

/** Document 1, AssetAmount, without what only balances have. */
export const assetAmount = z.object({
  assetId: orNone(z.string()),
  name: optional(z.string()),
  symbol: optional(z.string()),
  denomination: decimalPlaces,
  type: optional(z.string()),
  amount: unsigned.describe('in the smallest unit'),
})

/** Document 1, AssetAmount: `Price`. The document gives a text, live services a number. */
export const price = z.object({ currencyCode: optional(z.string()), value: measure })
