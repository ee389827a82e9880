import { describe, expect, test } from 'vitest'
import {
  afterDepletion,
  margin,
  isSpare,
  type Threshold,
  thresholds,
  weightsOf,
  withoutGreatest,
} from '../../src/judgements/liveness.ts'
import { rowsOf } from '../support/rows.ts'

interface Row {
  weight: number
  active?: boolean
  connected?: boolean
  balance?: number
}

const members = (rows: readonly Row[]) =>
  rows.map(({ weight, active = true, connected = true, balance }) => ({
    weight: BigInt(weight),
    isActive: active,
    isConnected: connected,
    balance: balance === undefined ? undefined : BigInt(balance),
  }))

const TWENTIES = [{ weight: 20 }, { weight: 20 }, { weight: 20 }, { weight: 20 }]
const HUNDREDS = [{ weight: 100 }, { weight: 100 }, { weight: 100 }, { weight: 100 }]
/** The recorded L1: the one of weight 5 has no balance left. */
const six = [...HUNDREDS, { weight: 10 }, { weight: 5, active: false, connected: false }]
const seven = [...six, { weight: 7 }]

describe('the weight of an L1 that is connected', () => {
  test.each<[string, readonly Row[], [connected: number, active: number, total: number]]>([
    ['all but the one without a balance', six, [410, 410, 415]],
    ['a seventh joins', seven, [417, 417, 422]],
    // For up to a minute a chain counts one as connected whose balance has run out.
    [
      'validators without a balance do not count as connected',
      [{ weight: 3, active: false }, { weight: 4 }],
      [4, 4, 7],
    ],
    ['connected is not active', [{ weight: 3, connected: false }, { weight: 4 }], [4, 7, 7]],
    ['an empty set', [], [0, 0, 0]],
  ])('%s', (_, rows, [connected, active, total]) => {
    expect(weightsOf(members(rows))).toEqual({
      connected: BigInt(connected),
      active: BigInt(active),
      total: BigInt(total),
    })
  })
})

describe('the margin', () => {
  const of = ({ connected, total }: { connected: bigint; total: bigint }) =>
    Object.fromEntries(
      (Object.keys(thresholds) as Threshold[]).map((one) => [one, margin({ connected, total }, one)?.toFixed(4)]),
    )

  test.each<[string, { connected: bigint; total: bigint }, Record<Threshold, string>]>([
    // 410 / 415 = 0.98795
    ['of the six', weightsOf(members(six)), { messages: '0.3180', blocks: '0.2380', health: '0.1880' }],
    // 310 / 415 = 0.74699: none of those that weigh 100 may stop.
    [
      'of the six when one that weighs 100 stops',
      withoutGreatest(members(six)),
      { messages: '0.0770', blocks: '-0.0030', health: '-0.0530' },
    ],
    // 417 / 422 = 0.98815, and without one that weighs 100 317 / 422 = 0.75118: one may stop, and no second one.
    ['of the seven', weightsOf(members(seven)), { messages: '0.3182', blocks: '0.2382', health: '0.1882' }],
    [
      'of the seven when one that weighs 100 stops',
      withoutGreatest(members(seven)),
      { messages: '0.0812', blocks: '0.0012', health: '-0.0488' },
    ],
    [
      'of two when the one that weighs more is away already: the other one stops',
      withoutGreatest(members([{ weight: 9, connected: false }, { weight: 1 }])),
      { messages: '-0.6700', blocks: '-0.7500', health: '-0.8000' },
    ],
    [
      'of two when the one that weighs more has no balance left: the other one stops',
      withoutGreatest(members([{ weight: 9, active: false }, { weight: 1 }])),
      { messages: '-0.6700', blocks: '-0.7500', health: '-0.8000' },
    ],
    [
      'of one that is away: none is left to stop',
      withoutGreatest(members([{ weight: 1, connected: false }])),
      { messages: '-0.6700', blocks: '-0.7500', health: '-0.8000' },
    ],
  ])('%s', (_, weights, expected) => {
    expect(of(weights)).toEqual(expected)
  })

  test('is unknown without any weight', () => {
    expect(margin(weightsOf([]), 'blocks')).toBeUndefined()
  })
})

describe('who may stop', () => {
  test.each<[string, readonly Row[], boolean[]]>([
    // 0.75 x 415 = 311.25 are needed: 310 are left without one that weighs 100, 400 without the one that weighs 10.
    ['of the six: those that weigh little, and the one that is away', six, [false, false, false, false, true, true]],
    // 0.75 x 422 = 316.5 are needed, and 317 are left without one that weighs 100.
    ['of the seven: any one', seven, [true, true, true, true, true, true, true]],
    // Two that weigh 100 are away already: 217 are connected.
    [
      'when too little is connected: no validator',
      seven.map((one, at) => (at < 2 ? { ...one, connected: false } : one)),
      Array.from({ length: 7 }, () => false),
    ],
    // 80 of 100 are connected, and 75 are needed: with another 20 away it would make no blocks.
    [
      'of five equal ones: the one that is away, which takes nothing with it',
      [...TWENTIES, { weight: 20, connected: false }],
      [false, false, false, false, true],
    ],
    [
      'of five equal ones: the one whose balance has run out, though it is still connected',
      [...TWENTIES, { weight: 20, active: false }],
      [false, false, false, false, true],
    ],
    [
      'exactly three quarters are enough',
      [{ weight: 1 }, { weight: 1 }, { weight: 1 }, { weight: 1 }],
      [true, true, true, true],
    ],
  ])('%s', (_, rows, expected) => {
    const all = members(rows)
    expect(all.map((one) => isSpare(weightsOf(all), one))).toEqual(expected)
  })
})

describe('after the next balance has run out', () => {
  // Of each validator: its weight, its balance and whether it is inactive. Then the weight that is connected.
  test.each(
    rowsOf(`
      the least of them goes                                    | 100 500, 10 480        | 100
      all that are as low go                                    | 1 5, 2 5, 4 6          | 4
      a validator from before the conversion needs none         | 1 5, 2                 | 2
      one that has run out already is not the next              | 1 0 inactive, 2 7, 4 8 | 4
      one that was disabled with a balance left is not the next | 1 5 inactive, 2 7, 4 8 | 4
      no validator has one                                      | 1, 2                   | 3
    `),
  )('%s', (_, validators = '', connected) => {
    const rows = validators.split(', ').map((validator): Row => {
      const [weight, balance, inactive] = validator.split(' ')
      return { weight: Number(weight), active: !inactive, ...(balance && { balance: Number(balance) }) }
    })
    expect(afterDepletion(members(rows)).connected).toBe(BigInt(connected))
  })
})
