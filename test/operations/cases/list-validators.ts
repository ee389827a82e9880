// The data service's own interface, as the types of its SDK describe it (ListValidatorDetailsResponse and the details of
// active, completed and removed validators).

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/validators'
const given = { network: 'fuji' }
const PRIMARY = '11111111111111111111111111111111LpoYY'

/** What the client makes of the fixtures, which get-single-validator-details shares. */
export const answers: Cases['answers'] = [
  {
    fixture: 'data/list-validators.live',
    value: {
      nextPageToken: 't2',
      validators: [
        {
          txHash: 'tx1',
          nodeId: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
          subnetId: PRIMARY,
          amountStaked: 2_000_000_000_000n,
          delegationFee: 2.5,
          startTimestamp: 1_700_000_000,
          endTimestamp: 1_710_000_000,
          stakingType: 'autoRenewed',
          blsCredentials: { publicKey: '0xaa', proofOfPossession: '0xbb' },
          stakePercentage: 0.125,
          delegatorCount: 3,
          amountDelegated: 75_000_000_000n,
          uptimePerformance: 99,
          avalancheGoVersion: 'avalanchego/1.14.2',
          delegationCapacity: 7_925_000_000_000n,
          potentialRewards: {
            validationRewardAmount: 117_781_949_743n,
            delegationRewardAmount: 1_000n,
            rewardAddresses: ['avax1abc'],
            rewardTxHash: 'tx9',
          },
          validationStatus: 'active',
          autoRenew: {
            state: 'renewing',
            nextPeriodSeconds: 604_800,
            autoCompoundSharePercent: 90,
            compoundedWeight: 2_000_028_049_283n,
            accruedValidationRewards: 28_049_280n,
            accruedDelegateeRewards: 3n,
            validationRewardAddresses: ['fuji1validation'],
            delegationRewardAddresses: ['fuji1delegation'],
          },
          validatorHealth: {
            reachabilityPercent: 100,
            benchedPChainRequestsPercent: 0,
            benchedXChainRequestsPercent: 12.5,
            benchedCChainRequestsPercent: 3,
          },
          geolocation: {
            city: 'Bern',
            country: 'Switzerland',
            countryCode: 'CH',
            latitude: 46.9,
            longitude: -7.4,
          },
        },
        {
          txHash: 'tx2',
          nodeId: 'NodeID-2',
          subnetId: PRIMARY,
          amountStaked: 1n,
          startTimestamp: 1,
          endTimestamp: 2,
          delegatorCount: 0,
          rewards: { validationRewardAmount: 5n, delegationRewardAmount: 6n },
          stakingType: 'autoRenewed',
          validationStatus: 'completed',
          autoRenew: {
            state: 'aborted',
            nextPeriodSeconds: 0,
            exitReason: 'uptime_not_met',
            endedAtTimestamp: 1_786_771_046,
          },
        },
        {
          txHash: 'tx3',
          nodeId: 'NodeID-3',
          subnetId: 's3',
          amountStaked: 1n,
          startTimestamp: 1,
          endTimestamp: 2,
          removeTxHash: 'tx4',
          removeTimestamp: 3,
          validationStatus: 'removed',
        },
      ],
    },
  },
  {
    name: 'minimal',
    text: `{
      "validators": [
        {
          "nodeId": "n1"
        },
        {
          "txHash": 1,
          "nodeId": "n2",
          "subnetId": null,
          "amountStaked": "-1",
          "delegationFee": "two",
          "startTimestamp": -1,
          "endTimestamp": "soon",
          "blsCredentials": {
            "publicKey": 1,
            "proofOfPossession": 2
          },
          "stakePercentage": 101,
          "delegatorCount": -1,
          "amountDelegated": "x",
          "uptimePerformance": -1,
          "avalancheGoVersion": "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv",
          "delegationCapacity": "-5",
          "potentialRewards": {
            "validationRewardAmount": -1,
            "delegationRewardAmount": -1,
            "rewardAddresses": [1],
            "rewardTxHash": 1
          },
          "validationStatus": null,
          "validatorHealth": {
            "reachabilityPercent": 101,
            "benchedPChainRequestsPercent": -1,
            "benchedXChainRequestsPercent": "x",
            "benchedCChainRequestsPercent": 200
          },
          "geolocation": {
            "city": 1,
            "country": 2,
            "countryCode": 3,
            "latitude": "n",
            "longitude": "e"
          },
          "rewards": {
            "validationRewardAmount": -1
          },
          "stakingType": 1,
          "autoRenew": {
            "state": 1,
            "autoCompoundSharePercent": 101,
            "accruedValidationRewards": "-1",
            "accruedDelegateeRewards": "-1",
            "validationRewardAddresses": [1],
            "delegationRewardAddresses": [1],
            "exitReason": 1,
            "endedAtTimestamp": -1
          },
          "removeTxHash": 1,
          "removeTimestamp": -1
        },
        {
          "nodeId": "n3",
          "blsCredentials": 1,
          "validatorHealth": 1,
          "geolocation": 1,
          "potentialRewards": 1,
          "rewards": 1,
          "autoRenew": { "nextPeriodSeconds": -1, "compoundedWeight": "1" }
        },
        {
          "nodeId": "n4",
          "autoRenew": { "nextPeriodSeconds": 1, "compoundedWeight": "-1" }
        },
        {
          "nodeId": ""
        },
        {
          "subnetId": "s"
        },
        {
          "nodeId": "n4",
          "subnetId": 7
        },
        {
          "nodeId": "n5",
          "validationStatus": 7
        },
        {
          "nodeId": "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
        },
        {
          "nodeId": "n6",
          "validationStatus": "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
        }
      ]
    }`,
    // Without a node id of a readable form, or with a subnet or a status that cannot be read.
    dropped: 6,
    fieldsDropped: 45,
    value: {
      validators: [
        { nodeId: 'n1' },
        {
          nodeId: 'n2',
          blsCredentials: {},
          validatorHealth: {},
          geolocation: {},
          potentialRewards: {},
          rewards: {},
          autoRenew: {},
        },
        { nodeId: 'n3' },
        { nodeId: 'n4' },
      ],
    },
  },
  {
    name: 'null',
    text: `{
        "nextPageToken": "",
        "validators": null
      }`,
    value: { nextPageToken: '', validators: [] },
  },
]

