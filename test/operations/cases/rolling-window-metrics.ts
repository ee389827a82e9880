// The metrics service's own interface, as the types of its SDK describe it (RollingWindowMetricsApiResponse).

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'rolling-window-metrics',
  simulated: () => ({ chainId: '43113', metric: 'maxTps' }),
  asks: [
    {
      params: { chainId: '43114', metric: 'avgTps' },
      request: 'GET /v2/chains/43114/rollingWindowMetrics/avgTps',
    },
    ...[
      'gasUsed',
      'txCount',
      'avgGps',
      'maxGps',
      'maxTps',
      'avgGasPrice',
      'maxGasPrice',
      'feesPaid',
      'contracts',
      'deployers',
      'activeAddresses',
      'activeSenders',
    ].map((metric) => ({
      params: { chainId: '43114', metric },
      request: `GET /v2/chains/43114/rollingWindowMetrics/${metric}`,
    })),
  ],
  refuses: [
    [{ metric: 'avgTps' }, 'chainId'],
    [{ chainId: '43114' }, 'metric'],
    [{ chainId: '', metric: 'avgTps' }, 'expected string to have >=1 characters'],
    [{ chainId: '43114', metric: 'minTps' }, 'expected one of "gasUsed"|"txCount"'],
  ],
  nullsDiffer: ['result'],
  answers: [
    {
      name: 'live',
      text: `{
        "result": {
          "lastHour": 5.25,
          "lastDay": 4,
          "lastWeek": 3.5,
          "lastMonth": 3,
          "last90Days": 2.5,
          "lastYear": 2,
          "allTime": 1.5
        }
      }`,
      reads: {},
    },
    {
      name: 'minimal',
      text: '{ "result": { "lastHour": "many", "lastDay": 0, "lastWeek": null } }',
      value: { result: { lastDay: 0 } },
      fieldsDropped: 1,
    },
    { name: 'null', text: '{ "result": null }', value: { result: {} } },
  ],
}
