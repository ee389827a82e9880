// What a replay holds: the last verdicts of an instance that does not answer, and none of before a gap in the history.

import { expect, test } from 'vitest'
import { JOB } from '../../../src/alerts/groups.ts'
import { thresholds } from '../../../src/alerts/thresholds.ts'
import type { Tracks } from '../../../src/commands/backtest/read-history.ts'
import { createReplay, FIRED, planOf } from '../../../src/commands/backtest/replay.ts'

const PRESENT = 'present'
const TARGET = { job: JOB, instance: 'a:19650' }
const BALANCE = 'stakewatch_address_balance_expectation_met'
const LOW = { ...TARGET, network: 'fuji', address: 'vault', chain: 'P', expectation: 'min_balance' }

const track = (labels: Record<string, string>, value: number, from: number, to: number): Tracks =>
  new Map([['one', { name: '', labels, runs: [{ from, to, value }] }]])

/** A wallet is low for an hour. Then the instance is down, from this minute to the end of the second hour. */
function pagesWith(downFrom: number, isPresent: Tracks, others: Tracks = new Map()) {
  const plan = planOf(JOB, [thresholds])
  const replay = createReplay(plan, PRESENT, 60)
  const tracks = new Map([
    [PRESENT, isPresent],
    [plan.judged.get(BALANCE)!, new Map([...track(LOW, 0, 0, 59), ...others])],
    [plan.down, track(TARGET, 0, downFrom, 119)],
  ])
  replay.take({ from: 0, to: 119, tracks })
  const [would] = replay.outcome().would
  return would!
    .filter(({ labels }) => labels['alertname'] === 'StakewatchWalletLow')
    .map(({ from, to }) => ({ isFirst: from < 60, to }))
}

test('an alert goes on while the instance that fired it does not answer', () => {
  expect(pagesWith(60, track({}, 1, 0, 119))).toEqual([{ isFirst: true, to: 119 }])
})

test('what was before a gap in the history does not fire after it', () => {
  const both = new Map([
    ...track({}, 1, 0, 59),
    ['two', { name: '', labels: {}, runs: [{ from: 90, to: 119, value: 1 }] }],
  ])
  expect(pagesWith(90, both)).toEqual([{ isFirst: true, to: 59 }])
})

test('what another replica has seen end does not go on while the instance that fired it does not answer', () => {
  const other = { ...LOW, instance: 'b:19650' }
  const runs = [
    { from: 0, to: 79, value: 0 },
    { from: 80, to: 119, value: 1 },
  ]
  const [page] = pagesWith(60, track({}, 1, 0, 119), new Map([['two', { name: '', labels: other, runs }]]))
  expect(page!.to).toBeLessThan(100)
})

test('what fired of another job is not what this one did, or would have done', () => {
  const plan = planOf(JOB, [thresholds])
  const replay = createReplay(plan, PRESENT, 60)
  const [missing] = [...plan.asked].filter((expression) => expression.includes('shard_ordinal'))
  const fired = [{ job: 'stakewatch-test' }, { job: JOB }, {}].flatMap((job, at) => {
    const labels = { alertname: 'StakewatchWalletLow', alertstate: 'firing', severity: 'critical', ...job }
    return [...track(labels, 1, 0, 9).values()].map((one) => [String(at), one] as const)
  })
  const tracks = new Map<string, Tracks>([
    [PRESENT, track({}, 1, 0, 99)],
    [FIRED, new Map(fired)],
    [missing!, track({ job: 'stakewatch-test', shard_ordinal: '0' }, 1, 0, 99)],
  ])
  replay.take({ from: 0, to: 99, tracks })
  expect(replay.outcome().would).toEqual([[]])
  expect(replay.outcome().did.map(({ labels }) => labels['job'])).toEqual([JOB, undefined])
})
