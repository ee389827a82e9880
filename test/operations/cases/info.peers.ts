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
      name: 'recorded',
      text: `{
        "numPeers": "2",
        "peers": [
          {
            "ip": "127.0.0.1:52106",
            "publicIP": "127.0.0.1:9701",
            "nodeID": "NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i",
            "version": "avalanchego/1.14.2",
            "upgradeTime": 1607144400,
            "lastSent": "2026-11-22T00:44:51Z",
            "lastReceived": "2026-11-22T00:44:51Z",
            "observedUptime": "99",
            "trackedSubnets": ["11111111111111111111111111111111LpoYY", "231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv"],
            "supportedACPs": [],
            "objectedACPs": [],
            "benched": ["fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet"]
          },
          {
            "ip": "127.0.0.1:9651",
            "publicIP": "127.0.0.1:9651",
            "nodeID": "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
            "version": "avalanchego/1.14.2",
            "upgradeTime": 1607144400,
            "lastSent": "2026-11-22T00:44:51Z",
            "lastReceived": "2026-11-22T00:44:51Z",
            "observedUptime": "99",
            "trackedSubnets": ["11111111111111111111111111111111LpoYY", "22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2"],
            "supportedACPs": [],
            "objectedACPs": [],
            "benched": []
          }
        ]
      }`,
      reads: { numPeers: Number, lastSent: seconds, lastReceived: seconds, observedUptime: Number },
    },
    // Without an id, and with more than all of the time.
    {
      name: 'broken',
      text: `{
        "numPeers": "3",
        "peers": [
          {
            "nodeID": "n"
          },
          {
            "nodeID": ""
          },
          {
            "nodeID": "NodeID-2",
            "observedUptime": "101"
          }
        ]
      }`,
      value: { numPeers: 3, peers: [{ nodeID: 'n' }] },
      dropped: 2,
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
