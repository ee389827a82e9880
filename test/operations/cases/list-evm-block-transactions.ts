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
      reads: { blockNumber: BigInt, gasLimit: BigInt, gasUsed: BigInt, gasPrice: BigInt, nonce: BigInt, value: BigInt },
    },
    {
      fixture: 'data/list-evm-block-transactions.live',
      reads: { blockNumber: BigInt, gasLimit: BigInt, gasUsed: BigInt, gasPrice: BigInt, nonce: BigInt, value: BigInt },
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
