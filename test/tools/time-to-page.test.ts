// How soon alerts are sent, and that the incidents hold them to it.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { incidents, long } from '../../tools/incidents/scripts/index.ts'
import { firesWithin, sentWithin } from '../../tools/time-to-page.ts'

const rules = new Map(groupsOf().flatMap((group) => group.rules.map((rule) => [rule.alert, rule] as const)))
const MINUTE = 60

// 10 s for the judge, 30 s each for scrape, evaluation and group; the intervals are those of docs/metrics.md, the waits those of docs/alerting.md.
test.each([
  ['StakewatchValidatorDisconnected', 'uptime 1m, for 5m', [460, 460]],
  ['StakewatchWalletLow', 'native-balances 5m, balances 15m, for 5m', [700, 1_300]],
  ['StakewatchUnexpectedOutflow', 'erc20-transfers 5m, transactions 15m, at once', [400, 1_000]],
  ['StakewatchCredentialsRejected', 'requests to nodes 1m, for 5m', [460, 460]],
  ['StakewatchDown', 'no poll, for 3m', [270, 270]],
  ['StakewatchStakeEndPlanned', 'not sent', undefined],
  ['StakewatchWatchdog', 'not sent when something happens', undefined],
])('%s: %s', (alert, _, times) => {
  expect(sentWithin(rules.get(alert)!)).toEqual(times)
})

/** Alerts that an incident may expect later: their condition takes time to become true, after what happens. */
const LATER: Readonly<Record<string, string>> = {
  StakewatchBlocksLate: 'late blocks have to add up first',
  StakewatchBudgetExhausted: 'the budget has to be used up first',
  StakewatchDrawContradicted: 'a few blocks have to come first',
  StakewatchStorageFailing: 'a disk hangs for a minute before it counts as failing',
  StakewatchValidatorSilent: 'blocks have to be due first',
  StakewatchCollectorFailing: 'it has to fail for three intervals first',
  StakewatchL1PriceRising: 'the price rises step by step',
  StakewatchNodesUnsteady: 'outages have to add up first',
  StakewatchOwnNodeUnsteady: 'outages have to add up first',
  StakewatchRewardOverdue: 'the incident has a sample in a quarter of an hour',
  StakewatchSignaturesMissing: 'the incident has a sample in five minutes',
  StakewatchUpstreamUnsteady: 'outages have to add up first',
  StakewatchValidatorFlapping: 'outages have to add up first',
  StakewatchValidatorUnsteady: 'outages have to add up first',
}

describe('an incident', () => {
  const expected = [...incidents, ...long].flatMap(({ name, alerts }) => alerts.map((one) => ({ name, ...one })))
  /** A minute later than computed, as the play has a sample in a minute. */
  const isLate = ({ alert, within }: (typeof expected)[number]) =>
    within !== undefined && within * MINUTE > firesWithin(rules.get(alert)!)[1] + MINUTE

  test('expects no alert later than it should fire', () => {
    const late = expected.filter((one) => isLate(one) && !(one.alert in LATER))
    expect(late.map(({ name, alert, within }) => `${alert} within ${within}: ${name}`)).toEqual([])
  })

  test('needs each of the exceptions', () => {
    const needed = new Set(expected.filter(isLate).map(({ alert }) => alert))
    expect(Object.keys(LATER).filter((alert) => !needed.has(alert))).toEqual([])
  })
})
