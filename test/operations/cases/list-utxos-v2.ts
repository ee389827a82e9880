// Document 1, operation 3.

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/utxos'
const wallet = 'P-fuji1abc'
const given = { network: 'fuji', blockchainId: 'p-chain', addresses: wallet }

export const cases: Cases = {
  operation: 'list-utxos-v2',
  asks: [
    { params: given, request: `POST ${path}?minUtxoAmount=0&pageSize=10`, body: { addresses: wallet } },
    {
      params: { ...given, blockchainId: 'x-chain', addresses: 'X-fuji1abc,P-fuji1def, fuji1ghi' },
      request: `POST /v1/networks/fuji/blockchains/x-chain/utxos?minUtxoAmount=0&pageSize=10`,
      body: { addresses: 'X-fuji1abc,P-fuji1def, fuji1ghi' },
    },
    {
      params: { ...given, pageSize: '1024' },
      request: `POST ${path}?minUtxoAmount=0&pageSize=1024`,
      body: { addresses: wallet },
    },
  ],
  refuses: [
    [{ ...given, pageSize: '0' }, 'expected 1 to 1024'],
    [{ ...given, pageSize: '1025' }, 'expected 1 to 1024'],
    [{ ...given, assetId: 'A' }, 'assetId applies to the X-Chain alone'],
    [{ ...given, addresses: 'P-avax1abc' }, 'expected addresses of the network'],
    [{ ...given, minUtxoAmount: '-1' }, 'expected a decimal integer'],
  ],
  answers: [],
}
