// Document 2, Admin interface.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'admin.loadVMs',
  asks: [{ params: {}, request: 'POST /ext/admin', body: {} }],
  refuses: [],
  nullsDiffer: ['newVMs.*', 'failedVMs.*'],
  answers: [
    {
      name: 'document',
      text: `{
        "newVMs": {
          "tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH": ["timestampvm", "clock"],
          "rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT": []
        },
        "failedVMs": { "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy": "exec format error" }
      }`,
      reads: {},
    },
    { name: 'minimal', text: '{ "newVMs": {} }', value: { newVMs: {} } },
  ],
}
