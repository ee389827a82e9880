// The data service's own interface, as the types of its SDK describe it (UsageMetricsResponseDTO, UsageMetricsValueDTO).

import type { Cases } from '../cases.ts'

const path = '/v1/apiUsageMetrics'
const usage = {
  groupedBy: 'None',
  groupValue: 'x',
  totalRequests: 14_400,
  requestsPerSecond: 0.5,
  successRatePercent: 99.5,
  medianResponseTimeMsecs: 41.5,
  invalidRequests: 72,
  apiCreditsUsed: 288_000,
  apiCreditsWasted: 1_440,
}

export const cases: Cases = {
  operation: 'get-api-usage-metrics',
  asks: [
    { params: {}, request: `GET ${path}` },
    ...['minute', 'hourly', 'daily', 'weekly', 'monthly'].map((timeInterval) => ({
      params: { timeInterval, startTimestamp: '0', endTimestamp: '1700000000' },
      request: `GET ${path}?startTimestamp=0&endTimestamp=1700000000&timeInterval=${timeInterval}`,
    })),
    ...['requestPath', 'responseCode', 'chainId', 'apiKeyId', 'requestType'].map((groupBy) => ({
      params: { groupBy },
      request: `GET ${path}?groupBy=${groupBy}`,
    })),
  ],
  refuses: [
    [{ startTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ endTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ timeInterval: 'yearly' }, 'timeInterval'],
    [{ groupBy: 'person' }, 'groupBy'],
    [{ network: 'fuji' }, 'network'],
  ],
  answers: [
    {
      fixture: 'data/get-api-usage-metrics.live',
      value: {
        aggregateDuration: '1 day',
        metrics: [{ timestamp: 1_700_006_400, values: [usage, { ...usage, groupValue: 7 }] }],
      },
    },
    {
      fixture: 'data/get-api-usage-metrics.minimal',
      dropped: 3,
      fieldsDropped: 10,
      value: {
        metrics: [
          { timestamp: 1_700_006_400, values: [] },
          { timestamp: 1_699_920_000, values: [{}, {}, { totalRequests: 5 }] },
        ],
      },
    },
    { name: 'null', text: '{ "metrics": null }', value: { metrics: [] } },
  ],
}
