// Document 1, operation 10.

import { avaxAsset as avax } from '../../support/avax.ts'
import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/rewards:listPending'
const given = { network: 'fuji', addresses: 'P-fuji1abc' }
const wallet = 'P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const nodeId = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'

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
      value: {
        nextPageToken: '',
        pendingRewards: [
          {
            addresses: [wallet],
            txHash: '2NNkpYTGfTFLSGXJcHtVv6drwVU2cczhmjK2uhvwDyxwsjzZMm',
            amountStaked: 2_000_000_000_000n,
            nodeId,
            startTimestamp: 1_700_000_000,
            endTimestamp: 1_731_536_000,
            rewardType: 'VALIDATOR',
            progress: 0.5,
            estimatedReward: { ...avax, amount: 150_500_000_000n },
          },
          {
            addresses: [wallet],
            txHash: '2SY99RBFkDbfBYEsghsUVrckuBAZxg1pQgHH9CAe8fPsgmWNno',
            amountStaked: 25_000_000_000n,
            nodeId,
            startTimestamp: 1_705_000_000,
            endTimestamp: 1_715_000_000,
            rewardType: 'VALIDATOR_FEE',
            progress: 0.25,
            estimatedReward: { ...avax, amount: 40_000_000n },
          },
          {
            addresses: [wallet],
            txHash: '29Qyng1jJXXLQBSTX9LVqPxCQG4dYqrFoGmoTiZa6LBWjXKykD',
            amountStaked: 50_000_000_000n,
            nodeId,
            startTimestamp: 1_705_000_000,
            endTimestamp: 1_720_000_000,
            rewardType: 'VALIDATOR_FEE',
            progress: 0.2,
            estimatedReward: { ...avax, amount: 80_000_000n },
          },
          {
            addresses: ['P-fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946'],
            txHash: '2SY99RBFkDbfBYEsghsUVrckuBAZxg1pQgHH9CAe8fPsgmWNno',
            amountStaked: 25_000_000_000n,
            nodeId,
            startTimestamp: 1_705_000_000,
            endTimestamp: 1_710_000_000,
            rewardType: 'DELEGATOR',
            progress: 0.25,
            estimatedReward: { ...avax, amount: 1_960_000_000n },
          },
        ],
      },
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
