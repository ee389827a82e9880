// What the ranks of an account get of what it allows. Expected numbers are worked out by hand.

import { expect, test } from 'vitest'
import { latenessOf } from '../../src/budget/accounts.ts'
import { type Need, noReview, reviewed } from '../../src/budget/review.ts'
import { balances } from '../../src/collectors/wallets/balances.ts'
import { erc20Transfers } from '../../src/collectors/wallets/erc20-transfers.ts'
import { nativeBalances } from '../../src/collectors/wallets/native-balances.ts'
import { transactions } from '../../src/collectors/wallets/transactions.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'

const clock = createVirtualClock()
const ONCE_A_MINUTE = { runsPerDay: 1_440 } as Task['settings']

/** One task of each rank, once a minute. */
function reviewOf(allowed: number, units: { first: number; reserved: number; essential: number; other: number }) {
  const collectors = {
    first: { isReserved: true, isFirst: () => true },
    reserved: { isReserved: true, isFirst: () => false },
    essential: { isEssential: true },
    other: {},
  }
  const needs = Object.entries(collectors).map(([rank, collector]): [string, Need] => [
    rank,
    {
      task: { collector: collector as Task['collector'], subject: {}, settings: ONCE_A_MINUTE } as Task,
      units: units[rank as keyof typeof units],
    },
  ])
  return reviewed({ account: { allowed: () => allowed }, needs: new Map(needs), review: noReview() }, clock)
}

const needs = { first: 10, reserved: 20, essential: 30, other: 40 }

test.each<[string, number, typeof needs, Record<keyof typeof needs, number>]>([
  ['all that is needed', 100, needs, { first: 1, reserved: 1, essential: 1, other: 1 }],
  // 100 - 10 - 20 - 30 are left: 38 less than is needed is the last rank's.
  ['a little less', 80, needs, { first: 1, reserved: 1, essential: 1, other: 2 }],
  // Of 20 the first need 10; of the other 10 the reserved get 9, and of 1 the essential 0.9, a thirty-third.
  ['a fifth', 20, needs, { first: 1, reserved: 20 / 9, essential: 16, other: 16 }],
  // Nine tenths of it.
  ['less than the first need', 5, needs, { first: 10 / 4.5, reserved: 16, essential: 16, other: 16 }],
  [
    'nothing to leave to others',
    10,
    { ...needs, reserved: 0, essential: 0, other: 0 },
    { first: 1, reserved: 1, essential: 1, other: 1 },
  ],
])('intervals with %s', (_, allowed, units, expected) => {
  const { stretch } = reviewOf(allowed, units)
  for (const rank of Object.keys(expected) as (keyof typeof needs)[]) {
    expect([rank, stretch[rank]]).toEqual([rank, expect.closeTo(expected[rank])])
  }
})

test('each rank leaves what the reserved ones before it need, or get', () => {
  const { kept } = reviewOf(20, needs)
  const reserved = { round: 30, day: expect.closeTo((10 + 9) * 1_440) }
  expect(kept).toEqual({
    first: { round: 0, day: 0 },
    reserved: { round: 10, day: 14_400 },
    essential: reserved,
    other: reserved,
  })
})

test('ranks without a task are not reported', () => {
  expect(reviewOf(100, { ...needs, reserved: 0 }).ranks).toEqual(['first', 'essential', 'other'])
})

const tasksWith = (budget: string) =>
  plan(
    configFrom(`
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1", network: fuji${budget} }
    chains: [{ id: c-chain, evm_chain_id: 43113 }]
    addresses:
      - { name: still, addresses: [P-fuji1v2zq3r2msm9pcxyeg8z2en0u4gl6upf2rmff3h], expect: { outgoing: none } }
      - { name: payer, addresses: ["0x00000000000000000000000000000000000000aa"], chains: [c-chain], min_balance: 1 }
      - { name: watched, addresses: ["0x00000000000000000000000000000000000000bb"], chains: [c-chain] }
`),
    [balances, erc20Transfers, nativeBalances, transactions],
  )

test('what an alert about money pages for comes first, by its subject', () => {
  const first = tasksWith('').filter(({ collector, subject }) => collector.isFirst?.(subject))
  expect(first.map(({ key }) => key)).toEqual([
    'native-balances/fuji/payer:c-chain',
    'transactions/fuji/address:still:p-chain',
  ])
})

test.each([
  ['without a budget', '', '15m'],
  ['with one that does', ', budget: { per_day: 100000 }', '15m'],
  // Of 7,200 a day 480 are for a start, which leaves 4.667 a minute, of which 4.2 are for what comes first: 100 for
  // transactions in 15 minutes and 20 for a balance in 5 are 10.667 a minute, 2.54 times as much.
  ['with one that is too small', ', budget: { per_day: 7200 }', '38m6s, as the budget does not allow every 15m'],
])('how late a drained wallet is noticed %s', (_, budget, expected) => {
  expect(latenessOf(tasksWith(budget), clock)).toEqual([`fuji  a drained wallet is noticed after up to ${expected}`])
})
