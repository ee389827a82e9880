// The data service's own interface, as the types of its SDK describe it: the answer is that of list-validators.

import type { Cases } from '../cases.ts'
import { amounts, answers } from './list-validators.ts'

const given = { network: 'fuji', nodeId: 'NodeID-1' }
const path = '/v1/networks/fuji/validators/NodeID-1'

export const cases: Cases = {
  operation: 'get-single-validator-details',
  simulated: ({ validators }) => ({ network: 'fuji', nodeId: [...validators.all.keys()][0]! }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: {
        network: 'mainnet',
        nodeId: 'N',
        validationStatus: 'active',
        sortOrder: 'desc',
        pageToken: 'token 1',
        pageSize: '100',
      },
      request:
        'GET /v1/networks/mainnet/validators/N?validationStatus=active&sortOrder=desc&pageToken=token+1&pageSize=100',
    },
    {
      params: { network: 'testnet', nodeId: 'N', validationStatus: 'completed', pageSize: '1' },
      request: 'GET /v1/networks/testnet/validators/N?validationStatus=completed&pageSize=1',
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ network: 'fuji' }, 'nodeId'],
    [{ ...given, nodeId: '' }, 'nodeId'],
    [{ ...given, validationStatus: 'gone' }, 'validationStatus'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, nodeIds: 'N' }, 'nodeIds'],
  ],
  answers,
  amounts,
}
