// The data service's own interface, as the types of its SDK describe it (ListL1ValidatorsResponse, L1ValidatorDetailsFull).

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/l1Validators'
const given = { network: 'fuji' }
const bare = {
  validationIdHex: undefined,
  creationTimestamp: undefined,
  blsCredentials: undefined,
  remainingBalanceOwner: undefined,
  deactivationOwner: undefined,
}

export const cases: Cases = {
  operation: 'list-l1-validators',
  simulated: () => given,
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: {
        network: 'mainnet',
        subnetId: 'L1',
        nodeId: 'N',
        l1ValidationId: 'V',
        includeInactiveL1Validators: 'true',
        pageToken: 'token 1',
        pageSize: '100',
      },
      request:
        'GET /v1/networks/mainnet/l1Validators?subnetId=L1&nodeId=N&l1ValidationId=V&includeInactiveL1Validators=true&pageToken=token+1&pageSize=100',
    },
    {
      params: { network: 'testnet', includeInactiveL1Validators: 'false', pageSize: '1' },
      request: 'GET /v1/networks/testnet/l1Validators?includeInactiveL1Validators=false&pageSize=1',
    },
  ],
  refuses: [
    [{ network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, subnetId: '' }, 'subnetId'],
    [{ ...given, nodeId: '' }, 'nodeId'],
    [{ ...given, l1ValidationId: '' }, 'l1ValidationId'],
    [{ ...given, includeInactiveL1Validators: 'maybe' }, 'includeInactiveL1Validators'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'asc' }, 'sortOrder'],
  ],
  answers: [
    {
      name: 'live',
      text: `{
        "nextPageToken": "3d22deea-ea64-4d30-8a1e-c2a353b67e90",
        "validators": [
          {
            "validationId": "9FAftNgNBrzHUMMApsSyV6RcFiL9UmCbvsCu28xdLV2mQ7CMo",
            "validationIdHex": "0x1234",
            "nodeId": "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
            "subnetId": "2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof",
            "weight": 9007199254740993,
            "remainingBalance": 1000000000,
            "creationTimestamp": 1734369000,
            "blsCredentials": { "publicKey": "0xaa", "proofOfPossession": "0xbb" },
            "remainingBalanceOwner": { "addresses": ["fuji1abc"], "threshold": 1 },
            "deactivationOwner": { "addresses": ["fuji1def", "fuji1ghi"], "threshold": 2 }
          }
        ],
        "blockHeight": "21000123"
      }`,
      reads: { remainingBalance: BigInt, blockHeight: BigInt },
    },
    {
      name: 'minimal',
      text: `{
        "validators": [
          { "validationId": "v1", "nodeId": "n1", "subnetId": "s1", "weight": "20", "remainingBalance": "0" },
          {
            "validationId": "v2",
            "validationIdHex": 7,
            "nodeId": "n2",
            "subnetId": "s2",
            "weight": 1,
            "remainingBalance": 2,
            "creationTimestamp": "soon",
            "blsCredentials": { "publicKey": 1, "proofOfPossession": 2 },
            "remainingBalanceOwner": { "addresses": [], "threshold": -1 },
            "deactivationOwner": { "threshold": 1 }
          },
          { "nodeId": "n", "subnetId": "s", "weight": 1, "remainingBalance": 1 },
          { "validationId": "", "nodeId": "n", "subnetId": "s", "weight": 1, "remainingBalance": 1 },
          { "validationId": "v", "subnetId": "s", "weight": 1, "remainingBalance": 1 },
          { "validationId": "v", "nodeId": "", "subnetId": "s", "weight": 1, "remainingBalance": 1 },
          { "validationId": "v", "nodeId": "n", "subnetId": "", "weight": 1, "remainingBalance": 1 },
          { "validationId": "v", "nodeId": "n", "subnetId": "s", "remainingBalance": 1 },
          { "validationId": "v", "nodeId": "n", "subnetId": "s", "weight": 1 }
        ]
      }`,
      dropped: 7,
      fieldsDropped: 6,
      value: {
        nextPageToken: undefined,
        blockHeight: undefined,
        validators: [
          { ...bare, validationId: 'v1', nodeId: 'n1', subnetId: 's1', weight: 20n, remainingBalance: 0n },
          {
            ...bare,
            validationId: 'v2',
            nodeId: 'n2',
            subnetId: 's2',
            weight: 1n,
            remainingBalance: 2n,
            blsCredentials: {},
            remainingBalanceOwner: { addresses: [], threshold: undefined },
          },
        ],
      },
    },
    {
      name: 'null',
      text: '{ "nextPageToken": "", "validators": null }',
      value: { nextPageToken: '', validators: [], blockHeight: undefined },
    },
  ],
  amounts: [
    {
      item: '{"validationId":"v","nodeId":"n","subnetId":"s","remainingBalance":1,"weight":@}',
      path: 'weight',
      isRequired: true,
    },
    {
      item: '{"validationId":"v","nodeId":"n","subnetId":"s","weight":1,"remainingBalance":@}',
      path: 'remainingBalance',
      isRequired: true,
    },
  ],
}
