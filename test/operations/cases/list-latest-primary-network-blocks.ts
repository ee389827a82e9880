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
      value: {
        nextPageToken: '3d22deea-ea64-4d30-8a1e-c2a353b67e90',
        blocks: [
          {
            blockNumber: 1_001n,
            blockHash: 'h1001',
            parentHash: 'h1000',
            blockTimestamp: 1_700_000_010,
            blockType: 'BanffStandardBlock',
            txCount: 2,
            transactions: ['t1', 't2'],
            blockSizeBytes: 1_029,
            l1ValidatorsAccruedFees: 27_000_000_000n,
            activeL1Validators: 1_400,
            currentSupply: 460_000_000_123_456_789n,
            proposerDetails: {
              proposerId: 'p1001',
              proposerParentId: 'p1000',
              proposerNodeId: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
              proposerPChainHeight: 1_000,
              proposerTimestamp: 1_700_000_007,
            },
          },
          {
            blockNumber: 1_000n,
            blockHash: 'h1000',
            parentHash: 'h999',
            blockTimestamp: 1_700_000_000,
            blockType: 'BanffCommitBlock',
            txCount: 0,
            transactions: [],
            blockSizeBytes: 200,
          },
        ],
        chainInfo: { chainName: 'p-chain', network: 'fuji' },
      },
    },
    {
      fixture: 'data/list-latest-primary-network-blocks.live',
      value: {
        blocks: [
          {
            blockNumber: 1_002n,
            blockHash: 'h1002',
            parentHash: 'h1001',
            blockTimestamp: 1_700_000_020,
            blockType: 'Standard',
            txCount: 3,
            transactions: ['t3', 't4', 't5'],
            blockSizeBytes: 1_500,
            l1ValidatorsAccruedFees: 9_007_199_254_740_993n,
            proposerDetails: {},
          },
        ],
        chainInfo: {},
      },
    },
    {
      fixture: 'data/list-latest-primary-network-blocks.minimal',
      value: {
        blocks: [
          { blockNumber: 2n, blockHash: 'b', blockTimestamp: 1_700_000_004, txCount: 0 },
          { blockNumber: 1n, blockHash: 'a', blockTimestamp: 1_700_000_002, txCount: 1, proposerDetails: {} },
        ],
        chainInfo: {},
      },
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
