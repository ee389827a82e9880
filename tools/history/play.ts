// Plays the last hours of the demo: its network and the real daemon, on a clock that runs as fast as both keep up with.

import { type DaemonOptions, createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { parseConfig } from '../../src/commands/config.ts'
import type { Io } from '../../src/commands/io.ts'
import { type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.ts'
import { createIdle, createSteppedClock, STEP } from '../stepped-time.ts'

/** Seconds from one exposition to the next: a rate over two minutes, which the dashboards ask for, finds two of them. */
const SAMPLED = 60

/** Milliseconds. What the demo polls more often is polled this often: an hour takes half of the processor time. */
const LEAST_INTERVAL = 120_000

export interface Past extends Pick<SimulatorOptions, 'seed' | 'validators' | 'delegations'> {
  /** Unix seconds, whole, at which the network began. */
  since: number
  /** Unix seconds at which the play ends; asked at each step, as the present goes on meanwhile. */
  until: () => number
  log: DaemonOptions['log']
  /** Takes what a scrape at that time would have got. */
  take: (exposition: string, at: number) => Promise<unknown>
}

export async function playPast({ since, until, log, take, ...network }: Past): Promise<void> {
  const { idle } = createIdle()
  const time = createSteppedClock(since * 1_000)
  const passed = () => time.clock.now().steady / 1_000
  // As `stakewatch demo` starts it.
  const simulator = await startSimulator({
    ...network,
    epoch: since,
    clock: passed,
    dialect: 'live',
    metricsDialect: 'document',
  })
  const config = parseConfig(simulator.config(collectors.map(({ name }) => name)), 'demo.yaml', { env: {} } as Io)
  const slower = Object.entries(config.collectors).map(([name, settings]) => [
    name,
    { ...settings, every: Math.max(settings?.every ?? 0, LEAST_INTERVAL) },
  ])
  const app = createDaemon({
    config: { ...config, collectors: Object.fromEntries(slower) },
    version: 'history',
    log,
    clock: time.clock,
    random: Math.random,
  })
  await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  for (let at = since; at < until(); at = since + passed()) {
    await idle()
    if ((at - since) % SAMPLED === 0) await take((await app.once(() => false)).text, at)
    time.advance(STEP * 1_000)
  }
  const stopped = app.stop()
  time.advance(STEP * 1_000)
  await stopped
  await simulator.stop()
}
