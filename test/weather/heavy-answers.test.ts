// Answers at the bounds of what is accepted, and beyond, from one node: scrapes go on, and another network has
// its values all the while.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/process/system-clock.ts'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { scrape } from '../e2e/support/scrape.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { seriesOf, valueOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'
import { envelope, createHostileServer } from '../support/hostile-server.ts'

const NODE = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
/** What a scrape may wait for an answer of 8 MiB to be parsed, and for its validators to be published (milliseconds). */
const MOST = 2_000
/** Of scrapes in each phase. */
const SCRAPES = 30

async function heavyNode() {
  const worker = new Worker(new URL('../support/threads/heavy-node.ts', import.meta.url))
  onTestFinished(() => worker.terminate().then(() => {}))
  const [port] = (await once(worker, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    async answer(how: string) {
      worker.postMessage(how)
      await once(worker, 'message')
    },
  }
}

/** Scrapes until `isEnough`, and gives how many milliseconds of work the slowest takes. */
async function slowest(
  metrics: () => Promise<string>,
  isEnough: (text: string) => boolean = () => true,
): Promise<number> {
  const took: number[] = []
  for (let isOver = false; !isOver || took.length < SCRAPES;) {
    const before = cpuTime()
    const text = await metrics()
    took.push(cpuTime() - before)
    isOver ||= isEnough(text)
  }
  return Math.max(...took)
}

/** How often the heavy node was asked for its validators. */
const askedFor = (text: string) =>
  seriesOf(text, 'stakewatch_upstream_requests_total', {
    network: 'mainnet',
    operation: 'platform.getCurrentValidators',
  })
    .map(({ value }) => value)
    .reduce((sum, value) => sum + value, 0)

test('answers of any size cost other networks nothing, and scrapes no more than two seconds', async () => {
  const heavy = await heavyNode()
  const light = await createHostileServer(envelope({ result: { supply: '1', height: '1' } }))
  const daemon = createDaemon({
    config: configFrom(`
networks:
  - { name: mainnet, nodes: [{ name: node-a, url: "${heavy.url}" }], validators: [{ node_id: ${NODE} }] }
  - { name: fuji, nodes: [{ name: node-a, url: "${light.url}" }] }
collectors: { validators: { every: 1s }, supply: { every: 10s } }
`),
    version: '0.0.0',
    log: { info: () => {}, warn: () => {} },
    clock: systemClock,
    random: Math.random,
  })
  onTestFinished(async () => {
    await daemon.stop()
  })
  const [bound] = await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const metrics = () => scrape(`http://127.0.0.1:${bound!.port}/metrics`)
  await slowest(metrics)
  const idle = await slowest(metrics)
  for (const how of [
    'a hundred thousand validators',
    'half a million bad items',
    'thirty million bad items',
    'lists in lists',
    'a failure of 60 MB',
  ]) {
    await heavy.answer(how)
    const before = askedFor(await metrics())
    const isAnswered = (text: string) => askedFor(text) > before
    expect({ how, late: (await slowest(metrics, isAnswered)) > idle + MOST }).toEqual({ how, late: false })
  }
  const text = await metrics()
  expect(valueOf(text, 'stakewatch_collector_success', { network: 'fuji', collector: 'supply' })).toBe(1)
  expect(
    valueOf(text, 'stakewatch_collector_runs_total', { network: 'fuji', collector: 'supply', result: 'failure' }),
  ).toBe(0)
  expect(
    valueOf(text, 'stakewatch_upstream_requests_total', {
      network: 'mainnet',
      code: 'too_large',
      operation: 'platform.getCurrentValidators',
    }),
  ).toBeGreaterThan(0)
})
