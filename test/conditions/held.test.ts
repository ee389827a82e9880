// Pages that stay while nothing reports on their problem: only for as long as there is something to report on.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { chainStalled } from '../../src/conditions/chains/chains.ts'
import type { Condition } from '../../src/conditions/condition.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { nodeOfOtherNetwork } from '../../src/conditions/nodes/node-health.ts'
import { adminApiExposed } from '../../src/conditions/nodes/node-settings.ts'
import { nodeForked } from '../../src/conditions/nodes/node-progress.ts'
import { subnetChanged } from '../../src/conditions/subnets/subnets.ts'
import { turnsMissed } from '../../src/conditions/validators/turns.ts'
import { upgradeNear, validatorNotUpgraded } from '../../src/conditions/validators/upgrades.ts'
import { validatorRemoved, validatorTampered } from '../../src/conditions/validators/places.ts'
import { unexpectedOutflow, walletLow } from '../../src/conditions/wallets/wallets.ts'
import type { Series } from '../../src/metrics/read-exposition.ts'

type Labels = Readonly<Record<string, string>>

const one = (name: string, labels: Labels, value = 1): Series => ({
  name: `stakewatch_${name}`,
  labels: { network: 'fuji', ...labels },
  value,
})

const runOf = (collector: string, target = '') =>
  one('collector_interval_seconds', { collector, source: '', target }, 60)

