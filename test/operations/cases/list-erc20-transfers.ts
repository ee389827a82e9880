// Document 1, operation 8.

import type { Cases } from '../cases.ts'

const address = `0x${'0aF'.repeat(13)}9`
const path = `/v1/chains/43114/addresses/${address}/transactions:listErc20`
const given = { chainId: '43114', address }

export const cases: Cases = {
  operation: 'list-erc20-transfers',
  simulated: ({ evmWallets }) => ({ chainId: '43113', address: Object.values(evmWallets)[0]! }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: { ...given, chainId: '2q9e', startBlock: '100', endBlock: '200', pageToken: 't', pageSize: '100' },
      request: `GET /v1/chains/2q9e/addresses/${address}/transactions:listErc20?startBlock=100&endBlock=200&pageToken=t&pageSize=100`,
    },
    { params: { ...given, startBlock: '0' }, request: `GET ${path}?startBlock=0&pageSize=10` },
    { params: { ...given, endBlock: '0' }, request: `GET ${path}?endBlock=0&pageSize=10` },
    // What an empty range means is for the service to say.
    {
      params: { ...given, startBlock: '7', endBlock: '7' },
      request: `GET ${path}?startBlock=7&endBlock=7&pageSize=10`,
    },
    { params: { ...given, pageSize: '1' }, request: `GET ${path}?pageSize=1` },
  ],
  refuses: [
    [{ address }, 'chainId'],
    [{ ...given, chainId: '' }, 'expected string to have >=1 characters'],
    [{ ...given, address: '0xf401' }, 'expected an address: 0x and 40 hexadecimal digits'],
    [{ ...given, startBlock: '-1' }, 'expected a decimal integer'],
    [{ ...given, endBlock: '1.5' }, 'expected a decimal integer'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '' }, 'expected an integer'],
  ],
  answers: [
    {
      fixture: 'data/list-erc20-transfers.document',
      reads: { blockNumber: BigInt, 'transactions.value': BigInt, 'price.value': Number },
    },
    {
      fixture: 'data/list-erc20-transfers.live',
      reads: { blockNumber: BigInt, 'transactions.value': BigInt, 'price.value': Number },
    },
    {
      fixture: 'data/list-erc20-transfers.minimal',
      value: {
        transactions: [
          { blockNumber: 1n, txHash: 'a', logIndex: 0 },
          { blockNumber: 1n, txHash: 'a', from: { address: 'b' }, logIndex: 1 },
          { blockNumber: 1n, txHash: 'a', logIndex: 2, erc20Token: { address: 'c', decimals: 255 } },
          { blockNumber: 1n, txHash: 'a', logIndex: 3, erc20Token: { address: 'c', price: { value: 1e-7 } } },
          // No token can have as many, nor fewer than none: they are unknown.
          ...[4, 5, 6].map((logIndex) => ({ blockNumber: 1n, txHash: 'a', logIndex, erc20Token: { address: 'c' } })),
        ],
      },
      fieldsDropped: 3,
    },
    {
      fixture: 'data/list-erc20-transfers.damaged',
      value: {
        transactions: [
          { blockNumber: 1n, txHash: 'a', logIndex: 0, erc20Token: { address: 'c' } },
          { blockNumber: 1n, txHash: 'a', logIndex: 0, erc20Token: { address: 'c' } },
          { blockNumber: 1n, txHash: 'a', logIndex: 7 },
        ],
      },
      dropped: 10,
      fieldsDropped: 2,
    },
  ],
  amounts: [{ item: '{"blockNumber":"1","txHash":"a","logIndex":0,"value":@}', path: 'value' }],
}
