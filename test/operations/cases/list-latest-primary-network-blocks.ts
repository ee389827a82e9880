// Document 1, operation 14, and PrimaryNetworkBlock.

import type { Cases } from '../cases.ts'

const given = { network: 'fuji', blockchainId: 'p-chain' }
const path = '/v1/networks/fuji/blockchains/p-chain/blocks'

export const cases: Cases = {
  operation: 'list-latest-primary-network-blocks',
  simulated: () => ({ network: 'fuji', blockchainId: 'p-chain' }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    ...[
      '11111111111111111111111111111111LpoYY',
      'x-chain',
      '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
      '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
      'c-chain',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
      'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    ].map((blockchainId) => ({
      params: { network: 'mainnet', blockchainId },
      request: `GET /v1/networks/mainnet/blockchains/${blockchainId}/blocks?pageSize=10`,
    })),
    {
      params: { ...given, startTimestamp: '0', endTimestamp: '1700000000', pageToken: 'token 1', pageSize: '1' },
      request: `GET ${path}?startTimestamp=0&endTimestamp=1700000000&pageToken=token+1&pageSize=1`,
    },
    {
      params: { ...given, startTimestamp: '1700000000', pageSize: '100' },
      request: `GET ${path}?startTimestamp=1700000000&pageSize=100`,
    },
    {
      params: { ...given, network: 'testnet', endTimestamp: '0' },
      request: 'GET /v1/networks/testnet/blockchains/p-chain/blocks?endTimestamp=0&pageSize=10',
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, 11111111111111111111111111111111LpoYY, x-chain'],
    [{ ...given, startTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, endTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'asc' }, 'sortOrder'],
  ],
  answers: [
    {
      fixture: 'data/list-latest-primary-network-blocks.document',
      reads: { blockNumber: BigInt, l1ValidatorsAccruedFees: BigInt, currentSupply: BigInt },
    },
    {
      fixture: 'data/list-latest-primary-network-blocks.live',
      reads: { blockNumber: BigInt },
    },
    {
      fixture: 'data/list-latest-primary-network-blocks.minimal',
      reads: { blockNumber: BigInt },
    },
    {
      fixture: 'data/list-latest-primary-network-blocks.broken',
      value: {
        blocks: [
          { blockNumber: 9n, blockHash: 'i', blockTimestamp: 1_700_000_009, txCount: 1 },
          { blockNumber: 8n, blockHash: 'h', blockTimestamp: 1_700_000_008, txCount: 1 },
        ],
      },
      dropped: 11,
      fieldsDropped: 2,
    },
  ],
  amounts: [
    {
      item: '{"blockNumber":"1","blockHash":"h","blockTimestamp":1,"txCount":0,"l1ValidatorsAccruedFees":@}',
      path: 'l1ValidatorsAccruedFees',
    },
    {
      item: '{"blockNumber":"1","blockHash":"h","blockTimestamp":1,"txCount":0,"currentSupply":@}',
      path: 'currentSupply',
      canBeLeftOut: true,
    },
  ],
}
