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
})
