// What happens on the L1 that is not left alone, as transactions and as what they do.

import { describe, expect, test } from 'vitest'
import { createWorld } from '../../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const DAY = 86_400
const start = () => createWorld({ seed: 1, epoch: EPOCH, validators: 20, delegations: 30, observers: 2 })
const ofL1s = (world: ReturnType<typeof start>) =>
  [...world.ledger.transactions('P')].filter(({ facts }) => facts.l1Validators !== undefined).toReversed()
const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n)
const FEE = 1_000_000n

describe('over three days', () => {
  const world = start()
  world.advance(EPOCH + 3 * DAY)
  const transactions = ofL1s(world)

  test('every kind of change happens, and what is paid in and out adds up', () => {
    expect(new Set(transactions.map(({ type }) => type))).toEqual(
      new Set([
        'ConvertSubnetToL1Tx',
        'RegisterL1ValidatorTx',
        'SetL1ValidatorWeightTx',
        'IncreaseL1ValidatorBalanceTx',
        'DisableL1ValidatorTx',
      ]),
    )
    for (const { consumed, emitted, facts } of transactions) {
      const changes = facts.l1Validators!.map(({ balanceChange }) => BigInt(balanceChange!))
      // What goes into a balance is burned, what is left of one comes back.
      const burned = sum(consumed.map(({ amount }) => amount)) - sum(emitted.map(({ amount }) => amount))
      expect(burned).toBe(FEE + sum(changes))
    }
  })

  test('each validator is there from its registration until its weight is 0', () => {
    const reported = transactions.flatMap(({ type, facts }) => facts.l1Validators!.map((fact) => ({ type, ...fact })))
    const historyOf = Map.groupBy(reported, ({ validationId }) => validationId)
    const firsts = Map.groupBy(historyOf.values(), ([first]) => first!.type)
    // Eight, five, four and four are there from the beginning.
    expect([...firsts].map(([type, { length }]) => [type, length])).toEqual([
      ['ConvertSubnetToL1Tx', 21],
      ['RegisterL1ValidatorTx', expect.any(Number)],
    ])
    expect(firsts.get('RegisterL1ValidatorTx')!.length).toBeGreaterThan(5)
    for (const [validationId, history] of historyOf) {
      expect(world.l1s.find(validationId) !== undefined).toBe(history.at(-1)!.weight > 0n)
    }
  })

  test('each validator starts with the block that made it one', () => {
    const since = new Map<string, number>()
    for (const { time, facts } of transactions) {
      for (const { validationId } of facts.l1Validators!) {
        if (!since.has(validationId)) since.set(validationId, time)
      }
    }
    const members = world.l1s.all.flatMap(({ validators }) => validators)
    expect(members.length).toBeGreaterThan(20)
    expect(members.map(({ start }) => start)).toEqual(members.map(({ validationId }) => since.get(validationId)))
  })
})

test('a top-up costs what it adds, from the next block on', () => {
  const world = start()
  const { validationId } = world.l1s.all[2]!.validators[3]!
  const before = ofL1s(world).length
  world.take({ kind: 'top-up', validationId, amount: 7_000_000_000 })
  const due = world.chains.P.due()
  const owed = world.l1s.balance(world.l1s.find(validationId)!, due)
  world.advance(due)
  const [paid] = ofL1s(world).slice(before)
  expect(paid).toMatchObject({ type: 'IncreaseL1ValidatorBalanceTx', time: due })
  expect(paid!.facts.l1Validators).toEqual([
    expect.objectContaining({ validationId, remainingBalance: owed + 7_000_000_000, balanceChange: 7_000_000_000 }),
  ])
  expect(world.l1s.balance(world.l1s.find(validationId)!, due)).toBe(owed + 7_000_000_000)
})
