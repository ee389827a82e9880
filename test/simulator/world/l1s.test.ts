// L1 validators on their own, to the second: what they pay is worked out by hand, as the price is the least one.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createL1s, type L1sOptions } from '../../../src/simulator/world/l1s.ts'

const BEGIN = 1_000_000_000
const PRICE = 512
const DAY = 86_400

function started(change: Partial<L1sOptions> = {}) {
  const l1s = createL1s({
    seed: 7,
    begin: BEGIN,
    others: 100,
    target: 10_000,
    excessConstant: 1_246_488_515,
    minPrice: PRICE,
    ...change,
  })
  const [first, second] = l1s.all[2]!.validators
  const active = () => l1s.market.at(BEGIN + 10 * DAY).active
  return { l1s, first: first!, second: second!, active }
}

/** Its balance lasts 0.02 days. */
const LASTS = 1_728

describe('a balance', () => {
  test('pays for every second and is used up with the last that it can pay', () => {
    const { l1s, first, active } = started()
    const { weight } = first
    const balances = [0, 1, LASTS - 1, LASTS, LASTS + 1].map((second) => {
      l1s.settle(BEGIN + second)
      return l1s.balance(first, BEGIN + second)
    })
    expect(balances).toEqual([LASTS * PRICE, (LASTS - 1) * PRICE, PRICE, 0, 0])
    expect(first).toMatchObject({ inactiveSince: BEGIN + LASTS, weight })
    // All 21 were active, and 100 others.
    expect(active()).toBe(120)
    expect(l1s.balance(first, BEGIN + 1)).toBe((LASTS - 1) * PRICE)
  })

  test('begins again with a top-up after its end', () => {
    const { l1s, first, active } = started()
    l1s.topUp(first.validationId, 10 * PRICE, BEGIN + 2_000)
    expect(first.inactiveSince).toBeUndefined()
    expect(active()).toBe(121)
    expect([2_000, 2_003].map((second) => l1s.balance(first, BEGIN + second))).toEqual([10 * PRICE, 7 * PRICE])
    l1s.settle(BEGIN + 3_000)
    expect(first.inactiveSince).toBe(BEGIN + 2_010)
    expect(active()).toBe(120)
  })
})

test('others that join make everybody pay more as soon as the target is passed, and those that leave do not', () => {
  // 21 and 3 others are the target: the price stays. One more, and each second multiplies it by e.
  const { l1s } = started({ others: 3, target: 24, excessConstant: 1 })
  const costs = (from: number) => l1s.market.at(BEGIN + from + 1).accrued - l1s.market.at(BEGIN + from).accrued
  expect(costs(0)).toBe(PRICE)
  l1s.join(1, BEGIN + 10)
  expect([9, 10, 11].map(costs)).toEqual([PRICE, Math.floor(PRICE * Math.E), Math.floor(PRICE * Math.E ** 2)])
  l1s.join(-1, BEGIN + 12)
  expect([12, 100].map(costs)).toEqual([11, 11].map(() => Math.floor(PRICE * Math.E ** 2)))
})

describe('one way and another', () => {
  const time = fc.integer({ min: 0, max: 8_000 })
  const event = fc.oneof(
    fc.record({ at: time, join: fc.integer({ min: -3, max: 5 }) }),
    fc.record({ at: time, topUp: fc.integer({ min: 0, max: 20 }), amount: fc.integer({ min: 1, max: 300_000 }) }),
  )

  test('any number of looks on the way leads to the same end, and no balance is ever negative or a fraction', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.array(time, { maxLength: 20 }), (events, looks) => {
        const run = (lookedAt: readonly number[]) => {
          const { l1s } = started({ others: 3, target: 19, excessConstant: 20_000 })
          const all = l1s.all.flatMap(({ validators }) => validators)
          const happen = events.map((event) => ({ at: event.at, event }))
          const look = lookedAt.map((at) => ({ at, event: undefined }))
          for (const { at, event } of [...happen, ...look].toSorted((a, b) => a.at - b.at)) {
            const now = BEGIN + at
            if (!event) l1s.settle(now)
            else if ('join' in event) l1s.join(event.join, now)
            else l1s.topUp(all[event.topUp]!.validationId, event.amount, now)
            if (event) continue
            const balances = all.map((one) => l1s.balance(one, now))
            expect(balances.every((balance) => Number.isSafeInteger(balance) && balance >= 0)).toBe(true)
            expect(balances.map((balance) => balance > 0)).toEqual(all.map((one) => one.inactiveSince === undefined))
          }
          l1s.settle(BEGIN + 9_000)
          return [all, l1s.market.at(BEGIN + 9_000), all.map((one) => l1s.balance(one, BEGIN + 9_000))]
        }
        expect(run(looks)).toEqual(run([]))
      }),
    )
  })
})