export const amounts: NonNullable<Cases['amounts']> = ['amountStaked', 'amountDelegated', 'delegationCapacity'].map(
  (path) => ({ item: `{"nodeId":"n","${path}":@}`, path, canBeLeftOut: true }),
)

export const cases: Cases = {
  operation: 'list-validators',
  simulated: () => given,
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: {
        network: 'mainnet',
        nodeIds: 'NodeID-1,NodeID-2',
        subnetId: PRIMARY,
        validationStatus: 'active',
        pageToken: 'token 1',
        pageSize: '100',
      },
      request: `GET /v1/networks/mainnet/validators?nodeIds=NodeID-1%2CNodeID-2&subnetId=${PRIMARY}&validationStatus=active&pageToken=token+1&pageSize=100`,
    },
    ...['pending', 'completed', 'removed'].map((validationStatus) => ({
      params: { network: 'testnet', nodeIds: 'N', subnetId: 'S', validationStatus, pageSize: '1' },
      request: `GET /v1/networks/testnet/validators?nodeIds=N&subnetId=S&validationStatus=${validationStatus}&pageSize=1`,
    })),
  ],
  refuses: [
    [{ network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, nodeIds: '' }, 'nodeIds'],
    [{ ...given, subnetId: '' }, 'subnetId'],
    [{ ...given, validationStatus: 'gone' }, 'expected one of "active"|"pending"|"completed"|"removed"'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, nodeId: 'N' }, 'nodeId'],
  ],
  answers,
  amounts,
}
