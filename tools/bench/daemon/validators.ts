// The release build with 1,500 tracked validators and all collectors of validators at their default intervals: its memory.

import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../process.ts'
import type { Effort, LeftOut, Row } from '../row.ts'
import { scrape } from '../serving/daemons.ts'
import { bareNode, isBuilt, startRelease } from './release.ts'

const VALIDATORS = 1_500
/** `uptime` and `validators` alone have 20 of each, but for the node's own validator. */
const LEAST_SERIES = 19 * VALIDATORS
/** The first round of all takes that long on a busy machine (seconds). */
const PATIENCE = 300

/** Seconds. */
interface Plan {
  warmUp: number
  watched: number
  repeats: number
}

const plans: Readonly<Record<Effort, Plan>> = {
  full: { warmUp: 60, watched: 120, repeats: 3 },
  quick: { warmUp: 2, watched: 3, repeats: 1 },
}

interface Taken {
  /** Bytes. */
  rss: number
  bare: number
}

async function once({ warmUp, watched }: Plan): Promise<Taken> {
  const network = await start(new URL('network.ts', import.meta.url), [VALIDATORS])
  const daemon = await startRelease(network.said['yaml']!)
  const bare = bareNode()
  for (let waited = 0; (await seriesOf(daemon.url)) < LEAST_SERIES; waited += 1) {
    if (waited > PATIENCE) throw new Error(`there are not ${LEAST_SERIES} series after ${waited} s`)
    await wait(1_000)
  }
  await wait(1_000 * warmUp)
  const looks: number[] = []
  for (let second = 0; second < watched; second += 1) {
    await wait(1_000)
    looks.push(daemon.rss())
  }
  const taken = { rss: Math.max(...looks), bare: bare.rss() }
  await Promise.all([daemon.end(), bare.end(), network.end()])
  return taken
}

async function seriesOf(url: string): Promise<number> {
  const { body } = await scrape(url)
  return body.toString().match(/^stakewatch_(validator|l1)_/gm)?.length ?? 0
}

const measurements = new Map<Effort, Promise<Taken[]>>()

async function measureAll(plan: Plan): Promise<Taken[]> {
  const all: Taken[] = []
  for (let at = 0; at < plan.repeats; at += 1) all.push(await once(plan))
  return all
}

async function taken(effort: Effort): Promise<Taken[] | LeftOut> {
  if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
  if (!measurements.has(effort)) measurements.set(effort, measureAll(plans[effort]))
  return measurements.get(effort)!
}

export const validatorRows: readonly Row[] = [
  {
    // All collectors of validators, at their default intervals: greatest RSS of the release build / RSS of a bare node process.
    name: 'memory-1500-validators',
    target: { most: 3.5 },
    unit: 'ratio',
    async measure(effort) {
      const all = await taken(effort)
      if ('leftOut' in all) return all
      return { runs: all.map(({ rss, bare }) => rss / bare) }
    },
  },
  {
    // CPU by series published: ours / json_exporter, which takes 8 values of each validator out of the same answer.
    name: 'cpu-round-1500-validators',
    target: { most: 0.05 },
    unit: 'ratio',
    // Its Go module could not be had where this was written, and a comparison that never ran is none.
    measure: async () => ({ leftOut: 'json_exporter is not built here' }),
  },
]
