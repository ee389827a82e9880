// The release build with 1,500 tracked validators and all collectors of validators at their default intervals: its memory.

import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../process.ts'
import type { Effort, Row } from '../row.ts'
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

/** Greatest RSS of the release build / RSS of a bare node process. */
async function memoryRatio({ warmUp, watched }: Plan): Promise<number> {
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
  const ratio = Math.max(...looks) / bare.rss()
  await Promise.all([daemon.end(), bare.end(), network.end()])
  return ratio
}

async function seriesOf(url: string): Promise<number> {
  const { body } = await scrape(url)
  return body.toString().match(/^stakewatch_(validator|l1)_/gm)?.length ?? 0
}

export const validatorsRow: Row = {
  name: 'memory-1500-validators',
  target: { most: 3.5 },
  unit: 'ratio',
  async measure(effort) {
    if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
    const plan = plans[effort]
    const runs: number[] = []
    for (let at = 0; at < plan.repeats; at += 1) runs.push(await memoryRatio(plan))
    return { runs }
  },
}
