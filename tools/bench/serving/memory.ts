// What a series costs in memory: the daemon with 240,000 series against the same daemon with one validator.

import { setTimeout as wait } from 'node:timers/promises'
import type { Row } from '../row.ts'
import { scrape, startDaemon } from './daemons.ts'
import { COLLECTORS, SERIES_EACH } from './scrapes.ts'

/** As Prometheus asks, and as everybody else does. */
const formats = {
  openmetrics: 'application/openmetrics-text; version=1.0.0',
  text: 'text/plain; version=0.0.4',
} as const
type Format = keyof typeof formats

const SERIES = 240_000
const REPEATS = 5
/** Polls and scrapes go on for so long, so that what they leave behind is there (seconds). */
const LIVED = 20

/** Bytes after a collection in both threads. */
async function held(validators: number, used: readonly Format[]): Promise<number> {
  const daemon = await startDaemon({
    validators,
    collectors: COLLECTORS,
    every: '10s',
    series: validators * SERIES_EACH,
  })
  for (let second = 0; second < LIVED; second += 1) {
    for (const format of used) await scrape(daemon.url, { accept: formats[format], 'accept-encoding': 'gzip' })
    await wait(1_000)
  }
  const { rss } = await daemon.daemon.ask('memory')
  await daemon.end()
  return rss!
}

function rowOf(name: string, used: readonly Format[], most: number): Row {
  return {
    // By series: RSS after a forced collection above that of the same daemon with one validator.
    name,
    target: { most },
    unit: 'bytes',
    async measure() {
      const [idle, full]: [number[], number[]] = [[], []]
      for (let at = 0; at < REPEATS; at += 1) {
        idle.push(await held(1, used))
        full.push(await held(SERIES / SERIES_EACH, used))
      }
      return { runs: full.map((bytes, at) => (bytes - idle[at]!) / SERIES) }
    },
  }
}

export const memoryRows: readonly Row[] = [
  rowOf('memory-series-one-format', ['openmetrics'], 600),
  rowOf('memory-series-both-formats', ['openmetrics', 'text'], 900),
]
