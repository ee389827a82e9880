// What scrapers notice of polls: the same daemon with 20,000 validators that are polled every 5 seconds, and never.

import type { Row } from '../row.ts'
import { start } from '../process.ts'
import { quantile } from '../statistics.ts'
import { startDaemon } from './daemons.ts'
import { COLLECTORS, SERIES_EACH } from './scrapes.ts'

const VALIDATORS = 20_000
const PHASES = 5
/** In a phase. */
const SCRAPES = 130
/** Milliseconds between two scrapes. */
const INTERVAL = 1_000

const phases = ['busy', 'idle'] as const
type Phase = (typeof phases)[number]
const CLIENT = 1

/** Latencies of one phase: milliseconds. */
async function latencies(phase: Phase): Promise<number[]> {
  const { url, end } = await startDaemon({
    validators: VALIDATORS,
    collectors: COLLECTORS,
    every: phase === 'busy' ? '5s' : '1h',
    cores: { node: CLIENT },
    series: VALIDATORS * SERIES_EACH,
  })
  const client = await start(new URL('client.ts', import.meta.url), [url, SCRAPES, INTERVAL], { core: CLIENT })
  await client.ask('warm')
  const found = Object.values(await client.ask('round'))
  await Promise.all([client.end(), end()])
  return found
}

async function measureAll(): Promise<Readonly<Record<Phase, number[][]>>> {
  const found: Record<Phase, number[][]> = { busy: [], idle: [] }
  for (let at = 0; at < PHASES; at += 1) {
    for (const phase of at % 2 === 0 ? phases : phases.toReversed()) {
      found[phase].push(await latencies(phase))
    }
  }
  return found
}

let measurement: ReturnType<typeof measureAll> | undefined

async function measured() {
  const { busy, idle } = await (measurement ??= measureAll())
  const of = (all: readonly number[][]) => ({ tail: quantile(all.flat(), 0.99), most: Math.max(...all.flat()) })
  return { busy: of(busy), idle: of(idle) }
}

export const latencyRows: readonly Row[] = [
  {
    // A gzip scrape a second while validators are polled, 99th percentile: polled / not polled; client on the other core.
    name: 'latency-p99',
    target: { most: 2 },
    unit: 'ratio',
    async measure() {
      // One percentile of all phases: that of a single phase would be its slowest scrape.
      const { busy, idle } = await measured()
      return { runs: [busy.tail / idle.tail] }
    },
  },
  {
    // Slowest while polled - 99th percentile while not polled.
    name: 'latency-most',
    target: { most: 50 },
    unit: 'ms',
    async measure() {
      const { busy, idle } = await measured()
      return { runs: [busy.most - idle.tail] }
    },
  },
]
