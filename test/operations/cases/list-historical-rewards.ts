// Document 1, operation 9.

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/rewards'
const given = { network: 'fuji', addresses: 'P-fuji1abc' }
export const cases: Cases = {
  operation: 'list-historical-rewards',
  simulated: ({ validators }) => ({ network: 'fuji', nodeIds: [...validators.all.keys()][2]! }),
  asks: [
    { params: given, request: `GET ${path}?addresses=P-fuji1abc&pageSize=10&currency=usd` },
    {
      params: { network: 'testnet', nodeIds: 'NodeID-1,NodeID-2', pageSize: '1', sortOrder: 'asc' },
      request: 'GET /v1/networks/testnet/rewards?nodeIds=NodeID-1%2CNodeID-2&pageSize=1&sortOrder=asc&currency=usd',
    },
    {
      params: {
        network: 'mainnet',
        addresses: 'avax1abc',
        nodeIds: 'NodeID-1',
        pageToken: 'token 1',
        pageSize: '100',
        sortOrder: 'desc',
        currency: 'eur',
      },
      request:
        'GET /v1/networks/mainnet/rewards?addresses=avax1abc&nodeIds=NodeID-1&pageToken=token+1&pageSize=100&sortOrder=desc&currency=eur',
    },
    ...['usd', 'aud', 'cad', 'chf', 'clp', 'cny', 'czk', 'dkk', 'gbp', 'hkd', 'huf', 'jpy', 'nzd'].map((currency) => ({
      params: { ...given, currency },
      request: `GET ${path}?addresses=P-fuji1abc&pageSize=10&currency=${currency}`,
    })),
  ],
  refuses: [
    [{ network: 'fuji' }, 'one of addresses and nodeIds is required'],
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ network: 'fuji', addresses: 'P-fuji1abc,' }, 'expected comma-separated addresses'],
    [{ network: 'mainnet', addresses: 'avax1abc,X-fuji1abc' }, 'expected addresses of the network'],
    [{ network: 'fuji', nodeIds: '' }, 'expected string to have >=1 characters'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, currency: 'btc' }, 'expected one of "usd"|"eur"|"aud"'],
  ],
  answers: [
    {
      name: 'document',
      text: `{
        "nextPageToken": "5a0f4a3e-9d0c-4f0e-8a3c-2b8f1f0e7c21",
        "historicalRewards": [
          {
            "addresses": ["fuji1first", "fuji1second"],
            "txHash": "tx-staking",
            "amountStaked": "2000000000001",
            "nodeId": "NodeID-1",
            "startTimestamp": 1700000001,
            "endTimestamp": 1700000002,
            "stakingType": "autoRenewed",
            "rewardType": "VALIDATOR",
            "utxoId": "utxo-1",
            "outputIndex": 3,
            "reward": {
              "assetId": "asset-1",
              "name": "Avalanche",
              "symbol": "AVAX",
              "denomination": 9,
              "type": "secp256k1",
              "amount": "150500000004",
              "historicalPrice": { "currencyCode": "eur", "value": "16.25" }
            },
            "rewardTxHash": "tx-reward"
          }
        ]
      }`,
      reads: { amountStaked: BigInt, amount: BigInt, value: Number },
    },
    {
      name: 'live',
      text: `{
        "nextPageToken": "",
        "historicalRewards": [
          {
            "addresses": ["fuji1first"],
            "txHash": "tx-staking",
            "amountStaked": "25000000000",
            "nodeId": "NodeID-1",
            "startTimestamp": 1700000001,
            "endTimestamp": 1700000002,
            "rewardType": "VALIDATOR_FEE",
            "utxoId": "utxo-2",
            "outputIndex": 0,
            "reward": {
              "assetId": "asset-1",
              "name": "Avalanche",
              "symbol": "AVAX",
              "denomination": 9,
              "type": "secp256k1",
              "amount": "40000000",
              "historicalPrice": { "currencyCode": "usd", "value": 16.25 }
            },
            "rewardTxHash": "tx-reward"
          }
        ]
      }`,
      reads: { amountStaked: BigInt, amount: BigInt },
    },
    {
      name: 'minimal',
      text: `{
        "historicalRewards": [
          { "rewardTxHash": "r", "utxoId": "a", "reward": { "amount": "1" } },
          { "rewardTxHash": "r", "utxoId": "c", "reward": { "amount": "3", "historicalPrice": { "value": 0 } } }
        ]
      }`,
      reads: { amount: BigInt },
    },
    {
      name: 'broken',
      text: `{
        "historicalRewards": [
          { "rewardTxHash": "r", "utxoId": "a", "reward": { "amount": "1" } },
          { "rewardTxHash": "r", "utxoId": "without a reward" },
          { "rewardTxHash": "r", "utxoId": "without an amount", "reward": { "denomination": 9 } },
          { "rewardTxHash": "", "utxoId": "b", "reward": { "amount": "2" } },
          { "utxoId": "without a transaction", "reward": { "amount": "3" } },
          { "rewardTxHash": "r", "utxoId": "", "reward": { "amount": "4" } },
          { "rewardTxHash": "without a UTXO", "reward": { "amount": "5" } },
          {
            "rewardTxHash": "r",
            "utxoId": "a price in words",
            "reward": { "amount": "6", "historicalPrice": { "currencyCode": "usd", "value": "many" } }
          },
          {
            "rewardTxHash": "r",
            "utxoId": "a price without a value",
            "reward": { "amount": "7", "historicalPrice": { "currencyCode": "usd" } }
          }
        ]
      }`,
      value: {
        historicalRewards: [
          { rewardTxHash: 'r', utxoId: 'a', reward: { amount: 1n } },
          { rewardTxHash: 'r', utxoId: 'a price in words', reward: { amount: 6n } },
          { rewardTxHash: 'r', utxoId: 'a price without a value', reward: { amount: 7n } },
        ],
      },
      dropped: 6,
      fieldsDropped: 2,
    },
  ],
  amounts: [
    { item: '{"rewardTxHash":"a","utxoId":"b","reward":{"amount":@}}', path: 'reward.amount', isRequired: true },
    {
      item: '{"rewardTxHash":"a","utxoId":"b","reward":{"amount":"1"},"amountStaked":@}',
      path: 'amountStaked',
      canBeLeftOut: true,
    },
  ],
}
