// Document 2, P-Chain interface and Validator record: of the primary network, of a permissioned subnet, of an L1.

import type { Cases } from '../cases.ts'

const answers: Cases['answers'] = [
  {
    fixture: 'node/platform.getCurrentValidators.document',
    value: {
      validators: [
        {
          txID: 'primary-tx',
          startTime: 1_700_000_001,
          endTime: 1_710_000_002,
          nodeID: 'NodeID-primary',
          weight: 2_000_000_000_003n,
          potentialReward: 79_984_390_135_364n,
          delegationFee: 2.125,
          uptime: 95.0625,
          connected: true,
          delegatorCount: 2n,
          delegatorWeight: 75_000_000_004n,
          signer: { publicKey: '0x9001', proofOfPosession: '0x8b02' },
          validationRewardOwner: { locktime: 5n, threshold: 6n, addresses: ['P-fuji1aa', 'P-fuji1bb'] },
          delegationRewardOwner: { locktime: 7n, threshold: 8n, addresses: ['P-fuji1cc'] },
          delegators: [
            {
              txID: 'delegator-tx-1',
              startTime: 1_700_000_009,
              endTime: 1_709_000_010,
              weight: 50_000_000_011n,
              nodeID: 'NodeID-delegated',
              rewardOwner: { locktime: 12n, threshold: 13n, addresses: ['P-fuji1dd'] },
              potentialReward: 9_000_014n,
            },
            {
              txID: 'delegator-tx-2',
              startTime: 1_700_000_015,
              endTime: 1_709_000_016,
              weight: 25_000_000_017n,
              nodeID: 'NodeID-primary',
              rewardOwner: { locktime: 18n, threshold: 19n, addresses: [] },
              potentialReward: 9_000_020n,
            },
          ],
        },
        {
          txID: 'permissioned-tx',
          startTime: 1_700_000_021,
          endTime: 1_710_000_022,
          nodeID: 'NodeID-permissioned',
          weight: 23n,
        },
        {
          validationID: 'validation-l1',
          startTime: 1_700_000_024,
          nodeID: 'NodeID-l1',
          weight: 18_446_744_073_709_551_615n,
          publicKey: '0x9025',
          minNonce: 26n,
          balance: 9_007_199_254_740_993n,
          remainingBalanceOwner: { locktime: 27n, threshold: 28n, addresses: ['P-fuji1ee'] },
          deactivationOwner: { locktime: 29n, threshold: 30n, addresses: ['P-fuji1ff'] },
        },
      ],
    },
  },
  {
    fixture: 'node/platform.getCurrentValidators.live',
    value: {
      validators: [
        {
          txID: 'renewed-tx',
          startTime: 1_787_410_801,
          endTime: 1_790_002_802,
          weight: 2_000_000_000_031n,
          nodeID: 'NodeID-renewed',
          validationRewardOwner: { locktime: 0n, threshold: 1n, addresses: ['P-avax1aa'] },
          delegationRewardOwner: { locktime: 0n, threshold: 1n, addresses: ['P-avax1bb'] },
          validatorAuthority: { locktime: 32n, threshold: 33n, addresses: ['P-avax1cc'] },
          potentialReward: 34n,
          accruedDelegateeReward: 35n,
          delegationFee: 2,
          uptime: 99.9991,
          connected: false,
          signer: { publicKey: '0x9036', proofOfPossession: '0x8b37' },
          delegatorCount: 0n,
          delegatorWeight: 0n,
          delegators: [],
          nextPeriod: 1_209_638n,
          autoCompoundRewardShares: 300_039n,
        },
        {
          nodeID: 'NodeID-inactive',
          weight: 40n,
          startTime: 1_787_410_841,
          validationID: 'validation-inactive',
          publicKey: '0x9042',
          minNonce: 0n,
          balance: 0n,
        },
      ],
    },
  },
  {
    fixture: 'node/platform.getCurrentValidators.numbers',
    value: {
      validators: [
        { nodeID: 'NodeID-numbers', startTime: 1_700_000_050, weight: 51n, delegationFee: 2.5, uptime: 52.25 },
        { nodeID: 'NodeID-edges', startTime: 0, delegationFee: 100, uptime: 0 },
      ],
    },
  },
  {
    fixture: 'node/platform.getCurrentValidators.minimal',
    value: {
      validators: [
        { nodeID: 'N' },
        {
          nodeID: 'NodeID-hollow',
          signer: {},
          validationRewardOwner: {},
          delegationRewardOwner: {},
          delegators: [{}],
        },
      ],
    },
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
