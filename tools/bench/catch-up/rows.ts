// Catching up: how fast a collector counts a long list, against a bare loop over the same pages.

import { start } from '../process.ts'
import type { Row } from '../row.ts'
import { inTurn } from '../side.ts'
import { BATCH, type Kind, lists } from './items.ts'

const SIDE = new URL('side.ts', import.meta.url)
/** The first round of a collector puts its cursor on the newest item and counts nothing. */
const rounds = { warmUp: 3, pairs: 20 }

async function caughtUp(kind: Kind) {
  const service = await start(new URL('service.ts', import.meta.url), [kind])
  const url = service.said['url']!
  const sides = [await start(SIDE, ['ours', kind, url]), await start(SIDE, ['bare', kind, url])] as const
  const pages: number[] = []
  const pairs = await inTurn(sides, rounds, {
    beforePair: async () => void (await service.ask('advance')),
    afterRound: async () => void pages.push((await service.ask('served'))['pages']!),
  })
  await service.end()
  if (pairs.some(([ours]) => ours['items'] !== BATCH))
    throw new Error(`the collector of ${kind} did not count all items`)
  // Whose work is smaller must not be because it read less.
  const after = pages.slice(2 * rounds.warmUp)
  if (new Set(after).size !== 1)
    throw new Error(`the sides of ${kind} read different numbers of pages: ${after.join()}`)
  return pairs
}

export const catchUpRows: readonly Row[] = (Object.keys(lists) as Kind[]).map((kind) => ({
  // Items per second, 100,000 items in runs of 5,000: ours / a bare loop that asks for the same pages and parses them.
  name: `catch-up-${kind}`,
  target: { least: 0.8 },
  unit: 'ratio',
  async measure() {
    const pairs = await caughtUp(kind)
    return { runs: pairs.map(([ours, bare]) => bare['milliseconds']! / ours['milliseconds']!) }
  },
}))
