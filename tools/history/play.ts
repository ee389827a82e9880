// Plays the last hours of the demo: its network and the real daemon, on a clock that runs as fast as both keep up with.

import { collectors } from '../../src/collectors/index.ts'
import type { DaemonOptions } from '../../src/daemon/daemon.ts'
import type { SimulatorOptions } from '../../src/simulator/simulator.ts'
import { openStage, read } from '../scenarios/stage.ts'

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
  const play = await openStage({
    // As `stakewatch demo` starts it.
    network: { ...network, epoch: since, dialect: 'live', metricsDialect: 'document' },
    config(simulator) {
      const config = read(simulator.config(collectors.map(({ name }) => name)))
      const slower = Object.entries(config.collectors).map(([name, settings]) => [
        name,
        { ...settings, every: Math.max(settings?.every ?? 0, LEAST_INTERVAL) },
      ])
      return { ...config, collectors: Object.fromEntries(slower) }
    },
    log,
    isInTime: true,
  })
  for (let at = since; at < until(); at = since + play.now() / 1_000) {
    await play.idle()
    if ((at - since) % SAMPLED === 0) await take(await play.exposition(), at)
    await play.step()
  }
  await play.end()
}
