import { describe, expect, test } from 'vitest'
import {
  accruedPrice,
  type BalanceTrack,
  type FeeMarket,
  runwaySeconds,
  slopePrice,
  track,
  withExcess,
} from '../../src/judgements/runway.ts'
import { rowsOf } from '../support/rows.ts'

const market = (more: Partial<FeeMarket> = {}): FeeMarket => ({
  price: 512,
  active: 10_000,
  target: 10_000,
  excessConstant: 1_000_000,
  minPrice: 512,
  ...more,
})

describe('runway', () => {
  test.each([
    // Upstream facts, section 3: at 512 a second one token of 10^9 lasts 1,953,125 s.
    ['constant: as many active as the target', 1e9, {}, 1_953_125],
    ['constant: below the target, at the floor already', 1e9, { active: 1_400 }, 1_953_125],
    ['constant: the number of active validators is unknown', 1e9, { active: undefined, price: 1_000 }, 1_000_000],
    ['a price that rounding put below the floor', 1e9, { active: 1_400, price: 500 }, 2_000_000],
    ['nothing left', 0, { active: 11_000 }, 0],
    // 1,000 too many over 1,000,000: a thousandth more each second. Until the price is e times 512 it costs
    // 512 x 1,000 x (e - 1) = 879,760.2961...; that takes 1,000 s.
    ['growing: to e times the price', 512_000 * (Math.E - 1), { active: 11_000 }, 1_000],
    // Twice the price is reached after 1,000 x ln 2 s, for 512,000.
    ['growing: to twice the price', 512_000, { active: 11_000 }, 693.147_180_56],
    // One too many: 512 x 10^6 x (e^0.001 - 1) = 512,256.085 for 1,000 s.
    ['growing slowly', 512_256.085_354_7, { active: 10_001 }, 1_000],
    // 1,000 too few: from 4,096 to 2,048 in 1,000 x ln 2 s, for 2,048,000; the floor is far below.
    ['falling, the floor not reached', 2_048_000, { active: 9_000, price: 4_096 }, 693.147_180_56],
    // From 4,096 to the floor of 512 in 1,000 x ln 8 s, for 3,584,000: exactly there.
    ['falling, used up as the floor is reached', 3_584_000, { active: 9_000, price: 4_096 }, 2_079.441_541_68],
    // The same, and 512,000 more at 512 a second.
    ['falling, then along the floor', 4_096_000, { active: 9_000, price: 4_096 }, 3_079.441_541_68],
  ])('%s', (_, balance, change, seconds) => {
    expect(runwaySeconds(balance, market(change))).toBeCloseTo(seconds, 6)
  })
})

describe('runway by the excess, from which whole prices follow', () => {
  const small = (more: Partial<FeeMarket>) => market({ minPrice: 1, price: 1, active: 11_000, excess: 0, ...more })
  // At 1,000 a second over 1,000,000 the price is 2 from 1,000 x ln 2 = 693.147 s on, 3 from 1,000 x ln 3 = 1,098.612 s on.
  const [two, three] = [1_000 * Math.log(2), 1_000 * Math.log(3)]

  test.each([
    ['as many active as the target', 1e9, market({ excess: 0 }), 1_953_125],
    ['the number of active validators is unknown: the price stays', 1_200, small({ active: undefined, price: 3 }), 400],
    ['below the target, at the floor', 1_000, small({ active: 9_000 }), 1_000],
    ['growing, within the first price', 500, small({}), 500],
    ['growing, into the second', two + 2 * 100, small({}), two + 100],
    ['growing, into the third', two + 2 * (three - two) + 3 * 10, small({}), three + 10],
    // 100 s before the price becomes 2.
    ['growing, from the middle of a price', 100 + 2 * 50, small({ excess: 1_000 * (two - 100) }), 150],
    [
      'falling, to the next price',
      3 * 50 + 2 * 100,
      small({ active: 9_000, excess: 1_000 * (three + 50), price: 3 }),
      150,
    ],
    [
      'falling, to the floor and along it',
      3 * 50 + 2 * (three - two) + 1_000,
      small({ active: 9_000, excess: 1_000 * (three + 50), price: 3 }),
      50 + (three - two) + 1_000,
    ],
    // The excess belongs to the price of 2 for 100 s already.
    ['growing, with a price that is older than the excess', 2 * 50, small({ excess: 1_000 * (two + 100) }), 50],
    ['nothing left', 0, small({}), 0],
  ])('%s', (_, balance, fees, seconds) => {
    expect(runwaySeconds(balance, fees)).toBeCloseTo(seconds, 6)
  })

  test('growing from 1 to 4,001, beyond the prices that are stepped through', () => {
    // Price p holds for 1,000 x ln((p + 1) / p) s, so that 4,001 is reached after 1,000 x ln 4,001 s.
    const prices = Array.from({ length: 4_000 }, (_, at) => at + 1)
    const paid = prices.reduce((sum, price) => sum + price * 1_000 * Math.log((price + 1) / price), 0)
    // Half a unit is subtracted from 2,001 alone, and a quarter too much of it is left on average of the 693 s to twice the
    // price: 693 x 0.25 / 3,000 s.
    expect(Math.abs(runwaySeconds(paid, small({})) - 1_000 * Math.log(4_001))).toBeLessThanOrEqual(0.06)
  })
})

