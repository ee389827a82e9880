// What the metrics service knows of a chain.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { integer, listOf, measure, nextPageToken, optional, pageToken, timestamp } from '../fields.ts'

const point = z.object({ timestamp, value: measure })

/**
 * Points are daily, so the newest can be a day or two old: `lastRun` shows how fresh the series is. Live services sent
 * `results: null`, and some gave the token as `nextPageStartKey`. Today's service has the series at another path, which
 * gives the points alone, the newest first.
 */
export const avgTps = defineOperation({
  name: 'avg-tps',
  source: 'document 2, Metrics service',
  service: 'metrics',
  via: {
    get: '/v1/avg_tps/{chainId}',
    moved: { get: '/v2/chains/{chainId}/metrics/avgTps', query: { timeInterval: 'day', pageSize: '1' } },
  },
  params: z.object({ chainId: z.string().min(1).describe('EVM chain id'), pageToken }),
  answer: z
    .object({
      results: listOf(point),
      status: optional(integer),
      lastRun: optional(timestamp).describe('when the service last updated the series'),
      nextPageToken,
      nextPageStartKey: nextPageToken,
    })
    .transform(({ nextPageToken, nextPageStartKey, ...page }) => ({
      ...page,
      nextPageToken: nextPageToken ?? nextPageStartKey,
    })),
  items: 'results',
  cost: 100,
})

const metrics = [
  'gasUsed',
  'txCount',
  'avgGps',
  'maxGps',
  'avgTps',
  'maxTps',
  'avgGasPrice',
  'maxGasPrice',
  'feesPaid',
  'contracts',
  'deployers',
  'activeAddresses',
  'activeSenders',
] as const
const windows = ['lastHour', 'lastDay', 'lastWeek', 'lastMonth', 'last90Days', 'lastYear', 'allTime'] as const

/** Neither the service nor its SDK says which unit fees and prices have. */
export const rollingWindowMetrics = defineOperation({
  name: 'rolling-window-metrics',
  source: "the metrics service's own interface, version 2",
  service: 'metrics',
  via: { get: '/v2/chains/{chainId}/rollingWindowMetrics/{metric}' },
  params: z.object({ chainId: z.string().min(1).describe('EVM chain id'), metric: z.enum(metrics) }),
  answer: z.object({
    result: z
      .object(Object.fromEntries(windows.map((window) => [window, optional(measure)])))
      .nullable()
      .transform((result): Partial<Record<(typeof windows)[number], number>> => result ?? {}),
  }),
  isOptional: true,
  cost: 100,
})
