// How time and memory of a poll grow with the number of validators, against how those of the floor grow.

import type { Figures } from '../process.ts'
import type { Row } from '../row.ts'
import { inTurn, type Rounds } from '../side.ts'
import { exponent, median } from '../statistics.ts'
import { type Compared, floors } from './floor.ts'
import { startSides } from './sides.ts'

const [FROM, TO] = [1_000, 100_000]
const rounds = { from: { warmUp: 20, pairs: 10 }, to: { warmUp: 1, pairs: 2 } }
/** Each begins with fresh processes. */
const REPEATS = 3

interface Cost {
  time: number
  bytes: number
}

/** The cost of a poll for ours and for the floor. */
async function costs(collector: Compared, count: number, rounds: Rounds): Promise<[ours: Cost, floor: Cost]> {
  const sides = await startSides(collector, count)
  const memory: Figures[] = []
  const pairs = await inTurn(sides, rounds, {
    async atLast() {
      for (const side of sides) memory.push(await side.ask('memory'))
    },
  })
  const time = (side: 0 | 1) => median(pairs.map((pair) => pair[side]['cpu']!))
  return [
    { time: time(0), bytes: memory[0]!['bytes']! },
    { time: time(1), bytes: memory[1]!['bytes']! },
  ]
}

async function exponents(collector: Compared) {
  const [small, large] = [await costs(collector, FROM, rounds.from), await costs(collector, TO, rounds.to)]
  const of = (side: 0 | 1, cost: keyof Cost) =>
    exponent({ size: FROM, value: small[side][cost] }, { size: TO, value: large[side][cost] })
  return {
    time: { ours: of(0, 'time'), floor: of(1, 'time') },
    memory: { ours: of(0, 'bytes'), floor: of(1, 'bytes') },
  }
}

/** CPU time of a poll; the most memory of the process above what it had before its first poll. */
const measures = ['time', 'memory'] as const

export const growthRows: readonly Row[] = (Object.keys(floors) as Compared[]).flatMap((collector) => {
  let found: Promise<Awaited<ReturnType<typeof exponents>>[]> | undefined
  const repeat = async () => {
    const all = []
    for (let at = 0; at < REPEATS; at += 1) all.push(await exponents(collector))
    return all
  }
  return measures.map((what): Row => ({
    // From 1,000 to 100,000 validators: exponent of ours - exponent of the floor.
    name: `growth-${what}-${collector}`,
    target: { most: 0.05 },
    unit: 'ratio',
    async measure() {
      const all = await (found ??= repeat())
      return { runs: all.map((one) => one[what].ours - one[what].floor) }
    },
  }))
})
