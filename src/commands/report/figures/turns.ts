// What became of the turns of a validator to build blocks, chain by chain.

import type { Labels } from '../../../lib/label-text.ts'
import type { Answers } from '../ask.ts'
import { HOUR, type Month } from '../month.ts'
import { countsBy, totalOf } from './counts.ts'
import type { TurnsReport } from './report-value.ts'
import { type Answer, having, knownOf, timeOf } from './series.ts'

export function turnsOf({ turns, turnGaps }: Answers, labels: Labels, month: Month): TurnsReport[] {
  const own = { ...turns, series: having(turns, labels) }
  const counts = countsBy(own, month, ['chain', 'outcome'])
  const chains = [...new Set(counts.map((one) => one.labels['chain'] ?? ''))].toSorted()
  const { network = '' } = labels
  return chains.flatMap((chain) => {
    const since = firstOf({ ...own, series: having(own, { chain }) }, month)
    if (since === undefined) return []
    const count = (outcome: string) =>
      having({ series: counts }, { chain, outcome }).map(({ rises }) => totalOf(rises))[0]
    const ofChain = { ...turnGaps, series: having(turnGaps, { network, chain }) }
    const [gaps] = countsBy(ofChain, month, ['chain']).map(({ rises }) => totalOf(rises))
    return [{ chain, made: count('made'), missed: count('missed'), unknown: count('unknown'), since, gaps }]
  })
}

/** When counting began: the start of the month if it had begun before. Undefined if nothing was counted in the month. */
function firstOf({ grid, series }: Answer, month: Month): number | undefined {
  if (series.every((one) => knownOf(one, grid, month).length === 0)) return undefined
  const firsts = series.map(({ values }) => values.findIndex((value) => !Number.isNaN(value))).filter((at) => at >= 0)
  const first = timeOf(grid, Math.min(...firsts))
  // What runs from the start has its first sample after the first poll.
  return first < month.start + HOUR ? month.start : first
}