/** Judges one condition at each time with these series, and says what is a problem. */
function judging(condition: Condition) {
  const board = createBoard()
  const judge = createJudge([condition])
  const all = (condition.heldBy ?? []).map((collector) => runOf(collector))
  return {
    judge,
    /** `runs`: default: one of each collector for which a problem is held. */
    at(now: number, series: readonly Series[], runs: readonly Series[] = all) {
      board.replace('unit', series)
      board.replace('runs', runs)
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
const chainTracked = one('chain_tracked', { chain: 'c' })

const lists = [
  ['min_balance', walletLow, 'address_balance_expectation_met', runOf('balances', 'treasury:c')],
  ['min_balance', walletLow, 'address_native_balance_expectation_met', runOf('native-balances', 'treasury:c')],
  ['min_balance', walletLow, 'node_address_balance_expectation_met', runOf('node-balances', 'treasury')],
  ['outgoing', unexpectedOutflow, 'address_transactions_expectation_met', runOf('transactions', 'address:treasury:c')],
  ['outgoing', unexpectedOutflow, 'address_erc20_expectation_met', runOf('erc20-transfers', 'treasury:c')],
] as const

test.each(lists)('a page about a chain of a wallet ends when nothing asks for it: %s %#', (...given) => {
  const [expectation, condition, metric, run] = given
  const { at } = judging(condition)
  const known = [tracked, chainTracked, one('address_expectation_known', { ...wallet, expectation })]
  const ofC = one(metric, { ...wallet, chain: 'c', expectation }, 0)
  const ofD = one(metric, { ...wallet, chain: 'd', expectation })
  at(0, [...known, ofC, ofD], [run])
  expect(at(600, [...known, ofC, ofD], [run]).problems).toBe(1)
  expect(at(700, [...known, ofD], [run]).problems).toBe(1)
  const others = [runOf('balances', 'treasury:d'), runOf('transactions', 'address:treasury:d')]
  expect(at(800, [...known, ofD], others)).toMatchObject({ problems: 0, counts: { ok: 1 } })
})

test('a page ends when a reload turns off the collector that reports on it', () => {
  const { at } = judging(adminApiExposed)
  const up = one('upstream_up', { source: 'node-a' })
  const isOpen = one('node_admin_api_reachable', { source: 'node-a' })
  const isOff = one('node_admin_api_expected', { source: 'node-a' }, 0)
  at(0, [up, isOff, isOpen])
  expect(at(600, [up, isOff, isOpen]).problems).toBe(1)
  expect(at(700, [up, isOff]).problems).toBe(1)
  expect(at(800, [up, isOff], [runOf('node-health')]).problems).toBe(0)
})

test.each(lists)(
  'a wallet for which nothing is declared is not judged: %s %#',
  (expectation, condition, metric, run) => {
    const { at } = judging(condition)
    const met = one(metric, { ...wallet, chain: 'c', expectation }, 0)
    const isKnown = one('address_expectation_known', { ...wallet, expectation })
    expect(at(0, [tracked, chainTracked, isKnown, met]).problems).toBe(1)
    expect(at(600, [tracked, chainTracked, isKnown, met]).problems).toBe(1)
    // Nothing reports.
    expect(at(700, [tracked, chainTracked, { ...isKnown, value: 0 }], [run]).problems).toBe(1)
    // A reload: nothing is declared any more.
    expect(at(800, [tracked, chainTracked], [run])).toMatchObject({
      problems: 0,
      counts: { not_applicable: 1, unknown: 0 },
    })
  },
)

test('a page about a validator ends when what it must have is no longer declared', () => {
  const { at } = judging(validatorTampered)
  const labels = { subnet: 'primary', node_id: 'NodeID-1', validator: 'one' }
  const validator = one('validator_tracked', labels)
  const ofOwner = { ...labels, expectation: 'reward_addresses' }
  const isKnown = one('validator_expectation_known', ofOwner)
  const met = one('validator_expectation_met', ofOwner, 0)
  at(0, [validator, isKnown, met])
  expect(at(600, [validator, isKnown, met]).problems).toBe(1)
  expect(at(700, [validator, { ...isKnown, value: 0 }]).problems).toBe(1)
  expect(at(800, [validator])).toMatchObject({ problems: 0, counts: { not_applicable: 1, ok: 0, unknown: 0 } })
  // Another one is declared, and known or not.
  at(900, [validator, isKnown, met])
  at(1_500, [validator, isKnown, met])
  const key = one('validator_expectation_known', { ...labels, expectation: 'bls_public_key' }, 0)
  expect(at(1_600, [validator, key]).problems).toBe(0)
})

const up = one('upstream_up', { source: 'node-a' })
const dataService = one('upstream_requests_total', { source: 'data-api' }, 0)

test.each([
  ['`admin: off`', adminApiExposed, [up], [one('node_admin_api_expected', { source: 'node-a' }, 0)]],
  ['a custom network', nodeOfOtherNetwork, [up, one('node_network_id', { source: 'node-a' }, 12345)], []],
  ['no data service to compare with', nodeForked, [up], [dataService]],
])('what can never be known of a node is not unknown: %s', (_, condition, never, toBeKnown) => {
  expect(judging(condition).at(0, never)).toMatchObject({ counts: { unknown: 0 } })
  const { counts } = judging(condition).at(0, [up, ...toBeKnown])
  expect(counts).toMatchObject({ unknown: 1 })
})

test('a fork is no longer a page when its chain is no longer watched', () => {
  const { at } = judging(nodeForked)
  const chains = ['c', 'd'].map((chain) => one('chain_tracked', { chain }))
  const canonical = (chain: string, value: number) => one('node_on_canonical_chain', { chain, source: 'node-a' }, value)
  at(0, [up, dataService, ...chains, canonical('c', 0), canonical('d', 1)])
  expect(at(600, [up, dataService, ...chains, canonical('c', 0), canonical('d', 1)]).problems).toBe(1)
  expect(at(700, [up, dataService, ...chains, canonical('d', 1)]).problems).toBe(1)
  expect(at(800, [up, dataService, chains[1]!, canonical('d', 1)]).problems).toBe(0)
})

test('a fork is no longer a page when its chain, the only one of the node, is no longer watched', () => {
  const { at } = judging(nodeForked)
  const chain = one('chain_tracked', { chain: 'c' })
  const forked = one('node_on_canonical_chain', { chain: 'c', source: 'node-a' }, 0)
  at(0, [up, dataService, chain, forked])
  expect(at(600, [up, dataService, chain, forked]).problems).toBe(1)
  expect(at(700, [up, dataService, chain]).problems).toBe(1)
  expect(at(800, [up, dataService]).problems).toBe(0)
})

test('a fork is no longer a page when there is no data service to compare with any more', () => {
  const { at } = judging(nodeForked)
  const forked = one('node_on_canonical_chain', { chain: 'c', source: 'node-a' }, 0)
  at(0, [up, dataService, chainTracked, forked])
  expect(at(600, [up, dataService, chainTracked, forked]).problems).toBe(1)
  expect(at(700, [up, dataService, chainTracked]).problems).toBe(1)
  expect(at(800, [up, chainTracked]).problems).toBe(0)
})

test('a stall stays while no source that counts reports a block', () => {
  const { at } = judging(chainStalled)
  const chain = { chain: 'c' }
  const source = { source: 'node-a' }
  const ofChain = [one('chain_tracked', chain), one('chain_stall_threshold_seconds', chain, 60)]
  const run = { collector: 'evm-node-heads', target: 'c', ...source }
  const seen = (up: number) => [
    ...ofChain,
    one('upstream_up', source, up),
    one('collector_last_success_timestamp_seconds', run, 600),
    one('node_evm_head_timestamp_seconds', { ...chain, ...source }, 100),
  ]
  at(600, seen(1))
  expect(at(900, seen(1)).problems).toBe(1)
  // The node does not answer, and its last reports have not expired.
  at(910, seen(0))
  expect(at(1_300, seen(0)).problems).toBe(1)
})

test('what a condition remembers of an object outlasts a restart until the object is polled', () => {
  const changes = one('subnet_changes_total', { subnet: 'grove', what: 'owner' })
  const before = judging(subnetChanged)
  before.at(0, [{ ...changes, value: 0 }])
  expect(before.at(60, [changes]).problems).toBe(1)
  const after = judging(subnetChanged)
  after.judge.resume({ problems: before.judge.problems(), tracks: before.judge.tracks() })
  expect(after.at(70, []).problems).toBe(1)
  expect(after.at(80, [changes]).problems).toBe(1)
  expect(after.at(300, [changes]).problems).toBe(1)
  expect(after.at(60 + 3_700, [changes]).problems).toBe(0)
})

test('what a condition remembers of an object outlasts the samples of the object, as after a suspend, for as long as it counts', () => {
  const changes = one('subnet_changes_total', { subnet: 'grove', what: 'owner' })
  const { at, judge } = judging(subnetChanged)
  at(0, [{ ...changes, value: 0 }])
  expect(at(60, [changes]).problems).toBe(1)
  at(1_000, [])
  expect(at(1_010, [changes]).problems).toBe(1)
  at(1_020, [])
  expect(Object.keys(judge.tracks()['subnet_changes']!)).toHaveLength(1)
  at(1_020 + 3_601, [])
  expect(judge.tracks()['subnet_changes']).toEqual({})
})

test('a removal outlasts a restart, while the validator is known and its renewals are not', () => {
  const labels = { subnet: 'primary', node_id: 'NodeID-1', validator: 'one' }
  const validator = one('validator_tracked', labels)
  const renewals = one('validator_renewals_total', { ...labels, outcome: 'removed' })
  const before = judging(validatorRemoved)
  before.at(0, [validator, { ...renewals, value: 0 }])
  expect(before.at(60, [validator, renewals]).problems).toBe(1)
  const after = judging(validatorRemoved)
  after.judge.resume({ problems: before.judge.problems(), tracks: before.judge.tracks() })
  expect(after.at(70, [validator]).problems).toBe(1)
  expect(after.at(80, [validator, renewals]).problems).toBe(1)
})

test('a problem is not unknown since a time that is to come, after the clock was set back', () => {
  const board = createBoard()
  const judge = createJudge([chainStalled])
  const chain = { chain: 'c' }
  const ofChain = [one('chain_tracked', chain), one('chain_stall_threshold_seconds', chain, 60)]
  const list = one('evm_head_timestamp_seconds', chain, 100)
  const run = one('collector_last_success_timestamp_seconds', { collector: 'evm-blocks', target: 'c', source: '' }, 600)
  const at = (now: number, series: readonly Series[]) => {
    board.replace('unit', [...series, run])
    return judge.judge(board, now, thresholds).judged.map(({ since, unknownSince }) => [since, unknownSince])
  }
  at(600, [...ofChain, list])
  expect(at(800, [...ofChain, list])).toEqual([[600, undefined]])
  expect(at(9_000, ofChain)).toEqual([[600, 9_000]])
  expect(at(500, ofChain)).toEqual([[500, 500]])
})

const validatorOne = { subnet: 'primary', node_id: 'NodeID-1', validator: 'one' }
const chainC = one('chain_tracked', { chain: 'c' })

test.each([
  ['the chain is no longer watched', []],
  [
    'no node has an index any more: the data service lists the blocks',
    [chainC, one('chain_turns_total', { chain: 'c', outcome: 'made' })],
  ],
])('a page about missed turns ends when nothing can report on them: %s', (_, series) => {
  const { at } = judging(turnsMissed)
  const tracked = one('validator_tracked', validatorOne)
  const turns = ['made', 'missed'].map((outcome) => one('chain_turns_total', { chain: 'c', outcome }))
  const missed = one('validator_turns_missed_in_row', { ...validatorOne, chain: 'c' }, 99)
  at(0, [tracked, chainC, ...turns, missed])
  expect(at(600, [tracked, chainC, ...turns, missed]).problems).toBe(1)
  expect(at(700, [tracked, chainC]).problems).toBe(1)
  expect(at(710, [tracked, chainC, ...turns]).problems).toBe(1)
  expect(at(800, [tracked, ...series]).problems).toBe(0)
})

const source = { source: 'node-a' }
const late = { subnet: 'primary', node_id: 'NodeID-1', validator: 'one' }
const upgrades = (activation: number, validatorReady: number) => [
  one('upstream_up', source),
  one('node_upgrade_ready', source, 0),
  one('node_upgrade_timestamp_seconds', { ...source, upgrade: 'helicon' }, activation),
  one('validator_tracked', late),
  one('validator_upgrade_ready', { ...late, ...source }, validatorReady),
]
const share = one('node_peers_upgrade_ready_ratio', source, 0.9)

test.each([
  ['a node', 1],
  ['a node and a validator', 0],
])('an upgrade that is near stays a problem of %s while the share that is ready is unknown', (_, validatorReady) => {
  const { at } = judging(upgradeNear)
  at(0, [...upgrades(9_000, validatorReady), share])
  const { problems } = at(600, [...upgrades(9_000, validatorReady), share])
  expect(problems).toBe(2 - validatorReady)
  expect(at(700, upgrades(9_000, validatorReady)).problems).toBe(problems)
  expect(at(800, [...upgrades(9_000, validatorReady), { ...share, value: 0.1 }]).problems).toBe(0)
})

test('a restart keeps since when a validator has lacked the next upgrade', () => {
  const before = judging(validatorNotUpgraded)
  expect(before.at(0, [...upgrades(900_000, 0), share]).problems).toBe(1)
  const after = judging(validatorNotUpgraded)
  after.judge.resume({ problems: before.judge.problems(), tracks: before.judge.tracks() })
  expect(after.at(1_000, [one('validator_tracked', late)]).problems).toBe(1)
  expect(after.at(1_010, [...upgrades(900_000, 0), share]).problems).toBe(1)
  const { since } = Object.values(Object.values(after.judge.problems())[0]!)[0]!
  expect(since).toBe(0)
  expect(after.at(1_020, [...upgrades(900_000, 0), { ...share, value: 0.1 }]).problems).toBe(0)
})
