// npm run bench: the limits of speed and size, and the guards of CI. The guards fail when work grows with what it must not grow with, and
// never because the machine is busy: they take CPU time, not time, and of many rounds the least. Names of rows, or how they begin,
// select some of them.

import { type Compared, floors } from './bench/floor.ts'
import { limits } from './bench/limits.ts'
import { start } from './bench/process.ts'
import { isMet, quantile, type Row } from './bench/row.ts'

interface Rounds {
  /** Thrown away first. */
  warmUp: number
  pairs: number
}

const HEAD_SIDE = new URL('bench/head-side.ts', import.meta.url)
const POLL_SIDE = new URL('bench/poll-side.ts', import.meta.url)

/** Least CPU time of a poll, ours and the floor's: both run in turn, so that what else the machine does affects both. */
async function leastOfPolls(collector: Compared, count: number, { warmUp, pairs }: Rounds): Promise<[number, number]> {
  const ours = await start(POLL_SIDE, ['ours', collector, count])
  const floor = await start(POLL_SIDE, ['floor', collector, count])
  const least: [number, number] = [Infinity, Infinity]
  for (let pair = 0; pair < warmUp + pairs; pair += 1) {
    const taken = [(await ours.round())['cpu']!, (await floor.round())['cpu']!] as const
    if (pair >= warmUp) taken.forEach((cpu, side) => (least[side] = Math.min(least[side]!, cpu)))
  }
  await Promise.all([ours.end(), floor.end()])
  return least
}

/** How the work grows with its size: 1 when twice the size takes twice as much. */
export function exponent(small: { size: number; value: number }, large: { size: number; value: number }): number {
  return Math.log(large.value / small.value) / Math.log(large.size / small.size)
}

const [FEW, MANY] = [1_000, 16_000]

const guards: readonly Row[] = [
  ...['identity', 'gzip'].map((encoding): Row => ({
    // A scrape whose body is not sent, of an exposition that is there already: with 100,000 series / with 100.
    name: `guard-scrape-${encoding}`,
    target: { most: 2 },
    async measure() {
      const side = await start(HEAD_SIDE, [encoding])
      const { few, many } = await side.round()
      await side.end()
      return [many! / few!]
    },
  })),
  ...(Object.keys(floors) as Compared[]).flatMap((collector): Row[] => [
    {
      // From the bytes of an answer to the last published line: ours / floor.
      name: `guard-poll-${collector}`,
      target: { most: 4 },
      async measure() {
        const [ours, floor] = await leastOfPolls(collector, 1_500, { warmUp: 12, pairs: 10 })
        return [ours / floor]
      },
    },
    {
      // How a poll grows with the number of validators: exponent of ours - exponent of the floor. A quadratic lookup adds 0.5.
      name: `guard-growth-${collector}`,
      target: { most: 0.25 },
      async measure() {
        const few = await leastOfPolls(collector, FEW, { warmUp: 20, pairs: 10 })
        const many = await leastOfPolls(collector, MANY, { warmUp: 3, pairs: 5 })
        const of = (side: 0 | 1) => exponent({ size: FEW, value: few[side] }, { size: MANY, value: many[side] })
        return [of(0) - of(1)]
      },
    },
  ]),
]

const rows = [...guards, ...limits]

async function main(names: readonly string[]): Promise<void> {
  const chosen = rows.filter(({ name }) => names.length === 0 || names.some((one) => name.startsWith(one)))
  if (chosen.length === 0) throw new Error(`no such row; there are ${rows.map(({ name }) => name).join(', ')}`)
  for (const { name, target, measure } of chosen) {
    const runs = await measure()
    const [value, least, most] = [0.5, 0, 1].map((share) => quantile(runs, share).toPrecision(4)) as [
      string,
      string,
      string,
    ]
    const limit = 'most' in target ? `<= ${target.most}` : `>= ${target.least}`
    const verdict = isMet(target, Number(value)) ? 'met' : 'MISSED'
    console.log(
      `${name.padEnd(32)} ${value.padStart(8)}  ${`${least} to ${most}`.padEnd(18)} ${limit.padEnd(8)} ${verdict}`,
    )
    if (verdict === 'MISSED') process.exitCode = 1
  }
}

if (import.meta.main) await main(process.argv.slice(2))
