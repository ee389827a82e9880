// How long the event loop is busy at a time while many small targets are polled.

import { setTimeout as wait } from 'node:timers/promises'
import type { Row } from '../row.ts'
import { scrape, startDaemon } from './daemons.ts'

/** A balance has three series, and a run publishes more than two of its own. */
const SERIES_EACH = 3

const TARGETS = 2_000
const REPEATS = 3
/** Seconds: every target is polled twice meanwhile. */
const WATCHED = 120

export const eventLoopRow: Row = {
  // Delay of the event loop, 99th percentile.
  name: 'event-loop-2000-targets',
  target: { most: 20 },
  unit: 'ms',
  async measure() {
    const runs: number[] = []
    const { daemon, url, end } = await startDaemon({
      validators: 1,
      collectors: ['node-balances'],
      every: '1m',
      wallets: TARGETS,
      series: TARGETS * SERIES_EACH,
    })
    for (let at = 0; at < REPEATS; at += 1) {
      await daemon.ask('watchDelay')
      // A client scrapes as well, or the bodies would not be made.
      for (let second = 0; second < WATCHED; second += 1) {
        await wait(1_000)
        if (second % 15 === 0) await scrape(url, { 'accept-encoding': 'gzip' })
      }
      runs.push((await daemon.ask('delay'))['p99']!)
    }
    await end()
    return { runs }
  },
}
