import { describe, expect, test } from 'vitest'
import { dataUsage } from '../../../src/collectors/nodes/data-usage.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:2", key: sesame }
    chains: [{ id: p-chain }]
collectors: { data-usage: { enabled: true } }
`
/** 2023-11-15, eight hours after midnight. */
const NOW = 1_700_035_200_000
const TODAY = 1_700_006_400
const day = (timestamp: number, ...values: object[]) => ({ timestamp, values })
const used = (apiCreditsUsed: number, rest = {}) => ({
  totalRequests: 10,
  invalidRequests: 1,
  apiCreditsUsed,
  apiCreditsWasted: 20,
  ...rest,
})

async function polled(...answers: unknown[]) {
  const poller = createPoller(yaml, dataUsage, NOW)
  for (const one of answers) {
    await poller.poll(() => one)
    poller.clock.now += 60_000
  }
  return {
    values: poller.table('stakewatch_data_usage_', ['credits', 'requests']),
    success: poller.value('stakewatch_collector_success'),
  }
}

describe('data-usage (beyond document 1, get-api-usage-metrics)', () => {
  test('publishes the newest day, summing up groups', async () => {
    const { values, success } = await polled(fixture('data/get-api-usage-metrics.live'))
    // Two groups of the same.
    expect(values).toEqual({
      'credits used': 576_000,
      'credits wasted': 2_880,
      'requests total': 28_800,
      'requests invalid': 144,
      timestamp_seconds: TODAY,
    })
    expect(success).toBe(1)
  })

  test('asks for days, from yesterday on', async () => {
    const asked: unknown[] = []
    const poller = createPoller(yaml, dataUsage, NOW)
    await poller.poll((operation, { path, query }) => asked.push([operation, path, query]))
    const query = { timeInterval: 'daily', startTimestamp: String(1_700_035_200 - 86_400) }
    expect(asked).toEqual([['get-api-usage-metrics', '/v1/apiUsageMetrics', query]])
  })

  test.each<[string, unknown[], number | undefined, number]>([
    ['the newest day, in whatever order', [{ metrics: [day(TODAY - 86_400, used(7)), day(TODAY, used(5))] }], 5, 1],
    ['a day on which nothing was asked', [{ metrics: [day(TODAY)] }], 0, 1],
    [
      'a group without it: the sum is unknown',
      [{ metrics: [day(TODAY, used(5), { totalRequests: 1 })] }],
      undefined,
      1,
    ],
    ['no day at all', [{ metrics: [] }], undefined, 1],
    ['a list that is null', [{ metrics: null }], undefined, 1],
    ['a day to come is refused', [{ metrics: [day(TODAY, used(5))] }, { metrics: [day(2 * TODAY, used(9))] }], 5, 0],
  ])('%s', async (_, answers, credits, success) => {
    const published = await polled(...answers)
    expect(published.values['credits used']).toBe(credits)
    expect(published.success).toBe(success)
  })
})
