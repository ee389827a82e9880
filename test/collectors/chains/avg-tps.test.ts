import { describe, expect, test } from 'vitest'
import { avgTps } from '../../../src/collectors/chains/avg-tps.ts'
import { createPoller, fixture, type Poller } from '../../support/poll.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const yaml = `
networks:
  - name: fuji
    metrics_api: { url: "http://127.0.0.1:1" }
    chains:
      - { id: c-chain, evm_chain_id: 43113 }
      - { id: p-chain }
`
const started = () => createPoller(yaml, avgTps, NOW)
const published = (poller: Poller) => poller.table('stakewatch_chain_average_')

describe('avg-tps (document 2, Metrics service)', () => {
  test('publishes the newest point and the last run of the service', async () => {
    const poller = started()
    await poller.poll(() => fixture('metrics/avg-tps.document'))
    const asked = poller.asked.map(({ operation, path, query }) => [operation, path, query])
    expect(asked).toEqual([['avg-tps', '/v1/avg_tps/43113', {}]])
    expect(poller.lines(/^stakewatch_chain_average/)).toEqual([
      'stakewatch_chain_average_tps{network="fuji",chain="c-chain"} 4.25',
      'stakewatch_chain_average_tps_last_run_timestamp_seconds{network="fuji",chain="c-chain"} 1700093400',
    ])
  })

  const point = (timestamp: unknown, value: unknown) => ({ timestamp, value })
  test.each([
    ['points in another order', { results: [point(100, 1), point(300, 3), point(200, 2)] }, { tps: 3 }],
    [
      '5,000 points: the newest alone',
      { results: Array.from({ length: 5_000 }, (_, at) => point(at, at / 2)) },
      { tps: 2_499.5 },
    ],
    ['one point', { results: [point(100, 1.5)] }, { tps: 1.5 }],
    ['numbers as texts', { results: [point('100', '1.5e-3')] }, { tps: 0.0015 }],
    ['nothing happened: 0 is a value', { results: [point(100, 0)] }, { tps: 0 }],
    ['a bad point is left out', { results: [point(300, 'many'), point(200, null), point(100, 1)] }, { tps: 1 }],
    [
      'no points: when it last ran is still known',
      { results: [], lastRun: 500 },
      { tps_last_run_timestamp_seconds: 500 },
    ],
    ['null for no points', { results: null, lastRun: '500' }, { tps_last_run_timestamp_seconds: 500 }],
    ['nothing at all', { results: null, status: 200 }, {}],
    ['the live form has another page key', { results: [point(100, 1)], nextPageStartKey: 'k' }, { tps: 1 }],
  ])('%s', async (_, answer, expected) => {
    const poller = started()
    await poller.poll(() => answer)
    expect(published(poller)).toEqual(expected)
    expect(poller.value('stakewatch_collector_success')).toBe(1)
  })
})
