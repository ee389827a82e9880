// Chains whose blocks come late because validators miss their turns, and draws that no longer fit the blocks.

import { MINUTE } from '../../lib/seconds.ts'
import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { growth } from '../track.ts'
import type { Remembered, View } from '../view.ts'

export const TURNS = 'stakewatch_chain_turns_total'
export const CONTRADICTED = 'stakewatch_chain_draw_contradicted'

export const isContradicted = (chain: View) => chain.value(CONTRADICTED) === 1

const LATELY = 15 * MINUTE

const turnsOfChain: Remembered = {
  name: 'chain_turns',
  of: 'chain',
  for: LATELY,
  every: MINUTE,
  read: (chain) => new Map(chain.all(TURNS).map(({ labels, value }) => [labels['outcome']!, value])),
}

export const blocksLate: Condition = {
  alert: 'StakewatchBlocksLate',
  panel: 'chains: Missed turns',
  severity: 'warning',
  for: 5 * MINUTE,
  quietFor: 'chain',
  reads: [TURNS, turnsOfChain],
  explainedBy: ['chain_stalled'],
  judge: {
    chain(view) {
      if (!view.has(TURNS)) return NOT_APPLICABLE
      const lately = (outcome: string) => growth(view.track(turnsOfChain, outcome), view.now, LATELY) ?? 0
      const [made, missed] = [lately('made'), lately('missed')]
      const { turnsMissedOfChain, turnsMissedLeast } = view.limits
      const share = missed / (made + missed)
      return missed >= turnsMissedLeast && share > turnsMissedOfChain ? problem(share) : OK
    },
  },
  title: '{{ $labels.chain }}: blocks come late',
  summary: 'Blocks of the chain come late, because few of its validators build them.',
  action: 'Find out which of your validators miss their turns on {{ $labels.chain }}.',
  description:
    'In the last 15 minutes {{ humanizePercentage $value }} of the turns to build a block of chain {{ $labels.chain }} on {{ $labels.network }} were missed. Each costs the chain five seconds.',
}

export const drawContradicted: Condition = {
  alert: 'StakewatchDrawContradicted',
  panel: 'chains: Missed turns',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: [CONTRADICTED],
  judge: {
    chain(view) {
      if (!view.has(CONTRADICTED)) return NOT_APPLICABLE
      return isContradicted(view) ? problem(1) : OK
    },
  },
  title: '{{ $labels.chain }}: unexpected builders',
  summary: 'Blocks come from other validators than stakewatch expects.',
  action: 'Check for a newer stakewatch: the rules of the draw may have changed on {{ $labels.network }}.',
  description:
    'Blocks of chain {{ $labels.chain }} on {{ $labels.network }} are built by other validators than the draw of stakewatch says. It accuses no validator of missing its turns on that chain until they fit again.',
}
