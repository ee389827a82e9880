// The node's own interface, info: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.getNodeID',
  asks: [{ params: {}, request: 'POST /ext/info', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "nodeID": "NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ",
        "nodePOP": {
          "publicKey": "0xa058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0",
          "proofOfPossession": "0xac52195616344127df74d924e11701ca5e0867647ae36171d168fcf95d536e94061659b3edb924fffdb69dd5aa5cb2d703f8920c825c8f7b74dd0112c9c27814790bfcfa3a08e1d9358da1c54e1f6c0b4d9772432f79d7dceaa3a95c3a7e6adc"
        }
      }`,
      reads: {},
    },
    {
      name: 'required',
      text: `{
        "nodeID": "NodeID-1"
      }`,
      value: { nodeID: 'NodeID-1' },
    },
    {
      name: 'keyless',
      text: `{
        "nodeID": "NodeID-1",
        "nodePOP": {}
      }`,
      value: { nodeID: 'NodeID-1', nodePOP: {} },
    },
  ],
}
