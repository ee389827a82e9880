// The node's own interface, info: recorded from AvalancheGo 1.14.2 while it started.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.isBootstrapped',
  simulated: () => ({ chain: 'P' }),
  asks: [{ params: { chain: 'P' }, request: 'POST /ext/info', body: { chain: 'P' } }],
  refuses: [
    [{}, 'chain'],
    [{ chain: '' }, 'chain'],
  ],
  answers: [
    {
      name: 'recorded',
      text: `{
        "isBootstrapped": false
      }`,
      value: { isBootstrapped: false },
    },
  ],
  missing: ["there is no chain with alias/ID 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'"],
}
