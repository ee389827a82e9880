import { expect, test } from 'vitest'
import { chainThroughput } from '../../../src/collectors/chains/throughput.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: mainnet
    metrics_api: { url: "http://127.0.0.1:2" }
    chains: [{ id: c-chain, name: c, evm_chain_id: 43114 }, { id: p-chain }]
`
/** By metric: what the service says at each poll. */
async function polled(...answers: Readonly<Record<string, unknown>>[]) {
  const poller = createPoller(yaml, chainThroughput, 1_700_000_000_000)
  for (const one of answers) {
    await poller.poll((_, { path }) => one[path.split('/').at(-1)!])
    poller.clock.now += 60_000
  }
  const series = poller.series('stakewatch_chain_throughput_tps')
  const published = series.map(({ labels, value }) => `${labels['statistic']} ${labels['window']} ${value}`)
  return {
    published,
    success: poller.value('stakewatch_collector_success'),
  }
}

const result = (lastHour: unknown, lastDay: unknown) => ({ result: { lastHour, lastDay, allTime: 7 } })
const down = new BaseError('timeout', 'late')
const absent = new BaseError('unsupported', 'no')

test.each<[string, Parameters<typeof polled>, string[], number | undefined]>([
  [
    'both',
    [{ avgTps: result(2.5, '3'), maxTps: result(40, 90) }],
    ['average hour 2.5', 'average day 3', 'maximum hour 40', 'maximum day 90'],
    1,
  ],
  [
    'an hour without a transaction is 0, and a missing one is unknown',
    [{ avgTps: result(0, null), maxTps: { result: null } }],
    ['average hour 0'],
    1,
  ],
  [
    'one that fails takes nothing from the other, and keeps what it said before',
    [
      { avgTps: result(1, 2), maxTps: result(3, 4) },
      { avgTps: result(5, 6), maxTps: down },
    ],
    ['average hour 5', 'average day 6', 'maximum hour 3', 'maximum day 4'],
    0,
  ],
  [
    'one that the service has no more is gone',
    [
      { avgTps: result(1, 2), maxTps: result(3, 4) },
      { avgTps: result(5, 6), maxTps: absent },
    ],
    ['average hour 5', 'average day 6'],
    1,
  ],
  ['a number below 0 is none', [{ avgTps: result(-1, 2), maxTps: absent }], ['average day 2'], 1],
  ['a service of the document', [{ avgTps: absent, maxTps: absent }], [], 1],
  ['another form', [{ avgTps: [], maxTps: { result: 5 } }], [], 0],
])('%s', async (_, answers, published, success) => {
  expect(await polled(...answers)).toEqual({ published, success })
})
