// Document 1, operation 6, and PrimaryNetworkBalances.

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/balances'
const given = { network: 'fuji', blockchainId: 'p-chain' }
export const cases: Cases = {
  operation: 'get-balances',
  simulated: ({ validators }) => ({
    network: 'fuji',
    blockchainId: 'p-chain',
    addresses: `P-${[...validators.all.values()][2]!.owner}`,
  }),
  asks: [
    { params: given, request: `GET ${path}` },
    {
      params: { ...given, addresses: 'P-fuji1abc,X-fuji1def' },
      request: `GET ${path}?addresses=P-fuji1abc%2CX-fuji1def`,
    },
    {
      params: { network: 'mainnet', blockchainId: 'x-chain', blockTimestamp: '1700000000', addresses: 'avax1abc' },
      request: 'GET /v1/networks/mainnet/blockchains/x-chain/balances?blockTimestamp=1700000000&addresses=avax1abc',
    },
    {
      params: { network: 'testnet', blockchainId: 'c-chain', blockTimestamp: '0' },
      request: 'GET /v1/networks/testnet/blockchains/c-chain/balances?blockTimestamp=0',
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, '],
    [{ ...given, blockTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, blockTimestamp: 'now' }, 'expected an integer'],
    [{ ...given, addresses: 'C-fuji1abc' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'avax1abc' }, 'expected addresses of the network'],
    [{ ...given, pageSize: '10' }, 'pageSize'],
  ],
  answers: [
    {
      fixture: 'data/get-balances.document',
      reads: { amount: BigInt },
    },
    {
      name: 'live',
      text: `{
        "balances": {
          "locked": [{ "assetId": "asset-1", "amount": "1", "utxoCount": 2 }],
          "unlocked": [{ "assetId": "asset-1", "amount": "3", "utxoCount": 4 }],
          "atomicMemoryUnlocked": [{ "assetId": "asset-1", "amount": "5", "utxoCount": 6, "sharedWithChainId": "chain-p" }],
          "atomicMemoryLocked": []
        },
        "chainInfo": { "chainName": "x-chain", "network": "fuji" }
      }`,
      reads: { amount: BigInt },
    },
    {
      name: 'with compounding validators',
      text: `{
        "balances": { "unlockedStaked": [], "restakedRewards": "9007199254740993" },
        "chainInfo": { "chainName": "p-chain", "network": "fuji" }
      }`,
      value: {
        balances: { unlockedStaked: [], restakedRewards: 9_007_199_254_740_993n },
        chainInfo: { chainName: 'p-chain', network: 'fuji' },
      },
    },
    {
      name: 'minimal',
      text: '{ "balances": { "unlockedUnstaked": [{ "amount": "0" }], "atomicMemoryUnlocked": [{ "amount": "2" }] } }',
      value: { balances: { unlockedUnstaked: [{ amount: 0n }], atomicMemoryUnlocked: [{ amount: 2n }] } },
    },
  ],
  amounts: [
    { item: '{"balances":{"restakedRewards":@}}', path: 'balances.restakedRewards', canBeLeftOut: true },
    {
      item: '{"balances":{"unlockedUnstaked":[{"amount":@}]}}',
      path: 'balances.unlockedUnstaked.0.amount',
      isRequired: true,
    },
    {
      item: '{"balances":{"atomicMemoryLocked":[{"amount":@}]}}',
      path: 'balances.atomicMemoryLocked.0.amount',
      isRequired: true,
    },
  ],
}
