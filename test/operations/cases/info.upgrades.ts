// The node's own interface, info: recorded from AvalancheGo 1.14.2; five of its members.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.upgrades',
  asks: [{ params: {}, request: 'POST /ext/info', body: {} }],
  refuses: [],
  nullsDiffer: ['*'],
  answers: [
    {
      name: 'recorded',
      text: `{
        "apricotPhase4MinPChainHeight": 0,
        "cortinaXChainStopVertexID": "11111111111111111111111111111111LpoYY",
        "graniteTime": "2020-12-05T05:00:00Z",
        "graniteEpochDuration": 30000000000,
        "heliconTime": "9999-12-01T00:00:00Z"
      }`,
      reads: {},
    },
    // Members that are no times may have any form; those of another one are left out.
    {
      name: 'odd',
      text: `{
        "graniteTime": "2020-12-05T05:00:00Z",
        "graniteEpochDuration": 30,
        "fees": { "min": 1 },
        "isFinal": true,
        "next": null
      }`,
      value: { graniteTime: '2020-12-05T05:00:00Z', graniteEpochDuration: 30 },
    },
  ],
  refusedAnswers: [
    '{"graniteTime":"2020-12-05T05:00:00Z","heliconTime":{}}',
    '{"heliconTime":true}',
    // Read as no time, the upgrade would count as not scheduled.
    '{"heliconTime":"soon"}',
    '{"heliconTime":1785250800}',
  ],
}
