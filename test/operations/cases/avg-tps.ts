// Document 2, Metrics service.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'avg-tps',
  simulated: () => ({ chainId: '43113' }),
  asks: [
    {
      params: { chainId: '43114' },
      request: 'GET /v1/avg_tps/43114',
      moved: 'GET /v2/chains/43114/metrics/avgTps?timeInterval=day&pageSize=1',
    },
    {
      params: { chainId: '43114', pageToken: 't' },
      request: 'GET /v1/avg_tps/43114?pageToken=t',
      moved: 'GET /v2/chains/43114/metrics/avgTps?timeInterval=day&pageSize=1&pageToken=t',
    },
  ],
  refuses: [
    [{}, 'chainId'],
    [{ chainId: '' }, 'expected string to have >=1 characters'],
  ],
  answers: [
    {
      fixture: 'metrics/avg-tps.document',
      reads: {},
    },
    {
      name: 'live',
      text: `{
        "status": 200,
        "results": [{ "timestamp": 1700006400, "value": 0.5 }],
        "nextPageStartKey": "43113#1699920000"
      }`,
      value: {
        results: [{ timestamp: 1_700_006_400, value: 0.5 }],
        status: 200,
        nextPageToken: '43113#1699920000',
      },
    },
    {
      name: 'null',
      text: '{ "results": null, "status": null, "lastRun": null, "nextPageToken": null, "nextPageStartKey": null }',
      value: { results: [] },
    },
    {
      name: 'moved',
      text: '{ "results": [{ "value": 4.25, "timestamp": 1700006400 }], "nextPageToken": "0b1f2c3d-token" }',
      value: { results: [{ timestamp: 1_700_006_400, value: 4.25 }], nextPageToken: '0b1f2c3d-token' },
    },
    {
      name: 'damaged',
      text: `{
        "results": [
          { "timestamp": 1700006400, "value": "many" },
          { "timestamp": 1700006400 },
          { "value": 1 },
          { "timestamp": 1699920001, "value": -0.5 },
          { "timestamp": 1699920000, "value": "1.5e-3" }
        ]
      }`,
      value: { results: [{ timestamp: 1_699_920_000, value: 0.0015 }] },
      dropped: 4,
    },
  ],
  unwitnessed: 'no SDK has it: the live service has replaced it by others',
}
