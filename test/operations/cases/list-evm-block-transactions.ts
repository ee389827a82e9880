// Document 1, operation 11.

import type { Cases } from '../cases.ts'

const path = '/v1/chains/43113/blocks/339/transactions'
const given = { chainId: '43113', blockId: '339' }
const hash = `0x${'0aF9'.repeat(16)}`

export const cases: Cases = {
  operation: 'list-evm-block-transactions',
  simulated: () => ({ chainId: '43113', blockId: '7' }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=0` },
    {
      params: { chainId: '2q9e', blockId: hash, pageToken: 't', pageSize: '100' },
      request: `GET /v1/chains/2q9e/blocks/${hash}/transactions?pageToken=t&pageSize=100`,
    },
    { params: { ...given, pageSize: '0' }, request: `GET ${path}?pageSize=0` },
  ],
  refuses: [
    [{ ...given, chainId: '' }, 'expected string to have >=1 characters'],
    ...['latest', '-1', '0x0aF9', `${hash}0`, hash.slice(2), ''].map(
      (blockId) => [{ ...given, blockId }, 'expected a block number, or a hash: 0x and 64 hexadecimal digits'] as const,
    ),
    [{ ...given, pageSize: '-1' }, 'expected 0 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 0 to 100'],
  ],
  answers: [
    {
      fixture: 'data/list-evm-block-transactions.document',
      value: {
        nextPageToken: '3d22deea-ea64-4d30-8a1e-c2a353b67e90',
        transactions: [
          {
            blockNumber: 339n,
            blockTimestamp: 1_700_000_010,
            blockHash: '0x0b339',
            chainId: '43113',
            blockIndex: 4,
            txHash: '0x07a1',
            txStatus: '1',
            txType: 2,
            gasLimit: 90_000n,
            gasUsed: 46_000n,
            gasPrice: 26_000_000_000n,
            nonce: 17n,
            from: {
              name: 'Wallet',
              symbol: 'WLT',
              decimals: 3,
              logoUri: 'https://example.com/wallet.png',
              address: '0xf401',
            },
            to: {
              name: 'USD Coin',
              symbol: 'USDC',
              decimals: 6,
              logoUri: 'https://example.com/usdc.png',
              address: '0xc003',
            },
            method: {
              callType: 'CONTRACT_CALL',
              methodHash: '0xa9059cbb',
              methodName: 'transfer(address,uint256)',
            },
            value: 1_500_000_000_000_000_000n,
          },
        ],
      },
    },
    {
      fixture: 'data/list-evm-block-transactions.live',
      value: {
        nextPageToken: '',
        transactions: [
          {
            blockNumber: 339n,
            blockTimestamp: 1_700_000_010,
            blockHash: '0x0b339',
            chainId: '43113',
            blockIndex: 0,
            txHash: '0x07a2',
            txStatus: '0',
            txType: 0,
            gasLimit: 21_000n,
            gasUsed: 21_000n,
            gasPrice: 25_000_000_000n,
            nonce: 0n,
            from: { address: '0xf401' },
            to: { address: '0x7002' },
            method: { callType: 'NATIVE_TRANSFER', methodHash: '' },
            value: 0n,
          },
        ],
      },
    },
    {
      fixture: 'data/list-evm-block-transactions.minimal',
      value: { transactions: [{ txHash: 'a' }, { txHash: 'b' }, { txHash: 'c', method: {} }] },
      dropped: 3,
    },
  ],
  amounts: [
    { item: '{"txHash":"a","value":@}', path: 'value', canBeLeftOut: true },
    { item: '{"txHash":"a","gasPrice":@}', path: 'gasPrice', canBeLeftOut: true },
  ],
  missing: ['Block not found'],
}
