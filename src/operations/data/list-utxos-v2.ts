// List UTXOs (v2): for many addresses at once: what wallets can spend, and on request what they have spent.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, integer, nextPageToken, pageToken } from '../fields.ts'
import {
  areOfNetwork,
  ASSET_ID_ON_X,
  blockchainId,
  isAssetIdOnX,
  mixedAddresses,
  network,
  OTHER_NETWORK,
  sortBy,
  sortOrder,
  utxoFilters,
} from './parameters.ts'
import { utxo } from './utxo.ts'

const PAGE_SIZE = 'expected 1 to 1024'

/** Live services answer with 201. */
export const listUtxosV2 = defineOperation({
  name: 'list-utxos-v2',
  source: 'document 1, operation 3',
  via: { post: '/v1/networks/{network}/blockchains/{blockchainId}/utxos', body: ['addresses'] },
  params: z
    .object({
      network,
      blockchainId,
      addresses: mixedAddresses,
      ...utxoFilters,
      sortBy,
      sortOrder,
      pageToken,
      pageSize: integer.pipe(z.int().min(1, PAGE_SIZE).max(1024, PAGE_SIZE)).default(10).describe('items per page'),
    })
    .refine(isAssetIdOnX, { path: ['assetId'], message: ASSET_ID_ON_X })
    .refine(areOfNetwork, { path: ['addresses'], message: OTHER_NETWORK }),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})
