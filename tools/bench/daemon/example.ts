// The CPU that the example configuration takes. An hour is too long for a benchmark: it is watched for some minutes of real
// time, after the first round of everything.

import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../process.ts'
import type { Row } from '../row.ts'

/** Minutes. Collectors that run once an hour run at the start, which is not counted. */
const WARM_UP = 1
const WATCHED = 5

export const exampleRow: Row = {
  // Seconds of CPU by second, after the first minute; all upstreams are one simulated network.
  name: 'cpu-example',
  target: { most: 0.01 },
  unit: 'share',
  async measure() {
    const network = await start(new URL('network.ts', import.meta.url), [100])
    const { node, data, metrics } = network.said
    const daemon = await start(new URL('example-side.ts', import.meta.url), [node!, data!, metrics!])
    await wait(WARM_UP * 60_000)
    const shares: number[] = []
    for (let minute = 0; minute < WATCHED; minute += 1) {
      const before = (await daemon.ask('cpu'))['seconds']!
      await wait(60_000)
      shares.push(((await daemon.ask('cpu'))['seconds']! - before) / 60)
    }
    await Promise.all([daemon.end(), network.end()])
    return { runs: shares }
  },
}
