// Document 2, P-Chain interface and Validator record: of the primary network, of a permissioned subnet, of an L1.

import { type Cases, gone } from '../cases.ts'

const answers: Cases['answers'] = [
  {
    fixture: 'node/platform.getCurrentValidators.document',
    reads: {
      startTime: Number,
      endTime: Number,
      weight: BigInt,
      potentialReward: BigInt,
      delegationFee: Number,
      uptime: Number,
      delegatorCount: BigInt,
      delegatorWeight: BigInt,
      locktime: BigInt,
      threshold: BigInt,
      minNonce: BigInt,
      balance: BigInt,
    },
  },
  {
    fixture: 'node/platform.getCurrentValidators.live',
    reads: {
      startTime: Number,
      endTime: Number,
      weight: BigInt,
      locktime: BigInt,
      threshold: BigInt,
      potentialReward: BigInt,
      accruedDelegateeReward: BigInt,
      delegationFee: Number,
      uptime: Number,
      delegatorCount: BigInt,
      delegatorWeight: BigInt,
      nextPeriod: BigInt,
      autoCompoundRewardShares: BigInt,
      laterField: gone,
      minNonce: BigInt,
      balance: BigInt,
    },
  },
  {
    fixture: 'node/platform.getCurrentValidators.numbers',
    reads: { weight: BigInt },
  },
  {
    fixture: 'node/platform.getCurrentValidators.minimal',
    reads: {},
  },
  {
    fixture: 'node/platform.getCurrentValidators.broken',
    value: { validators: [{ nodeID: 'NodeID-good', weight: 60n }] },
    dropped: 16,
  },
  { fixture: 'node/platform.getCurrentValidators.none', value: { validators: [] } },
]

export const cases: Cases = {
  operation: 'platform.getCurrentValidators',
  asks: [
    { params: {}, request: 'POST /ext/bc/P', body: {} },
    { params: { subnetID: 'S' }, request: 'POST /ext/bc/P', body: { subnetID: 'S' } },
    { params: { nodeIDs: 'N' }, request: 'POST /ext/bc/P', body: { nodeIDs: ['N'] } },
    {
      params: { subnetID: 'S', nodeIDs: 'NodeID-a,NodeID-b' },
      request: 'POST /ext/bc/P',
      body: { subnetID: 'S', nodeIDs: ['NodeID-a', 'NodeID-b'] },
    },
  ],
  refuses: [
    [{ subnetID: '' }, 'subnetID'],
    [{ nodeIDs: '' }, 'nodeIDs'],
    [{ nodeIDs: 'NodeID-a,' }, 'nodeIDs'],
  ],
  greatest: 134_217_728,
  answers,
  amounts: [
    { item: '{"nodeID":"a","balance":@}', path: 'balance' },
    { item: '{"nodeID":"a","potentialReward":@}', path: 'potentialReward' },
  ],
}
