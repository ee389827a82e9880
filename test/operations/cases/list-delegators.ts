// The data service's own interface, as the types of its SDK describe it (ListDelegatorDetailsResponse and the details of
// active, pending and completed delegations).

import type { Cases } from '../cases.ts'

const path = '/v1/networks/fuji/delegators'
const given = { network: 'fuji' }
const least = { txHash: 't', nodeId: 'n', amountDelegated: 1n, endTimestamp: 2 }

export const cases: Cases = {
  operation: 'list-delegators',
  simulated: () => given,
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: {
        network: 'mainnet',
        nodeIds: 'NodeID-1,NodeID-2',
        rewardAddresses: 'P-avax1abc',
        delegationStatus: 'active',
        sortOrder: 'desc',
        pageToken: 'token 1',
        pageSize: '100',
      },
      request:
        'GET /v1/networks/mainnet/delegators?nodeIds=NodeID-1%2CNodeID-2&rewardAddresses=P-avax1abc&delegationStatus=active&sortOrder=desc&pageToken=token+1&pageSize=100',
    },
    ...['pending', 'completed'].map((delegationStatus) => ({
      params: { network: 'testnet', nodeIds: 'N', delegationStatus, pageSize: '1' },
      request: `GET /v1/networks/testnet/delegators?nodeIds=N&delegationStatus=${delegationStatus}&pageSize=1`,
    })),
  ],
  refuses: [
    [{ network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, nodeIds: '' }, 'nodeIds'],
    [{ ...given, rewardAddresses: 'avax1abc' }, 'expected addresses of the network'],
    [{ ...given, rewardAddresses: '0x1' }, 'expected comma-separated addresses'],
    [{ ...given, delegationStatus: 'removed' }, 'expected one of "active"|"pending"|"completed"'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, subnetId: 'S' }, 'subnetId'],
  ],
  answers: [
    {
      fixture: 'data/list-delegators.live',
      reads: {
        amountDelegated: BigInt,
        delegationFee: Number,
        estimatedGrossReward: BigInt,
        estimatedNetReward: BigInt,
        grossReward: BigInt,
        netReward: BigInt,
      },
    },
    {
      fixture: 'data/list-delegators.minimal',
      dropped: 9,
      fieldsDropped: 7,
      value: { delegators: [least, least] },
    },
    { name: 'null', text: '{ "nextPageToken": "", "delegators": null }', value: { nextPageToken: '', delegators: [] } },
  ],
  amounts: [
    {
      item: '{"txHash":"t","nodeId":"n","endTimestamp":1,"amountDelegated":@}',
      path: 'amountDelegated',
      isRequired: true,
    },
  ],
}
