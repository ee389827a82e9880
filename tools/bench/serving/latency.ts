// What scrapers notice of polls: the same daemon with 20,000 validators that are polled every 5 seconds, and never.

import type { Effort, Row } from '../row.ts'
import { start } from '../process.ts'
import { quantile } from '../statistics.ts'
import { startDaemon } from './daemons.ts'
import { COLLECTORS, SERIES_EACH } from './scrapes.ts'

interface Plan {
  validators: number
  every: string
  phases: number
  /** In a phase. */
  scrapes: number
  /** Milliseconds between two scrapes. */
  interval: number
  /** A hundredth of few scrapes is none. */
  share: number
}

const plans: Readonly<Record<Effort, Plan>> = {
  full: { validators: 20_000, every: '5s', phases: 5, scrapes: 130, interval: 1_000, share: 0.99 },
  quick: { validators: 1_500, every: '2s', phases: 1, scrapes: 30, interval: 100, share: 0.9 },
}

const phases = ['busy', 'idle'] as const
type Phase = (typeof phases)[number]
const CLIENT = 1

/** Latencies of one phase: milliseconds. */
async function latencies(phase: Phase, { validators, every, scrapes, interval }: Plan): Promise<number[]> {
  const { url, end } = await startDaemon({
    validators,
    collectors: COLLECTORS,
    every: phase === 'busy' ? every : '1h',
    cores: { node: CLIENT },
    series: validators * SERIES_EACH,
  })
  const client = await start(new URL('client.ts', import.meta.url), [url, scrapes, interval], { core: CLIENT })
  await client.ask('warm')
  const found = Object.values(await client.ask('round'))
  await Promise.all([client.end(), end()])
  return found
}

async function measureAll(plan: Plan): Promise<Readonly<Record<Phase, number[][]>>> {
  const found: Record<Phase, number[][]> = { busy: [], idle: [] }
  for (let at = 0; at < plan.phases; at += 1) {
    for (const phase of at % 2 === 0 ? phases : phases.toReversed()) {
      found[phase].push(await latencies(phase, plan))
    }
  }
  return found
}

const measurements = new Map<Effort, ReturnType<typeof measureAll>>()

async function measured(effort: Effort) {
  if (!measurements.has(effort)) measurements.set(effort, measureAll(plans[effort]))
  const { busy, idle } = await measurements.get(effort)!
  const { share } = plans[effort]
  const of = (all: readonly number[][]) => ({ tail: quantile(all.flat(), share), most: Math.max(...all.flat()) })
  return { busy: of(busy), idle: of(idle) }
}

export const latencyRows: readonly Row[] = [
  {
    // A gzip scrape a second while validators are polled, 99th percentile: polled / not polled; client on the other core.
    name: 'latency-p99',
    target: { most: 2 },
    unit: 'ratio',
    async measure(effort) {
      // One percentile of all phases: that of a single phase would be its slowest scrape.
      const { busy, idle } = await measured(effort)
      return { runs: [busy.tail / idle.tail] }
    },
  },
  {
    // Slowest while polled - 99th percentile while not polled.
    name: 'latency-most',
    target: { most: 50 },
    unit: 'ms',
    async measure(effort) {
      const { busy, idle } = await measured(effort)
      return { runs: [busy.most - idle.tail] }
    },
  },
]
