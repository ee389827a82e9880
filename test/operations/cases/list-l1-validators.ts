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
      fixture: 'data/list-l1-validators.live',
      reads: { remainingBalance: BigInt, blockHeight: BigInt },
    },
    {
      fixture: 'data/list-l1-validators.minimal',
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
