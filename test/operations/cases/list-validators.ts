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
    reads: {
      amountStaked: BigInt,
      delegationFee: Number,
      amountDelegated: BigInt,
      delegationCapacity: BigInt,
      validationRewardAmount: BigInt,
      delegationRewardAmount: BigInt,
      compoundedWeight: BigInt,
      accruedValidationRewards: BigInt,
      accruedDelegateeRewards: BigInt,
    },
  },
  {
    fixture: 'data/list-validators.minimal',
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
