// The node's own interface, info: recorded from AvalancheGo 1.14.2 on a local network.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.getNetworkID',
  asks: [{ params: {}, request: 'POST /ext/info', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "networkID": "12345"
      }`,
      value: { networkID: 12_345 },
    },
  ],
}
