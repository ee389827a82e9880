// The instances of stakewatch in a history: each judges its own series, and remembers what it saw.

import { expect, test } from 'vitest'
import { type Thresholds, thresholds } from '../../../src/alerts/thresholds.ts'
import { createReplicas, type Verdict } from '../../../src/commands/backtest/replicas.ts'
import type { Series } from '../../../src/metrics/read-exposition.ts'

const BALANCE = 'stakewatch_address_balance_expectation_met'
const TRACKED = 'stakewatch_address_tracked'
const DECLARED = 'stakewatch_address_expectation_known'
const WEIGHT = 'stakewatch_subnet_weight'
const RUN = 'stakewatch_collector_interval_seconds'
const FUJI = { job: 'stakewatch', network: 'fuji' }

const met = (instance: string, address: string, value: number, more = {}): Series => ({
  name: BALANCE,
  labels: { ...FUJI, instance, address, chain: 'P', expectation: 'min_balance', ...more },
  value,
})
const low = (instance: string, address: string, more = {}) => ({
  ...FUJI,
  instance,
  address,
  chain: 'P',
  expectation: 'min_balance',
  condition: 'wallet_low',
  ...more,
})

const created = (sets: readonly Thresholds[] = [thresholds]) => createReplicas(sets)
const labelsIn = (verdicts: readonly Verdict[]) => verdicts.map(({ condition, labels }) => ({ ...labels, condition }))

test('replicas are judged apart, and their verdicts have the labels of their targets', () => {
  const replicas = created()
  replicas.take(BALANCE, [met('a', 'vault', 0, { pod: 'x-0' }), met('b', 'vault', 1), met('b', 'purse', 0)])
  const [verdicts] = replicas.verdicts(0)
  expect(labelsIn(verdicts!)).toMatchObject([low('a', 'vault', { pod: 'x-0' }), low('b', 'purse')])
})

test('samples hold until others of the metric come, also of an instance that has none among them', () => {
  const replicas = created()
  replicas.take(BALANCE, [met('a', 'vault', 0), met('b', 'vault', 0)])
  expect(replicas.verdicts(0)[0]).toHaveLength(2)
  expect(replicas.verdicts(60)[0]).toHaveLength(2)
  replicas.take(BALANCE, [met('b', 'vault', 0)])
  expect(labelsIn(replicas.verdicts(120)[0]!)).toMatchObject([low('b', 'vault')])
})

test('what an instance remembers outlives a time without its series, but not a new beginning', () => {
  const replicas = created()
  const labels = { ...FUJI, instance: 'a', address: 'vault' }
  const configured = (isThere: boolean) => {
    const declared = { labels: { ...labels, expectation: 'min_balance' }, value: 1 }
    replicas.take(TRACKED, isThere ? [{ labels, value: 1 }] : [])
    replicas.take(DECLARED, isThere ? [declared] : [])
    const run = { ...FUJI, instance: 'a', collector: 'balances', source: '', target: 'vault:P' }
    replicas.take(RUN, isThere ? [{ labels: run, value: 600 }] : [])
  }
  configured(true)
  replicas.take(BALANCE, [met('a', 'vault', 0)])
  for (const now of [0, 300]) replicas.verdicts(now)
  configured(false)
  replicas.take(BALANCE, [])
  expect(replicas.verdicts(360)).toEqual([[]])
  // The page is held while nothing reports on the wallet.
  configured(true)
  expect(labelsIn(replicas.verdicts(420)[0]!)).toContainEqual(expect.objectContaining(low('a', 'vault')))
  replicas.clear()
  configured(true)
  expect(labelsIn(replicas.verdicts(480)[0]!)).not.toContainEqual(expect.objectContaining(low('a', 'vault')))
})

test('each set of limits has a judge of its own', () => {
  const replicas = created([thresholds, { ...thresholds, l1Blocks: 0.69 }])
  const labels = { ...FUJI, instance: 'a', subnet: 'orchard' }
  const weight = (state: string, value: number) => ({ name: WEIGHT, labels: { ...labels, state }, value })
  replicas.take(WEIGHT, [weight('active', 70), weight('inactive', 30)])
  const stalled = replicas.verdicts(0).map((verdicts) => labelsIn(verdicts).map(({ condition }) => condition))
  expect(stalled[0]).toContain('l1_stalled')
  expect(stalled[1]).not.toContain('l1_stalled')
})
