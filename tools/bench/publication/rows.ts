// Poll to publication: what the daemon does with an answer that has arrived, against the floor under it.

import type { Row } from '../row.ts'
import { inTurn, type Rounds } from '../side.ts'
import { type Compared, floors } from './floor.ts'
import { startSides } from './sides.ts'

/** Numbers of validators, and how often they are polled: the large ones take seconds. */
const SIZES = [
  { count: 1_500, rounds: { warmUp: 20, pairs: 30 } },
  { count: 20_000, rounds: { warmUp: 5, pairs: 12 } },
  { count: 100_000, rounds: { warmUp: 2, pairs: 5 } },
] as const

/** Runs rounds of ours and of the floor in turn. */
async function polls(collector: Compared, count: number, rounds: Rounds) {
  return inTurn(await startSides(collector, count), rounds)
}

export const publicationRows: readonly Row[] = SIZES.flatMap(({ count, rounds }) =>
  (Object.keys(floors) as Compared[]).map((collector) => ({
    // CPU time of all threads from the bytes of an answer to the last published line: ours / floor.
    name: `poll-${collector}-${count}`,
    target: { most: 2 },
    unit: 'ratio',
    async measure() {
      const pairs = await polls(collector, count, rounds)
      return { runs: pairs.map(([ours, floor]) => ours['cpu']! / floor['cpu']!) }
    },
  })),
)
