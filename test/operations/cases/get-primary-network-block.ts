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
      name: 'document',
      text: `{
        "blockNumber": "1001",
        "blockHash": "h1001",
        "parentHash": "h1000",
        "blockTimestamp": 1700000010,
        "blockType": "BanffStandardBlock",
        "txCount": 2,
        "transactions": ["t1", "t2"],
        "blockSizeBytes": 1029,
        "l1ValidatorsAccruedFees": 9007199254740993,
        "activeL1Validators": 1400,
        "currentSupply": "460000000123456789",
        "proposerDetails": {
          "proposerId": "p1001",
          "proposerParentId": "p1000",
          "proposerNodeId": "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
          "proposerPChainHeight": 999,
          "proposerTimestamp": 1700000007
        }
      }`,
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
