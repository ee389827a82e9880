// Accounts and tokens of EVM chains, as several operations of the data service give them.

import { z } from 'zod'
import { decimalPlaces, optional } from '../fields.ts'
import { price } from './asset.ts'

/** What the service knows of an account or a token. */
export const evmNames = {
  name: optional(z.string()),
  symbol: optional(z.string()),
  decimals: decimalPlaces,
  logoUri: optional(z.string()),
}

/** Document 1, AddressInfo. Live services promise the address alone. */
export const addressInfo = z.object({ address: z.string(), ...evmNames })

/** Document 1, Erc20Transfer: `erc20Token`. */
export const erc20Token = addressInfo.extend({
  ercType: optional(z.string()).describe('ERC-20 is the one known value: an open set'),
  price: optional(price).describe('of one whole token'),
})
