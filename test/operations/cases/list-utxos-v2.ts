// Document 1, operation 3.

import type { Cases } from '../cases.ts'
import { answers } from './list-utxos.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/utxos'
const wallet = 'P-fuji1abc'
const given = { network: 'fuji', blockchainId: 'p-chain', addresses: wallet }
const body = { addresses: wallet }

export const cases: Cases = {
  operation: 'list-utxos-v2',
  simulated: ({ validators }) => ({
    network: 'fuji',
    blockchainId: 'p-chain',
    addresses: `P-${[...validators.all.values()][2]!.owner}`,
  }),
  asks: [
    { params: given, request: `POST ${path}?minUtxoAmount=0&pageSize=10`, body },
    {
      params: { ...given, blockchainId: 'x-chain', addresses: 'X-fuji1abc,P-fuji1def, fuji1ghi' },
      request: `POST /v1/networks/fuji/blockchains/x-chain/utxos?minUtxoAmount=0&pageSize=10`,
      body: { addresses: 'X-fuji1abc,P-fuji1def, fuji1ghi' },
    },
    {
      params: { ...given, addresses: 'P-fuji1abc,X-fuji1abc,C-fuji1abc' },
      request: `POST ${path}?minUtxoAmount=0&pageSize=10`,
      body: { addresses: 'P-fuji1abc,X-fuji1abc,C-fuji1abc' },
    },
    { params: { ...given, pageSize: '1' }, request: `POST ${path}?minUtxoAmount=0&pageSize=1`, body },
    { params: { ...given, pageSize: '1024' }, request: `POST ${path}?minUtxoAmount=0&pageSize=1024`, body },
    {
      params: {
        network: 'mainnet',
        blockchainId: '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
        addresses: 'avax1abc',
        assetId: 'A',
        minUtxoAmount: '1',
        includeSpent: 'true',
        sortBy: 'timestamp',
        sortOrder: 'asc',
        pageToken: 'token 1',
      },
      request:
        'POST /v1/networks/mainnet/blockchains/2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM/utxos?assetId=A&minUtxoAmount=1&includeSpent=true&sortBy=timestamp&sortOrder=asc&pageToken=token+1&pageSize=10',
      body: { addresses: 'avax1abc' },
    },
    {
      params: { ...given, network: 'testnet', includeSpent: 'false', sortBy: 'amount', sortOrder: 'desc' },
      request: `POST /v1/networks/testnet/blockchains/p-chain/utxos?minUtxoAmount=0&includeSpent=false&sortBy=amount&sortOrder=desc&pageSize=10`,
      body,
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, '],
    [{ network: 'fuji', blockchainId: 'p-chain' }, 'addresses'],
    [{ ...given, addresses: '' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'C-P-fuji1abc' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'P-avax1abc' }, 'expected addresses of the network'],
    [{ ...given, addresses: 'P-fuji1abc,C-avax1abc' }, 'expected addresses of the network'],
    [{ ...given, assetId: 'A' }, 'assetId applies to the X-Chain alone'],
    [{ ...given, minUtxoAmount: '-1' }, 'expected a decimal integer'],
    [{ ...given, includeSpent: 'yes' }, 'includeSpent'],
    [{ ...given, sortBy: 'age' }, 'expected one of "timestamp"|"amount"'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 1024'],
    [{ ...given, pageSize: '1025' }, 'expected 1 to 1024'],
  ],
  answers,
  amounts: [
    { item: '{"utxoId":"a","amount":@}', path: 'amount' },
    { item: '{"utxoId":"a","asset":{"amount":@}}', path: 'asset.amount', isRequired: true },
  ],
}
