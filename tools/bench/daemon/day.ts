// A day of polls of 1,500 validators on a clock that goes on step by step: does the daemon hold more at its end?

import { start } from '../process.ts'
import type { Row } from '../row.ts'

const VALIDATORS = 1_500
const HOURS = 24
/** Hours in which caches fill and the heap finds its size. */
const WARM_UP = 4
/** Hours at the beginning and at the end of what is compared. */
const COMPARED = 4

export const dayRow: Row = {
  // Growth of memory in 24 h of simulated polling after 4 h of warm-up: least RSS after a collection in the last 4 h /
  // in the first 4 h, minus 1.
  name: 'memory-day',
  target: { most: 0.05 },
  unit: 'share',
  async measure() {
    const node = await start(new URL('../serving/node.ts', import.meta.url), [VALIDATORS])
    const day = await start(new URL('day-side.ts', import.meta.url), [node.said['url']!, VALIDATORS])
    const hours: number[] = []
    for (let hour = 0; hour < HOURS; hour += 1) hours.push((await day.ask('hour'))['rss']!)
    await Promise.all([day.end(), node.end()])
    const [first, last] = [hours.slice(WARM_UP, WARM_UP + COMPARED), hours.slice(-COMPARED)]
    return { runs: [Math.min(...last) / Math.min(...first) - 1] }
  },
}
