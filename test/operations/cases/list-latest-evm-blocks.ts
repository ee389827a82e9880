// Document 1, operation 12.

import type { Cases } from '../cases.ts'

const path = '/v1/chains/43113/blocks'
const given = { chainId: '43113' }

const block = {
  blockNumber: 339n,
  blockTimestamp: 1_700_000_010,
  blockHash: '0x0b339',
  txCount: 2,
  baseFee: 25_000_000_000n,
  gasUsed: 60_000n,
  gasLimit: 15_000_000n,
  gasCost: 0n,
  parentHash: '0x0b338',
  feesSpent: 1_560_000_000_000_000n,
  cumulativeTransactions: 8007n,
}

export const cases: Cases = {
  operation: 'list-latest-evm-blocks',
  simulated: () => ({ chainId: '43113' }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: { chainId: '2q9e', pageToken: 't', pageSize: '100' },
      request: 'GET /v1/chains/2q9e/blocks?pageToken=t&pageSize=100',
    },
    { params: { ...given, pageSize: '1' }, request: `GET ${path}?pageSize=1` },
  ],
  refuses: [
    [{}, 'chainId'],
    [{ chainId: '' }, 'expected string to have >=1 characters'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
  ],
  answers: [
    {
      fixture: 'data/list-latest-evm-blocks.document',
      reads: {
        blockNumber: BigInt,
        baseFee: BigInt,
        gasUsed: BigInt,
        gasLimit: BigInt,
        gasCost: BigInt,
        feesSpent: BigInt,
        cumulativeTransactions: BigInt,
      },
    },
    {
      fixture: 'data/list-latest-evm-blocks.live',
      value: { blocks: [{ ...block, blockTimestampMilliseconds: 1_700_000_010_250, blockMinDelayExcess: 7_970_124 }] },
    },
    {
      fixture: 'data/list-latest-evm-blocks.minimal',
      value: { blocks: [{ blockNumber: 2n, blockTimestamp: 0, blockHash: 'a' }] },
      dropped: 4,
    },
  ],
  amounts: [
    { item: '{"blockHash":"h","blockTimestamp":1,"blockNumber":@}', path: 'blockNumber', isRequired: true },
    { item: '{"blockHash":"h","blockTimestamp":1,"blockNumber":"1","feesSpent":@}', path: 'feesSpent' },
    {
      item: '{"blockHash":"h","blockTimestamp":1,"blockNumber":"1","cumulativeTransactions":@}',
      path: 'cumulativeTransactions',
    },
  ],
}
