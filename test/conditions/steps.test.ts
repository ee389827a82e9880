// Where limits of one countdown are set against their order, each object still has one alert of it: the most urgent.

import { expect, test } from 'vitest'
import type { Limits } from '../../src/alerts/limit.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { conditions } from '../../src/conditions/index.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { DAY } from '../../src/lib/seconds.ts'

const NOW = 1_800_000_000
const validator = { network: 'fuji', subnet: 'orchard', node_id: 'NodeID-1', validator: 'val-1' }
const of = (labels: Record<string, string>, some: Record<string, number>) =>
  Object.entries(some).map(([name, value]) => ({ name: `stakewatch_${name}`, labels, value }))

const stakeEnding = (days: number) =>
  of(validator, { validator_tracked: 1, validator_in_set: 1, validator_end_timestamp_seconds: NOW + days * DAY })
const balanceEnding = (days: number) =>
  of(validator, { l1_validator_active: 1, l1_validator_depletion_timestamp_seconds: NOW + days * DAY })
const online = (share: number) => [
  ...of({ network: 'fuji', source: 'a' }, { upstream_up: 1 }),
  ...Object.entries({ connected: 100 * share, total: 100 }).flatMap(([part, l1_weight]) =>
    of({ network: 'fuji', subnet: 'orchard', source: 'a', of: part }, { l1_weight }),
  ),
  ...Object.entries({ now: share - 0.75, greatest_stops: share - 0.85 }).flatMap(([when, l1_liveness_margin]) =>
    of({ network: 'fuji', subnet: 'orchard', source: 'a', threshold: 'blocks', when }, { l1_liveness_margin }),
  ),
]

test.each<[Limits, ReturnType<typeof of>, string]>([
  [{}, stakeEnding(8), 'StakewatchStakeEndPlanned'],
  [{ stakeEndLast: 10 * DAY }, stakeEnding(8), 'StakewatchStakeEndsSoon'],
  [
    { stakeEndPlanned: 3 * DAY },
    [...stakeEnding(6), ...of({ ...validator, within: '7d' }, { validator_delegated_ending_ratio: 1 })],
    'StakewatchStakeEnding',
  ],
  [{}, balanceEnding(8), 'StakewatchL1BalanceLow'],
  [{ runwayLast: 10 * DAY }, balanceEnding(8), 'StakewatchL1BalanceRunningOut'],
  [{}, online(0.77), 'StakewatchL1WeightLow'],
  [{ l1Messages: 0.8 }, online(0.77), 'StakewatchL1MessagesUnsigned'],
  [{ l1Blocks: 0.9 }, online(0.82), 'StakewatchL1Stalled'],
])('%j', (limits, series, alert) => {
  const board = createBoard()
  board.replace('unit', series)
  const { judged } = createJudge(conditions).judge(board, NOW, { ...thresholds, ...limits })
  expect(judged.map(({ condition }) => condition.alert)).toEqual([alert])
})

test('the page about a budget says the limit within which it is used up', () => {
  const board = createBoard()
  const node = { network: 'fuji', source: 'a' }
  board.replace('unit', [
    ...of(node, { upstream_up: 1 }),
    ...of(validator, { validator_tracked: 1, validator_in_set: 1 }),
    ...of({ ...validator, ...node }, { validator_connected: 0, validator_downtime_budget_seconds: 1.5 * DAY }),
  ])
  const { judged } = createJudge(conditions).judge(board, NOW, { ...thresholds, budgetEnding: 2 * DAY })
  const ending = judged.find(({ condition }) => condition.alert === 'StakewatchDowntimeBudgetEnding')
  expect(ending).toMatchObject({ value: 1.5 * DAY, details: { within: '2d' } })
})
