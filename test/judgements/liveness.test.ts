import { describe, expect, test } from 'vitest'
import { afterDepletion, isSpare, weightsOf } from '../../src/judgements/liveness.ts'
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

describe('the weight of an L1 that is connected', () => {
  test.each<[string, readonly Row[], [connected: number, active: number, total: number]]>([
    // For up to a minute a chain counts one as connected whose balance has run out.
    [
      'validators without a balance do not count as connected',
      [{ weight: 3, active: false }, { weight: 4 }],
      [4, 4, 7],
    ],
    ['connected is not active', [{ weight: 3, connected: false }, { weight: 4 }], [4, 7, 7]],
  ])('%s', (_, rows, [connected, active, total]) => {
    expect(weightsOf(members(rows))).toEqual({
      connected: BigInt(connected),
      active: BigInt(active),
      total: BigInt(total),
    })
  })
})

describe('who may stop', () => {
  test.each<[string, readonly Row[], boolean[]]>([
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
