// Start-up and memory of the release build, against a Node.js that does nothing.

import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../process.ts'
import type { Measured, Row } from '../row.ts'
import { scrape } from '../serving/daemons.ts'
import { timed } from '../side.ts'
import { bareNode, configFile, firstComplete, isBuilt, metricsUrl, run, startNode, startRelease } from './release.ts'

/** Time from its start to the first complete `/metrics`: ours / `node -e 0`. */
const STARTS = 15

async function startRatios(): Promise<number[]> {
  const { network, yaml } = await startNode()
  await using _ = network
  using config = configFile(yaml)
  const ratios: number[] = []
  // The first of each reads its files from the disk.
  for (let at = -1; at < STARTS; at += 1) {
    const bare = await timed(() => once(run('-e', '0').child, 'exit'))
    const before = performance.now()
    await using daemon = startRelease(config.path)
    await firstComplete(daemon)
    if (at >= 0) ratios.push((performance.now() - before) / bare)
  }
  return ratios
}

/** How often both are looked at in the last minute: a collection of garbage may just have been, or be due. */
const LOOKS = 30

/** RSS in the last part of the time. */
async function idleRatios(): Promise<number[]> {
  const { network, yaml } = await startNode()
  await using _ = network
  using config = configFile(yaml)
  await using daemon = startRelease(config.path)
  await using bare = bareNode()
  await firstComplete(daemon)
  await wait(9 * 60_000)
  const ratios: number[] = []
  for (let at = 0; at < LOOKS; at += 1) {
    await wait(60_000 / LOOKS)
    ratios.push(daemon.rss() / bare.rss())
  }
  return ratios
}

/** `uptime` and `validators` alone have 20 series of each validator, but for the node's own. */
const LEAST_SERIES_EACH = 19
/** The first round of all takes that long on a busy machine (seconds). */
const PATIENCE = 300

/** Seconds. */
const WARM_UP = 60
const WATCHED = 120

/** Greatest RSS while it is watched, with all collectors of validators at their default intervals. */
async function validatorsRatio(validators: number): Promise<number> {
  const leastSeries = LEAST_SERIES_EACH * validators
  const network = await start(new URL('network.ts', import.meta.url), [validators])
  using config = configFile(network.said['yaml']!)
  await using daemon = startRelease(config.path)
  await using bare = bareNode()
  const url = await metricsUrl(daemon)
  for (let waited = 0; (await seriesOf(url)) < leastSeries; waited += 1) {
    if (waited > PATIENCE) throw new Error(`there are not ${leastSeries} series after ${waited} s`)
    await wait(1_000)
  }
  await wait(1_000 * WARM_UP)
  const looks: number[] = []
  for (let second = 0; second < WATCHED; second += 1) {
    await wait(1_000)
    looks.push(daemon.rss())
  }
  const ratio = Math.max(...looks) / bare.rss()
  await network.end()
  return ratio
}

async function seriesOf(url: string): Promise<number> {
  const { body } = await scrape(url)
  return body.toString().match(/^stakewatch_(validator|l1)_/gm)?.length ?? 0
}

async function validatorsRatios(validators: number): Promise<number[]> {
  return [await validatorsRatio(validators), await validatorsRatio(validators), await validatorsRatio(validators)]
}

const ofRelease = (name: string, most: number, measure: () => Promise<number[]>): Row => ({
  name,
  target: { most },
  unit: 'ratio',
  async measure(): Promise<Measured> {
    if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
    return { runs: await measure() }
  },
})

export const releasedRows: readonly Row[] = [
  ofRelease('start', 10, startRatios),
  ofRelease('memory-idle', 2, idleRatios),
  ofRelease('memory-1500-validators', 3, async () => validatorsRatios(1_500)),
  ofRelease('memory-20000-validators', 8, async () => validatorsRatios(20_000)),
]
