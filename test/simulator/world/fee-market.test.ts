// The fee market against a loop over every second (ACP-77: the excess moves first, then the second costs its price).

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFeeMarket, type FeeState } from '../../../src/simulator/world/fee-market.ts'

const BEGIN = 1_000
const UNTIL = 400
const OPTIONS = { begin: BEGIN, accrued: 7_000, active: 9, target: 10, excessConstant: 900, minPrice: 512 }

interface Change {
  time: number
  active?: number
  minPrice?: number
}

/** The state at each second from the beginning on. */
function secondBySecond(changes: readonly Change[]): FeeState[] {
  let { accrued, active, minPrice } = OPTIONS
  let excess = 0
  return Array.from({ length: UNTIL + 1 }, (_, second) => {
    if (second > 0) {
      excess = Math.max(0, excess + active - OPTIONS.target)
      accrued += Math.floor(minPrice * Math.exp(excess / OPTIONS.excessConstant))
    }
    for (const change of changes.filter(({ time }) => time === BEGIN + second)) {
      active = change.active ?? active
      minPrice = change.minPrice ?? minPrice
    }
    return { time: BEGIN + second, accrued, excess, active, minPrice }
  })
}

const time = fc.integer({ min: BEGIN, max: BEGIN + UNTIL })
const change = fc.record(
  { time, active: fc.integer({ min: 0, max: 20 }), minPrice: fc.integer({ min: 1, max: 1_000 }) },
  { requiredKeys: ['time'] },
)

test('every state is that of the loop, whatever was asked before and between the changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, time), { maxLength: 6 }), fc.array(time), (steps, questions) => {
      const market = createFeeMarket(OPTIONS)
      const inOrder = steps.toSorted(([a], [b]) => a.time - b.time)
      for (const [at, [{ time, ...change }, question]] of inOrder.entries()) {
        const soFar = secondBySecond(inOrder.slice(0, at).map(([earlier]) => earlier))
        expect(market.at(question)).toEqual(soFar[question - BEGIN])
        market.change(time, change)
      }
      const expected = secondBySecond(inOrder.map(([change]) => change))
      for (const question of questions) expect(market.at(question)).toEqual(expected[question - BEGIN])
      expect(market.at(BEGIN + UNTIL)).toEqual(expected[UNTIL])
    }),
  )
})

test('by hand: above the target the price grows, and back at it stays', () => {
  const market = createFeeMarket({ ...OPTIONS, accrued: 0, active: 12, target: 10, excessConstant: 2, minPrice: 100 })
  // Excess 2, 4, 6: 100 x e, 100 x e^2, 100 x e^3, each rounded down.
  expect([1, 2, 3].map((second) => market.at(BEGIN + second).accrued)).toEqual([271, 271 + 738, 271 + 738 + 2_008])
  market.change(BEGIN + 2, { active: 10 })
  expect(market.at(BEGIN + 4).accrued).toBe(271 + 3 * 738)
})

test('before the beginning nothing has been paid', () => {
  expect(createFeeMarket(OPTIONS).at(0)).toMatchObject({ time: BEGIN, accrued: 7_000 })
})
