// data-usage: usage of the data service by all users of the configured key, as the service counts it; stakewatch counts
// its own requests itself. Get API usage metrics (beyond the documents).

import { isInFuture } from '../../lib/clock.ts'
import { ofNetwork } from '../../metrics/define.ts'
import { getApiUsageMetrics } from '../../operations/data/get-api-usage-metrics.ts'
import { inFuture } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'

const credits = ofNetwork.gauge('stakewatch_data_usage_credits', {
  help: "Credits that the configured key's organisation used or wasted on the newest reported day (get-api-usage-metrics).",
  details: '`wasted` credits went to invalid requests and are part of `used`.',
  labels: ['credits'],
})
const requests = ofNetwork.gauge('stakewatch_data_usage_requests', {
  help: "Requests of the configured key's organisation on the newest reported day, total or invalid (get-api-usage-metrics).",
  labels: ['requests'],
})
const day = ofNetwork.gauge('stakewatch_data_usage_timestamp_seconds', {
  is: 'past',
  help: 'Start of the day that the usage covers (get-api-usage-metrics).',
})

const DAY = 86_400

export const dataUsage = defineCollector({
  name: 'data-usage',
  about: 'Credits of the data service used by all users of the configured key.',
  every: '15m',
  uses: [getApiUsageMetrics],
  // A service that rejects the key with 401 gets no requests at all for a while.
  isOptIn: true,
  metrics: [credits, requests, day],
  // Without a key there is no usage.
  subjects: ({ data_api }) => (data_api?.key ? [{ name: 'all', labels: {} }] : []),
  estimate: () => ({ series: 5 }),
  async collect({ now, call, flawed }) {
    // The service may not report a day that has just begun.
    const startTimestamp = Math.max(0, Math.floor(now / 1_000) - DAY)
    const { value } = await call(getApiUsageMetrics, { timeInterval: 'daily', startTimestamp })
    const days = value.metrics.filter(({ timestamp }) => !isInFuture(timestamp, now))
    if (days.length === 0 && value.metrics.length > 0) throw inFuture('every day of usage')
    if (days.length < value.metrics.length) flawed(inFuture('a day of usage'))
    const [newest] = days.toSorted((a, b) => b.timestamp - a.timestamp)
    if (!newest) return { samples: [] }
    const { timestamp, values } = newest
    return {
      samples: [
        ...credits.ifKnown({ credits: 'used' }, sum(values.map(({ apiCreditsUsed }) => apiCreditsUsed))),
        ...credits.ifKnown({ credits: 'wasted' }, sum(values.map(({ apiCreditsWasted }) => apiCreditsWasted))),
        ...requests.ifKnown({ requests: 'total' }, sum(values.map(({ totalRequests }) => totalRequests))),
        ...requests.ifKnown({ requests: 'invalid' }, sum(values.map(({ invalidRequests }) => invalidRequests))),
        day.sample({}, timestamp),
      ],
    }
  },
})

/** A service may still group the values. A sum needs all of them. */
function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce((all, one) => (all === undefined || one === undefined ? undefined : all + one), 0)
}
