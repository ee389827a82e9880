// The node's own interface, info: recorded from AvalancheGo 1.14.2 while one peer was benched; two of five peers.

import { type Cases, seconds } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.peers',
  asks: [
    { params: {}, request: 'POST /ext/info', body: {} },
    {
      params: { nodeIDs: 'A,B' },
      request: 'POST /ext/info',
      body: { nodeIDs: ['A', 'B'] },
    },
  ],
  refuses: [[{ nodeIDs: '' }, 'nodeIDs']],
  answers: [
    {
      fixture: 'node/info.peers.recorded',
      reads: { numPeers: Number, lastSent: seconds, lastReceived: seconds, observedUptime: Number },
    },
    // Without an id, and with more than all of the time, which costs only the field.
    {
      fixture: 'node/info.peers.broken',
      value: { numPeers: 3, peers: [{ nodeID: 'n' }, { nodeID: 'NodeID-2' }] },
      dropped: 1,
      fieldsDropped: 1,
    },
    {
      name: 'required',
      text: `{
        "numPeers": "1",
        "peers": [
          {
            "nodeID": "NodeID-1"
          }
        ]
      }`,
      value: { numPeers: 1, peers: [{ nodeID: 'NodeID-1' }] },
    },
  ],
}
