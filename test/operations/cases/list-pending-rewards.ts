// Document 1, operation 10.

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/rewards:listPending'
const given = { network: 'fuji', addresses: 'P-fuji1abc' }
export const cases: Cases = {
  operation: 'list-pending-rewards',
  simulated: ({ validators }) => ({ network: 'fuji', nodeIds: [...validators.all.keys()][2]! }),
  asks: [
    { params: given, request: `GET ${path}?addresses=P-fuji1abc&pageSize=10` },
    {
      params: { network: 'mainnet', nodeIds: 'NodeID-1,NodeID-2', pageSize: '1', sortOrder: 'asc' },
      request: 'GET /v1/networks/mainnet/rewards:listPending?nodeIds=NodeID-1%2CNodeID-2&pageSize=1&sortOrder=asc',
    },
    {
      params: {
        network: 'testnet',
        addresses: 'fuji1abc,X-fuji1def',
        nodeIds: '1',
        pageToken: 'token 1',
        pageSize: '100',
        sortOrder: 'desc',
      },
      request:
        'GET /v1/networks/testnet/rewards:listPending?addresses=fuji1abc%2CX-fuji1def&nodeIds=1&pageToken=token+1&pageSize=100&sortOrder=desc',
    },
  ],
  refuses: [
    [{ network: 'fuji' }, 'one of addresses and nodeIds is required'],
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [
      { network: 'fuji', addresses: '0x00000000000000000000000000000000000000aa' },
      'expected comma-separated addresses',
    ],
    [{ network: 'fuji', addresses: 'avax1abc' }, 'expected addresses of the network'],
    [{ network: 'fuji', nodeIds: '' }, 'expected string to have >=1 characters'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, currency: 'usd' }, 'currency'],
  ],
  answers: [
    {
      fixture: 'data/list-pending-rewards.document',
      reads: { amountStaked: BigInt, amount: BigInt },
    },
    {
      name: 'live',
      text: '{ "pendingRewards": [{ "txHash": "a", "stakingType": "fixed", "estimatedReward": { "amount": "1" } }] }',
      value: { pendingRewards: [{ txHash: 'a', stakingType: 'fixed', estimatedReward: { amount: 1n } }] },
    },
    {
      name: 'minimal',
      text: '{ "pendingRewards": [{ "txHash": "a", "estimatedReward": { "amount": "1" } }] }',
      value: { pendingRewards: [{ txHash: 'a', estimatedReward: { amount: 1n } }] },
    },
    {
      name: 'broken',
      text: `{
        "pendingRewards": [
          { "txHash": "a", "estimatedReward": { "amount": "1" }, "progress": "12.5" },
          { "txHash": "", "estimatedReward": { "amount": "2" } },
          { "estimatedReward": { "amount": "3" } },
          { "txHash": "without a reward" },
          { "txHash": "progress in words", "estimatedReward": { "amount": "4" }, "progress": "half" }
        ]
      }`,
      value: {
        pendingRewards: [
          { txHash: 'a', progress: 12.5, estimatedReward: { amount: 1n } },
          { txHash: 'progress in words', estimatedReward: { amount: 4n } },
        ],
      },
      dropped: 3,
      fieldsDropped: 1,
    },
  ],
  amounts: [
    { item: '{"txHash":"a","estimatedReward":{"amount":@}}', path: 'estimatedReward.amount', isRequired: true },
    {
      item: '{"txHash":"a","estimatedReward":{"amount":"1"},"amountStaked":@}',
      path: 'amountStaked',
      canBeLeftOut: true,
    },
  ],
}
