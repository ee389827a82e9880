// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

const height = 'proposed'

export const cases: Cases = {
  operation: 'platform.getValidatorsAt',
  asks: [
    { params: {}, request: 'POST /ext/bc/P', body: { height } },
    { params: { height, subnetID: 'S' }, request: 'POST /ext/bc/P', body: { height, subnetID: 'S' } },
    { params: { height: '121' }, request: 'POST /ext/bc/P', body: { height: 121 } },
    {
      params: { height: '18446744073709551615' },
      request: 'POST /ext/bc/P',
      body: { height: 18_446_744_073_709_551_615n },
    },
  ],
  refuses: [
    [{ subnetID: '' }, 'subnetID'],
    [{ height: '-1' }, 'height'],
    [{ height: '18446744073709551616' }, 'height'],
    [{ height: 'latest' }, 'height'],
  ],
  answers: [
    {
      name: 'recorded',
      text: `{
        "NodeID-111111111111111111116DBWJs": {
          "publicKey": null,
          "weight": "15"
        },
        "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu": {
          "publicKey": "0xaccd61ceb90c61628aa0fa34acab27ecb08f6897e9ccad283578c278c52109f9e10e4f8bc31aa6d7905c4e1623de367e",
          "weight": "100"
        }
      }`,
      reads: { weight: BigInt },
    },
    { name: 'none', text: '{}', value: {} },
    {
      name: 'unweighted',
      text: '{ "NodeID-111111111111111111116DBWJs": { "publicKey": null } }',
      value: { 'NodeID-111111111111111111116DBWJs': { publicKey: undefined, weight: undefined } },
    },
  ],
  amounts: [{ item: '{"n":{"publicKey":null,"weight":@}}', path: 'n.weight', canBeLeftOut: true }],
  greatest: 32 * 1024 * 1024,
}
