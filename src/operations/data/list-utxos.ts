// List UTXOs: what wallets can spend, and on request what they have spent.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken } from '../fields.ts'
import { ofUtxos, pageSize, someAddresses } from './parameters.ts'
import { utxo } from './utxo.ts'

/** For many addresses use operation 3. */
export const listUtxos = defineOperation({
  name: 'list-utxos',
  source: 'document 1, operation 7',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/utxos' },
  params: ofUtxos(someAddresses, pageSize),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})
