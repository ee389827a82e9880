// Get API usage metrics: an organisation whose programs ask at the same pace at any time, whatever is asked for here.

import { getApiUsageMetrics } from '../../operations/data/get-api-usage-metrics.ts'
import { handles, Refusal } from '../handler.ts'

const DAY = 86_400
/** Seconds between two requests, what each costs, and how many of them one is invalid. */
const [PACE, PRICE, INVALID] = [3, 20, 100]

export const handleGetApiUsageMetrics = handles(getApiUsageMetrics, ({ world }, params) => {
  const now = world.now()
  const { startTimestamp = now, endTimestamp = now, timeInterval = 'daily', groupBy } = params
  if (timeInterval !== 'daily' || groupBy !== undefined) {
    throw new Refusal(400, 'the simulated service has points of days alone, and no groups')
  }
  const [first, last] = [startTimestamp, Math.min(endTimestamp, now)].map((time) => Math.floor(time / DAY)) as [
    number,
    number,
  ]
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * DAY)
  return {
    aggregateDuration: '1 day',
    orgId: 'simulated',
    metrics: days.map((day) => ({ timestamp: day, values: [usedIn(Math.min(DAY, now - day))] })),
  }
})

function usedIn(seconds: number) {
  const totalRequests = Math.floor(seconds / PACE)
  const invalidRequests = Math.floor(totalRequests / INVALID)
  return {
    groupedBy: 'None',
    totalRequests,
    requestsPerSecond: totalRequests / Math.max(1, seconds),
    successRatePercent: totalRequests === 0 ? 100 : (100 * (totalRequests - invalidRequests)) / totalRequests,
    medianResponseTimeMsecs: 40,
    invalidRequests,
    apiCreditsUsed: totalRequests * PRICE,
    apiCreditsWasted: invalidRequests * PRICE,
  }
}