describe('how fast the excess moves', () => {
  test.each([
    ['the first reading', undefined, 100, 500, { time: 100, excess: 500 }],
    ['80 a second', { time: 100, excess: 500 }, 110, 1_300, { time: 110, excess: 1_300, speed: 80 }],
    ['falling', { time: 100, excess: 500, speed: 80 }, 150, 0, { time: 150, excess: 0, speed: -10 }],
    ['the same block', { time: 100, excess: 500, speed: 80 }, 100, 500, { time: 100, excess: 500, speed: 80 }],
    ['a node that lags', { time: 100, excess: 500, speed: 80 }, 90, 1, { time: 100, excess: 500, speed: 80 }],
  ])('%s', (_, before, time, excess, after) => {
    expect(withExcess(before, time, excess)).toEqual(after)
  })
})

describe('price by accrued fees', () => {
  const fees = (...points: [time: number, accrued: number][]) =>
    points.map(([time, accrued]) => ({ time, accrued: BigInt(accrued) }))

  test.each([
    // 51,200 in 100 s.
    ['over two blocks', fees([200, 27_000_051_200], [100, 27_000_000_000]), 512],
    // 102,400 in 150 s: the mean.
    ['over three blocks', fees([250, 27_000_102_400], [200, 27_000_051_200], [100, 27_000_000_000]), 102_400 / 150],
    ['blocks of one second', fees([100, 27_000_000_512], [100, 27_000_000_000]), undefined],
    ['nothing accrued', fees([200, 27_000_000_000], [100, 27_000_000_000]), undefined],
    ['one block', fees([200, 27_000_000_000]), undefined],
    ['no block', [], undefined],
    ['it falls in between', fees([300, 27_000_000_900], [200, 27_000_000_100], [100, 27_000_000_500]), undefined],
    // A value for each block alone would be near the difference of two of them.
    ['not far above the difference', fees([200, 1_099], [100, 999]), undefined],
    ['it falls with the newest', fees([300, 27_000_000_900], [200, 27_000_001_000], [100, 27_000_000_500]), undefined],
    // 51,200 in 200 s.
    ['it stays in between', fees([300, 27_000_051_200], [200, 27_000_000_000], [100, 27_000_000_000]), 256],
    ['the least that can accrue', fees([200, 27_000_000_001], [100, 27_000_000_000]), 0.01],
    ['ten times the difference', fees([200, 1_100], [100, 1_000]), 1],
  ])('%s', (_, blocks, price) => {
    expect(accruedPrice(blocks)).toBe(price)
  })
})

describe('price by slope', () => {
  const trackOf = (text = ''): BalanceTrack =>
    text === '' ? [] : text.split(', ').map((reading) => reading.split(' ').map(Number) as [number, number])

  test.each(
    rowsOf(`
    the first reading           |                    | 100 | 5000 | 100 5000
    one more                    | 100 5000           | 160 | 4000 | 100 5000, 160 4000
    a balance that stays        | 100 5000           | 160 | 5000 | 100 5000, 160 5000
    chain time is unchanged     | 100 5000           | 100 | 4000 | 100 5000
    chain time goes back        | 100 5000           |  40 | 4000 | 100 5000
    a top-up                    | 100 5000, 160 4000 | 220 | 9000 | 220 9000
    // A top-up counts even if chain time is unchanged.
    a top-up in the same second | 100 5000           | 100 | 9000 | 100 9000
    // Behind a load balancer another node still says what was true a minute ago: that is no top-up.
    a node that lags            | 100 5000, 160 4000 | 220 | 4500 | 100 5000, 160 4000
  `),
  )('track: %s', (_, before, time, balance, after) => {
    expect(track(trackOf(before), Number(time), Number(balance))).toEqual(trackOf(after))
  })

  test('a track holds the last twelve readings', () => {
    let points = track([], 0, 1_000)
    for (let at = 1; at <= 20; at += 1) points = track(points, 60 * at, 1_000 - at)
    expect([points.length, points[0], points.at(-1)]).toEqual([12, [540, 991], [1_200, 980]])
  })

  const falling = (perSecond: number, span = 120): BalanceTrack => [
    [1_780_000_000, 100_000],
    [1_780_000_000 + span, 100_000 - perSecond * span],
  ]
  test.each<[string, BalanceTrack[], number | undefined]>([
    ['no track', [], undefined],
    ['a single reading', [[[0, 5_000]]], undefined],
    ['a minute is enough', [falling(5, 60)], 5],
    ['less than a minute is not', [falling(5, 59)], undefined],
    ['a balance that does not fall', [falling(0)], undefined],
    // The median: one that was topped up unseen or drained does not matter.
    ['the one in the middle', [falling(1), falling(5), falling(700), falling(6), falling(4)], 5],
    ['those that do not fall have no say', [falling(0), falling(0), falling(5)], 5],
  ])('price: %s', (_, tracks, price) => {
    expect(slopePrice(tracks)).toBe(price)
  })
})
