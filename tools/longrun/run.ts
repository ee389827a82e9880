// Many days of a daemon that watches a simulated network, as fast as both get through them: what do they hold at the end?
// The network is a process of its own, both talk over TCP, and the daemon's clock goes on only while nothing is asked.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { type Daemon, createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { parseConfig } from '../../src/commands/config.ts'
import type { Io } from '../../src/commands/io.ts'
import type { Config } from '../../src/config/schema.ts'
import { createIdle, createSteppedClock, STEP } from '../stepped-time.ts'
import { type Order, ordersAt } from './churn.ts'
import { type Growth, growthOf, type Held, measure } from './measure.ts'
import type { FromNetwork, ToNetwork } from './network.ts'

export interface LongRun {
  days: number
  /** Days that the network has behind it: after sixteen it forgets as much as happens. */
  before: number
  /** Whether the collectors run whose answers take the simulated network long to work out: a twelfth as often. */
  isCostly: boolean
  /** Hours that pass before the first measurement: caches fill, and the first of everything has ended. */
  warmUp: number
  /** Minutes from run to run of each collector. */
  every: number
  /** Hours from measurement to measurement. */
  measured: number
}

export interface Outcome {
  daemon: readonly Growth[]
  network: readonly Growth[]
  /** Of the daemon, after it has stopped and before it has started. */
  left: { timers: number; sockets: number }
  runs: number
  expectedRuns: number
  series: readonly number[]
  orders: { done: number; refused: number }
}

const HOUR = 3_600

async function openNetwork(before: number) {
  const child = fork(new URL('network.ts', import.meta.url), [String(before)], { stdio: 'inherit' })
  const next = async () => ((await once(child, 'message')) as [FromNetwork])[0]
  async function ask(message: ToNetwork): Promise<FromNetwork> {
    child.send(message)
    return next()
  }
  const { config = '', controlUrl = '', now = 0 } = await next()
  return {
    config,
    now,
    at: (time: number) => ask({ time }),
    measure: async () => (await ask('measure')).held!,
    /** False when there was nothing of the kind to act on. */
    async order({ path, method, body }: Order): Promise<boolean> {
      const content = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}
      const answer = await fetch(`${controlUrl}/${path}`, { method, ...content })
      await answer.text()
      return answer.ok
    },
    async nodeIds(): Promise<string[]> {
      const answer = await fetch(`${controlUrl}/state`)
      const { validators } = (await answer.json()) as { validators: { views: Record<string, unknown> }[] }
      return Object.keys(validators[0]!.views)
    },
    async end() {
      child.send('end' satisfies ToNetwork)
      await once(child, 'exit')
    },
  }
}

const COSTLY = new Set(['erc20-transfers', 'evm-blocks', 'evm-transactions', 'icm', 'utxos'])

/** Everything that the demo watches, seldom enough that a month takes minutes. */
function configOf(text: string, every: number, isCostly: boolean): Config {
  const config = parseConfig(text, 'longrun.yaml', { env: {} } as Io)
  const settings = collectors.map(({ name }) => {
    const own = { enabled: isCostly || !COSTLY.has(name), every: every * (COSTLY.has(name) ? 12 : 1) * 60_000 }
    return [name, { ...config.collectors[name], ...own }] as const
  })
  return { ...config, collectors: Object.fromEntries(settings) }
}

async function scrape(url: string): Promise<string> {
  const answer = await fetch(url)
  return answer.text()
}

const valueOf = (line: string) => Number(line.slice(line.lastIndexOf(' ')))

const sumOf = (text: string, metric: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(metric))
    .reduce((sum, line) => sum + valueOf(line), 0)

export async function longRun({ days, before, isCostly, warmUp, every, measured }: LongRun): Promise<Outcome> {
  const network = await openNetwork(before)
  const { idle } = createIdle()
  const atFirst = measure()
  const time = createSteppedClock(network.now * 1_000)
  const config = configOf(network.config, every, isCostly)
  const log = { info: () => {}, warn: () => {} }
  const app: Daemon = createDaemon({
    config,
    version: 'longrun',
    log,
    clock: time.clock,
    random: Math.random,
  })
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const url = `http://127.0.0.1:${bound!.port}/metrics`
  const held = { daemon: [] as Held[], network: [] as Held[] }
  const series: number[] = []
  const orders = { done: 0, refused: 0 }
  let text = ''
  for (let second = 0; second < days * 24 * HOUR; second += STEP) {
    if (second % 60 === 0) await network.at(second)
    if (second % HOUR === 0) {
      const hour = second / HOUR
      for (const order of ordersAt(hour, await network.nodeIds())) {
        orders[(await network.order(order)) ? 'done' : 'refused'] += 1
      }
      text = await scrape(url)
      if (hour >= warmUp && hour % measured === 0) {
        await idle()
        held.daemon.push(measure())
        held.network.push(await network.measure())
        series.push(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length)
      }
    }
    time.advance(STEP * 1_000)
    await idle()
  }
  text = await scrape(url)
  const runs = sumOf(text, 'stakewatch_collector_runs_total')
  const intervals = text.split('\n').filter((line) => line.startsWith('stakewatch_collector_interval_seconds{'))
  const stopped = app.stop()
  time.advance(HOUR * 1_000)
  await stopped
  await network.end()
  await turn()
  const after = measure()
  return {
    daemon: growthOf(held.daemon),
    network: growthOf(held.network),
    left: {
      timers: Math.max(0, after.timers - atFirst.timers) + time.waiting(),
      sockets: Math.max(0, after.sockets - atFirst.sockets),
    },
    runs,
    expectedRuns: Math.floor(intervals.reduce((sum, line) => sum + (days * 24 * HOUR) / valueOf(line), 0)),
    series,
    orders,
  }
}
