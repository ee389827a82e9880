// Four shards behind one Prometheus are one instance: the same series of what is watched, and each of them once.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Daemon, createDaemon } from '../../src/daemon/daemon.ts'
import { systemClock } from '../../src/process/system-clock.ts'
import { collectors } from '../../src/collectors/index.ts'
import type { Config } from '../../src/config/schema.ts'
import { type Shard, UNDIVIDED } from '../../src/lib/shard.ts'
import { createLogger } from '../../src/logger.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { configFrom } from '../support/poll.ts'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let simulator: Simulator
let prometheus: Prometheus | undefined
/** Instances in this process: one that does everything, and three of four shards. */
const apps: Daemon[] = []
/** The fourth is a process, and takes its ordinal from the name of its pod. */
let fourth: Started | undefined

beforeAll(async () => {
  folder = await temporaryFolder()
  simulator = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    // The network stands still. What its services grant in a minute is for one who watches: here a minute is over soon.
    clock: () => performance.now(),
    speed: 0,
    validators: 20,
    delegations: 40,
    dialect: 'live',
    metricsDialect: 'document',
  })
  // A run that a busy machine does not end in time is tried again within the test.
  const yaml = simulator.config(collectors.map(({ name }) => name)).replaceAll('every: 1h', 'every: 1m')
  const file = join(folder.path, 'stakewatch.yaml')
  await writeFile(file, yaml)
  vi.stubEnv('POD_NAME', 'stakewatch-3')
  fourth = stakewatch(`--config.file=${file}`, '--shard=auto/4', '--web.listen-address=127.0.0.1:0')
  const divided = [0, 1, 2].map((ordinal) => ({ ordinal, shards: 4 }))
  const [alone, ...others] = await Promise.all([UNDIVIDED, ...divided].map((shard) => started(configFrom(yaml), shard)))
  const last = await fourth.said(/msg=listening address=(\S+)/)
  prometheus = await startPrometheus({ alone: [alone!], divided: [...others, last] })
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await prometheus?.end()
  await Promise.all(apps.map((app) => app.stop()))
  const code = await fourth?.end()
  await simulator.stop()
  await folder.remove()
  if (code !== 0) throw new Error(`the fourth shard ended with ${code}: ${fourth?.stderr()}`)
})

/** Gives where it listens. */
async function started(config: Config, shard: Shard): Promise<string> {
  const log = createLogger({ level: 'warn', format: 'logfmt', write: () => {} })
  const app = createDaemon({ config, shard, version: 'test', log, clock: systemClock, random: Math.random })
  apps.push(app)
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  return `127.0.0.1:${bound!.port}`
}

const own = new Set([...collectors.flatMap(({ metrics }) => metrics), ...configurationMetrics].map(({ name }) => name))

/** Of what is watched, without who says it. */
async function seriesOf(job: string): Promise<string[]> {
  const all = await prometheus!.query(`{job="${job}",__name__=~"stakewatch_.+"}`)
  return all
    .map(({ labels: { job: _, instance: _i, ...labels } }) => labels)
    .filter(({ __name__: name = '' }) => own.has(name) || own.has(name.replace(/_(bucket|sum|count)$/, '')))
    .map((labels) => JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
}

test('four shards have together the series of one instance, each of them once', async () => {
  const { query } = prometheus!
  let [alone, divided]: [string[], string[]] = [[], []]
  // Some come with the second run of a collector.
  const isSame = async () => {
    ;[alone, divided] = await Promise.all([seriesOf('alone'), seriesOf('divided')])
    return alone.length > 1_000 && JSON.stringify(alone) === JSON.stringify(divided)
  }
  await eventually('the series are the same', isSame).catch(() => {})
  expect(divided).toEqual(alone)
  expect(alone.length).toBeGreaterThan(1_000)
  expect(new Set(divided).size).toBe(divided.length)
  const ordinals = await query('stakewatch_shard_ordinal{job="divided"}')
  expect(ordinals.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
  // Each does a part of the runs, and no run is done by two.
  const byInstance = await query('count by (job, instance) (stakewatch_collector_success)')
  const counts = (job: string) => byInstance.filter(({ labels }) => labels['job'] === job).map(({ value }) => value)
  expect(counts('divided')).toHaveLength(4)
  expect(counts('divided').reduce((sum, count) => sum + count)).toBe(counts('alone')[0])
})
