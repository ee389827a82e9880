// List UTXOs (v2): for many addresses at once: what wallets can spend, and on request what they have spent.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken } from '../fields.ts'
import { mixedAddresses, ofUtxos, pageSizeUpTo } from './parameters.ts'
import { utxo } from './utxo.ts'

/** Live services answer with 201. */
export const listUtxosV2 = defineOperation({
  name: 'list-utxos-v2',
  source: 'document 1, operation 3',
  via: { post: '/v1/networks/{network}/blockchains/{blockchainId}/utxos', body: ['addresses'] },
  params: ofUtxos(mixedAddresses, pageSizeUpTo(1024)),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})
