// Document 1, operation 7, and Utxo.

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/utxos'
const given = { network: 'fuji', blockchainId: 'p-chain' }
const plain = 'minUtxoAmount=0&pageSize=10'

/** What both lists of UTXOs (operations 3 and 7) make of the same answers. */
export const answers: Cases['answers'] = [
  {
    fixture: 'data/list-utxos.document',
    reads: {
      amount: BigInt,
      blockNumber: BigInt,
      consumingBlockNumber: BigInt,
      platformLocktime: BigInt,
      stakeableLocktime: BigInt,
    },
  },
  {
    fixture: 'data/list-utxos.live',
    reads: { amount: BigInt, outputIndex: Number },
  },
  {
    name: 'minimal',
    text: `{
      "nextPageToken": "",
      "utxos": [
        { "utxoId": "utxo-1", "asset": { "amount": "0" }, "credentials": [{}] },
        { "utxoId": "b" }
      ],
      "chainInfo": {}
    }`,
    reads: { amount: BigInt },
  },
  {
    name: 'broken',
    text: `{
      "utxos": [
        { "utxoId": "the most decimal places", "asset": { "denomination": 255, "amount": "1" }, "staked": false },
        { "utxoId": "too many decimal places", "asset": { "denomination": 256, "amount": "1" } },
        { "utxoId": "decimal places below zero", "asset": { "denomination": -1, "amount": "1" } },
        { "txHash": "without an id" },
        { "utxoId": "" },
        { "utxoId": "an asset without an amount", "asset": { "denomination": 9 } },
        { "utxoId": "a flag of another kind", "staked": "yes" }
      ]
    }`,
    value: {
      utxos: [
        { utxoId: 'the most decimal places', asset: { denomination: 255, amount: 1n }, staked: false },
        { utxoId: 'too many decimal places', asset: { amount: 1n } },
        { utxoId: 'decimal places below zero', asset: { amount: 1n } },
      ],
    },
    dropped: 4,
    fieldsDropped: 2,
  },
]

export const cases: Cases = {
  operation: 'list-utxos',
  simulated: ({ validators }) => ({
    network: 'fuji',
    blockchainId: 'p-chain',
    addresses: `P-${[...validators.all.values()][2]!.owner}`,
  }),
  asks: [
    { params: given, request: `GET ${path}?${plain}` },
    {
      params: { ...given, addresses: 'P-fuji1abc,X-fuji1def, fuji1ghi', minUtxoAmount: '1', pageSize: '1' },
      request: `GET ${path}?addresses=P-fuji1abc%2CX-fuji1def%2C+fuji1ghi&minUtxoAmount=1&pageSize=1`,
    },
    {
      params: {
        network: 'mainnet',
        blockchainId: 'x-chain',
        addresses: 'X-avax1abc',
        assetId: 'A',
        minUtxoAmount: '18446744073709551615',
        includeSpent: 'true',
        sortBy: 'amount',
        sortOrder: 'desc',
        pageToken: 'token 1',
        pageSize: '100',
      },
      request:
        'GET /v1/networks/mainnet/blockchains/x-chain/utxos?addresses=X-avax1abc&assetId=A&minUtxoAmount=18446744073709551615&includeSpent=true&sortBy=amount&sortOrder=desc&pageToken=token+1&pageSize=100',
    },
    {
      params: { network: 'testnet', blockchainId: 'c-chain', sortBy: 'timestamp', sortOrder: 'asc' },
      request: `GET /v1/networks/testnet/blockchains/c-chain/utxos?minUtxoAmount=0&sortBy=timestamp&sortOrder=asc&pageSize=10`,
    },
    {
      params: { ...given, includeSpent: 'false' },
      request: `GET ${path}?minUtxoAmount=0&includeSpent=false&pageSize=10`,
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, '],
    [{ ...given, addresses: 'P-abc' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'C-fuji1abc' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'P-fuji1abc,X-avax1def' }, 'expected addresses of the network'],
    [{ ...given, assetId: 'A' }, 'assetId applies to the X-Chain alone'],
    [{ ...given, blockchainId: 'c-chain', assetId: 'A' }, 'assetId applies to the X-Chain alone'],
    [{ ...given, blockchainId: 'x-chain', assetId: '' }, 'expected string to have >=1 characters'],
    [{ ...given, minUtxoAmount: '-1' }, 'expected a decimal integer'],
    [{ ...given, includeSpent: 'yes' }, 'includeSpent'],
    [{ ...given, sortBy: 'age' }, 'expected one of "timestamp"|"amount"'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, pageSize: 'ten' }, 'expected an integer'],
  ],
  answers,
  amounts: [
    { item: '{"utxoId":"a","amount":@}', path: 'amount' },
    { item: '{"utxoId":"a","asset":{"amount":@}}', path: 'asset.amount', isRequired: true },
  ],
}
