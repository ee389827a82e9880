// List UTXOs: what wallets can spend, and on request what they have spent.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken, pageToken } from '../fields.ts'
import {
  areOfNetwork,
  ASSET_ID_ON_X,
  blockchainId,
  isAssetIdOnX,
  network,
  OTHER_NETWORK,
  pageSize,
  someAddresses,
  sortBy,
  sortOrder,
  utxoFilters,
} from './parameters.ts'
import { utxo } from './utxo.ts'

/** For many addresses use operation 3. */
export const listUtxos = defineOperation({
  name: 'list-utxos',
  source: 'document 1, operation 7',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/utxos' },
  params: z
    .object({
      network,
      blockchainId,
      addresses: someAddresses,
      ...utxoFilters,
      sortBy,
      sortOrder,
      pageToken,
      pageSize,
    })
    .refine(isAssetIdOnX, { path: ['assetId'], message: ASSET_ID_ON_X })
    .refine(areOfNetwork, { path: ['addresses'], message: OTHER_NETWORK }),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})
