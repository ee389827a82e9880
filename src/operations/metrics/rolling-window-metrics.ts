// A metric of a chain over the last hour, day and so on, up to now.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { measure, optional } from '../fields.ts'

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
