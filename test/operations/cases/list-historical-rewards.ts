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
      fixture: 'data/list-historical-rewards.document',
      reads: { amountStaked: BigInt, amount: BigInt, value: Number },
    },
    {
      fixture: 'data/list-historical-rewards.live',
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
      fixture: 'data/list-historical-rewards.broken',
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
