// Pages that stay while nothing reports on their problem: only for as long as there is something to report on.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import type { Condition } from '../../src/conditions/condition.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { unexpectedOutflow, walletLow } from '../../src/conditions/wallets/wallets.ts'
import type { Series } from '../../src/metrics/read-exposition.ts'

type Labels = Readonly<Record<string, string>>

const one = (name: string, labels: Labels, value = 1): Series => ({
  name: `stakewatch_${name}`,
  labels: { network: 'fuji', ...labels },
  value,
})

/** Judges one condition at each time with these series, and says what is a problem. */
function judging(condition: Condition) {
  const board = createBoard()
  const judge = createJudge([condition])
  return {
    judge,
    at(now: number, series: readonly Series[]) {
      board.replace('unit', series)
      const { judged, counts } = judge.judge(board, now, thresholds)
      return {
        problems: judged.filter(({ state }) => state === 'problem').length,
        counts: [...(counts.get('fuji')?.values() ?? [])].at(0),
      }
    },
  }
}

const wallet = { address: 'treasury' }
const tracked = one('address_tracked', wallet)

test.each([
  ['min_balance', walletLow, 'address_balance_expectation_met'],
  ['outgoing', unexpectedOutflow, 'address_transactions_expectation_met'],
])('a wallet for which nothing is declared is not judged: %s', (expectation, condition, metric) => {
  const { at } = judging(condition)
  const met = one(metric, { ...wallet, chain: 'c', expectation }, 0)
  const isKnown = one('address_expectation_known', { ...wallet, expectation })
  expect(at(0, [tracked, isKnown, met]).problems).toBe(1)
  expect(at(600, [tracked, isKnown, met]).problems).toBe(1)
  // Nothing reports.
  expect(at(700, [tracked, { ...isKnown, value: 0 }]).problems).toBe(1)
  // A reload: nothing is declared any more.
  expect(at(800, [tracked])).toMatchObject({ problems: 0, counts: { not_applicable: 1, unknown: 0 } })
})
