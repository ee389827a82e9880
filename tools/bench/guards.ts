// The guards of CI: they fail when work grows with what it must not grow with, and never because the machine is busy. So they
// take CPU time, not time, and of many rounds the least.

import { floors, type Compared } from './publication/floor.ts'
import { startSides } from './publication/sides.ts'
import { start } from './process.ts'
import type { Row } from './row.ts'
import { inTurn, type Rounds } from './side.ts'
import { exponent } from './statistics.ts'

const compared = Object.keys(floors) as Compared[]

/** Least CPU time of a poll: ours and the floor's. */
async function leastOfPolls(collector: Compared, count: number, rounds: Rounds): Promise<readonly [number, number]> {
  const pairs = await inTurn(await startSides(collector, count), rounds)
  const least = (side: 0 | 1) => Math.min(...pairs.map((pair) => pair[side]['cpu']!))
  return [least(0), least(1)]
}

const polls = compared.map((collector): Row => ({
  // From the bytes of an answer to the last published line: ours / floor.
  name: `guard-poll-${collector}`,
  target: { most: 4 },
  unit: 'ratio',
  async measure() {
    const [ours, floor] = await leastOfPolls(collector, 1_500, { warmUp: 12, pairs: 10 })
    return { runs: [ours / floor] }
  },
}))

const [FEW, MANY] = [1_000, 16_000]

const growth = compared.map((collector): Row => ({
  // How a poll grows with the number of validators: exponent of ours - exponent of the floor. A quadratic lookup adds 0.5.
  name: `guard-growth-${collector}`,
  target: { most: 0.25 },
  unit: 'ratio',
  async measure() {
    const few = await leastOfPolls(collector, FEW, { warmUp: 20, pairs: 10 })
    const many = await leastOfPolls(collector, MANY, { warmUp: 3, pairs: 5 })
    const of = (side: 0 | 1) => exponent({ size: FEW, value: few[side] }, { size: MANY, value: many[side] })
    return { runs: [of(0) - of(1)] }
  },
}))

const scrapes = (['identity', 'gzip'] as const).map((encoding): Row => ({
  // A scrape whose body is not sent, of an exposition that is there already: with 100,000 series / with 100.
  name: `guard-scrape-${encoding}`,
  target: { most: 2 },
  unit: 'ratio',
  async measure() {
    const side = await start(new URL('serving/head-side.ts', import.meta.url), [encoding])
    const { few, many } = await side.ask('round')
    await side.end()
    return { runs: [many! / few!] }
  },
}))

export const guards: readonly Row[] = [...scrapes, ...polls, ...growth]
