// Start-up and memory of the release build, against a Node.js that does nothing.

import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../process.ts'
import type { Effort, Measured, Row } from '../row.ts'
import { scrape } from '../serving/daemons.ts'
import { timed } from '../side.ts'
import { bareNode, configFile, firstComplete, isBuilt, metricsUrl, run, startNode, startRelease } from './release.ts'

/** Time from its start to the first complete `/metrics`: ours / `node -e 0`. */
async function startRatios(runs: number): Promise<number[]> {
  const { network, yaml } = await startNode()
  await using _ = network
  using config = configFile(yaml)
  const ratios: number[] = []
  // The first of each reads its files from the disk.
  for (let at = -1; at < runs; at += 1) {
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
async function idleRatios(minutes: number): Promise<number[]> {
  const { network, yaml } = await startNode()
  await using _ = network
  using config = configFile(yaml)
  await using daemon = startRelease(config.path)
  await using bare = bareNode()
  await firstComplete(daemon)
  const last = Math.min(minutes / 2, 1) * 60_000
  await wait(minutes * 60_000 - last)
  const ratios: number[] = []
  for (let at = 0; at < LOOKS; at += 1) {
    await wait(last / LOOKS)
    ratios.push(daemon.rss() / bare.rss())
  }
  return ratios
}

const VALIDATORS = 1_500
/** `uptime` and `validators` alone have 20 of each, but for the node's own validator. */
const LEAST_SERIES = 19 * VALIDATORS
/** The first round of all takes that long on a busy machine (seconds). */
const PATIENCE = 300

/** Greatest RSS while it is watched, with all collectors of validators at their default intervals. */
async function validatorsRatio(warmUp: number, watched: number): Promise<number> {
  const network = await start(new URL('network.ts', import.meta.url), [VALIDATORS])
  using config = configFile(network.said['yaml']!)
  await using daemon = startRelease(config.path)
  await using bare = bareNode()
  const url = await metricsUrl(daemon)
  for (let waited = 0; (await seriesOf(url)) < LEAST_SERIES; waited += 1) {
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
  await network.end()
  return ratio
}

async function seriesOf(url: string): Promise<number> {
  const { body } = await scrape(url)
  return body.toString().match(/^stakewatch_(validator|l1)_/gm)?.length ?? 0
}

async function validatorsRatios(effort: Effort): Promise<number[]> {
  if (effort === 'quick') return [await validatorsRatio(2, 3)]
  return [await validatorsRatio(60, 120), await validatorsRatio(60, 120), await validatorsRatio(60, 120)]
}

const ofRelease = (name: string, most: number, measure: (effort: Effort) => Promise<number[]>): Row => ({
  name,
  target: { most },
  unit: 'ratio',
  async measure(effort): Promise<Measured> {
    if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
    return { runs: await measure(effort) }
  },
})

export const releasedRows: readonly Row[] = [
  ofRelease('start', 10, (effort) => startRatios(effort === 'full' ? 15 : 3)),
  ofRelease('memory-idle', 2, (effort) => idleRatios(effort === 'full' ? 10 : 0.05)),
  ofRelease('memory-1500-validators', 3.5, validatorsRatios),
]
