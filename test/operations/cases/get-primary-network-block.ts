// Document 1, operation 15.

import type { Cases } from '../cases.ts'
import { cases as listBlocks } from './list-latest-primary-network-blocks.ts'

const given = { network: 'fuji', blockchainId: 'p-chain', blockId: '7' }

export const cases: Cases = {
  operation: 'get-primary-network-block',
  simulated: () => ({ network: 'fuji', blockchainId: 'p-chain', blockId: '7' }),
  asks: [
    { params: given, request: 'GET /v1/networks/fuji/blockchains/p-chain/blocks/7' },
    {
      params: { network: 'mainnet', blockchainId: 'c-chain', blockId: '0xc0ffee' },
      request: 'GET /v1/networks/mainnet/blockchains/c-chain/blocks/0xc0ffee',
    },
    {
      params: { network: 'testnet', blockchainId: 'x-chain', blockId: '0' },
      request: 'GET /v1/networks/testnet/blockchains/x-chain/blocks/0',
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, '],
    [{ ...given, blockId: '' }, 'expected string to have >=1 characters'],
    [{ network: 'fuji', blockchainId: 'p-chain' }, 'blockId'],
  ],
  answers: [
    {
      fixture: 'data/get-primary-network-block.document',
      reads: { blockNumber: BigInt, currentSupply: BigInt },
    },
    {
      name: 'minimal',
      text: '{ "blockNumber": "0", "blockHash": "h0", "blockTimestamp": 1599696000, "txCount": 0 }',
      value: { blockNumber: 0n, blockHash: 'h0', blockTimestamp: 1_599_696_000, txCount: 0 },
    },
  ],
  amounts: listBlocks.amounts!,
  missing: ['Block not found'],
}
