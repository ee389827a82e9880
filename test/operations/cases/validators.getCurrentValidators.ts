// The interface of an L1's own chain: recorded from AvalancheGo 1.14.2 with subnet-evm.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'validators.getCurrentValidators',
  simulated: ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId }),
  asks: [
    { params: { chain: 'fGC' }, request: 'POST /ext/bc/fGC/validators', body: {} },
    {
      params: { chain: 'my-l1', nodeIDs: 'NodeID-A,NodeID-B' },
      request: 'POST /ext/bc/my-l1/validators',
      body: { nodeIDs: ['NodeID-A', 'NodeID-B'] },
    },
    { params: { chain: 'C', nodeIDs: 'N' }, request: 'POST /ext/bc/C/validators', body: { nodeIDs: ['N'] } },
  ],
  refuses: [
    [{}, 'chain'],
    [{ chain: '' }, 'chain'],
    [{ chain: 'fGC', nodeIDs: '' }, 'nodeIDs'],
  ],
  answers: [
    {
      fixture: 'node/validators.getCurrentValidators.recorded',
      reads: { weight: BigInt, uptimeSeconds: BigInt },
    },
    {
      name: 'nameless',
      text: `{
        "validators": [
          { "validationID": "", "nodeID": "n", "weight": 1, "isActive": true, "isConnected": true },
          { "validationID": "v", "nodeID": "", "weight": 1, "isActive": true, "isConnected": true },
          { "validationID": "v", "nodeID": "n", "weight": 1, "isActive": true, "isConnected": true }
        ]
      }`,
      dropped: 2,
      value: {
        validators: [
          {
            validationID: 'v',
            nodeID: 'n',
            weight: 1n,
            startTimestamp: undefined,
            isActive: true,
            isL1Validator: undefined,
            isConnected: true,
            uptimePercentage: undefined,
            uptimeSeconds: undefined,
          },
        ],
      },
    },
    {
      name: 'required',
      text: `{
        "validators": [
          {
            "validationID": "v1",
            "nodeID": "NodeID-1",
            "weight": 18446744073709551615,
            "isActive": true,
            "isConnected": false
          }
        ]
      }`,
      reads: {},
    },
  ],
  amounts: [
    {
      item: '{"validationID":"v","nodeID":"n","isActive":true,"isConnected":true,"weight":@}',
      path: 'weight',
      isRequired: true,
    },
  ],
  unwitnessed: "no SDK has the interface of an L1's chain",
  missing: [
    'failed to get uptime for validation ID LwXXGJSsxFmCRccEAV9QAHNMiABaWcphLr6GJruTLEzkMhjPt: validationID not found: LwXXGJSsxFmCRccEAV9QAHNMiABaWcphLr6GJruTLEzkMhjPt',
  ],
}
