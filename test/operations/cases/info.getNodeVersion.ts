// The node's own interface, info: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.getNodeVersion',
  asks: [{ params: {}, request: 'POST /ext/info', body: {} }],
  refuses: [],
  nullsDiffer: ['vmVersions.*'],
  answers: [
    {
      name: 'recorded',
      text: `{
        "version": "avalanchego/1.14.2",
        "databaseVersion": "v1.4.5",
        "rpcProtocolVersion": "45",
        "gitCommit": "",
        "vmVersions": {
          "avm": "avalanchego/1.14.2",
          "evm": "v1.14.2",
          "platform": "avalanchego/1.14.2",
          "v3m4wPxaHpvGr8qfMeyK6PRW3idZrPHmYcMTt7oXdK47yurVH": "v1.0.4"
        }
      }`,
      reads: { rpcProtocolVersion: Number },
    },
    {
      name: 'required',
      text: `{
        "version": "avalanchego/1.9.0"
      }`,
      value: { version: 'avalanchego/1.9.0' },
    },
  ],
}
