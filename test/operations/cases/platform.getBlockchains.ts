// Document 2, P-Chain interface and Blockchain record.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getBlockchains',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      fixture: 'node/platform.getBlockchains.document',
      reads: {},
    },
    {
      name: 'minimal',
      text: '{ "blockchains": [{ "id": "b" }, { "id": "c", "name": null, "subnetID": null, "vmID": null }] }',
      value: { blockchains: [{ id: 'b' }, { id: 'c' }] },
    },
    {
      name: 'broken',
      text: '{ "blockchains": [{ "id": "" }, { "id": "b", "name": "good" }, { "name": "nameless" }] }',
      value: { blockchains: [{ id: 'b', name: 'good' }] },
      dropped: 2,
    },
  ],
}
