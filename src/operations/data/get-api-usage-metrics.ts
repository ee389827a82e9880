// Get API usage metrics: what the organisation that a key belongs to has asked of the data service, and what of its
// credits that used.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { listOf, measure, optional, percent, timestamp, word } from '../fields.ts'
import { sinceTimestamp, untilTimestamp } from './parameters.ts'

const value = z.object({
  groupedBy: optional(word),
  groupValue: optional(z.union([z.string(), z.number()])),
  totalRequests: optional(measure),
  requestsPerSecond: optional(measure),
  successRatePercent: optional(percent),
  medianResponseTimeMsecs: optional(measure),
  invalidRequests: optional(measure),
  apiCreditsUsed: optional(measure),
  apiCreditsWasted: optional(measure).describe('on invalid requests'),
})

/** The price of this operation is not published: we use that of the lists. */
export const getApiUsageMetrics = defineOperation({
  name: 'get-api-usage-metrics',
  source: "the data service's own interface, apiUsageMetrics",
  via: { get: '/v1/apiUsageMetrics' },
  params: z.object({
    startTimestamp: sinceTimestamp,
    endTimestamp: untilTimestamp,
    timeInterval: z.enum(['minute', 'hourly', 'daily', 'weekly', 'monthly']).optional().describe('of each point'),
    groupBy: z.enum(['requestPath', 'responseCode', 'chainId', 'apiKeyId', 'requestType']).optional(),
  }),
  answer: z.object({
    aggregateDuration: optional(z.string()),
    metrics: listOf(z.object({ timestamp, values: z.array(value) })),
  }),
  items: 'metrics',
  isOptional: true,
  cost: 20,
})
