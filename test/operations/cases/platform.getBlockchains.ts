// Document 2, P-Chain interface and Blockchain record.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getBlockchains',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'document',
      text: `{
        "blockchains": [
          {
            "id": "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
            "name": "C-Chain",
            "subnetID": "11111111111111111111111111111111LpoYY",
            "vmID": "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6"
          },
          {
            "id": "zJytnh96Pc8rM337bBrtMvJDbEdDNjcXG3WkTNCiLp18ergm9",
            "name": "",
            "subnetID": "2fFZQibQXcd6LTE4rpBPBAkLVXFE91Kit8pgxaBG1mRnh5xqbb",
            "vmID": "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"
          }
        ]
      }`,
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
