import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeReward, requiredUptime, rewardStates } from '../../src/judgements/reward.ts'

// A stake of 1,000,000 s. With 90 % required 100,000 s may be missed, with 80 % 200,000 s.
const stake = { start: 0, end: 1_000_000 }

describe('reward', () => {
  test.each([
    // required, at, uptime: missed = (1 - uptime) x at; budget = allowed - missed; left = 1,000,000 - at; who may stop may
    // be down for the budget, but no longer than what is left
    ['90 %: nothing missed, half the time left', 0.9, 500_000, 1, 100_000, 100_000, 'on_track'],
    [
      '90 %: 20,000 missed, 80,000 budget, 900,000 left, below 90 % and below 90 % of the allowance',
      0.9,
      100_000,
      0.8,
      80_000,
      80_000,
      'at_risk',
    ],
    [
      '90 %: 9,000 missed, 91,000 budget: below the requirement, but a young stake',
      0.9,
      50_000,
      0.82,
      91_000,
      91_000,
      'on_track',
    ],
    [
      '90 %: 80,000 missed, 20,000 budget: less than a quarter of the allowance',
      0.9,
      800_000,
      0.9,
      20_000,
      20_000,
      'at_risk',
    ],
    [
      '90 %: 95,000 missed, 5,000 budget, 5,000 left: nothing can go wrong any more',
      0.9,
      995_000,
      900 / 995,
      5_000,
      5_000,
      'safe',
    ],
    ['90 %: 150,000 missed of 100,000', 0.9, 500_000, 0.7, -50_000, 0, 'lost'],
    [
      '80 %: the same 150,000 missed leave 50,000: a quarter of the allowance and below the requirement',
      0.8,
      500_000,
      0.7,
      50_000,
      50_000,
      'at_risk',
    ],
    ['90 %: 50,000 missed, 50,000 budget: exactly what is required', 0.9, 500_000, 0.9, 50_000, 50_000, 'on_track'],
    [
      '90 %: 75,000 missed, 25,000 budget: a quarter of the allowance',
      0.9,
      800_000,
      0.90625,
      25_000,
      25_000,
      'on_track',
    ],
    ['90 %: 76,000 missed, 24,000 budget: less than a quarter', 0.9, 800_000, 0.905, 24_000, 24_000, 'at_risk'],
    [
      '90 %: 10,000 missed, 90,000 budget: below the requirement, with nine tenths of the allowance',
      0.9,
      80_000,
      0.875,
      90_000,
      90_000,
      'on_track',
    ],
    [
      '90 %: 15,000 missed, 85,000 budget: below the requirement, with less than nine tenths',
      0.9,
      120_000,
      0.875,
      85_000,
      85_000,
      'at_risk',
    ],
    // The difference of the doubles is -1.5e-11: that is not lost.
    ['90 %: 100,000 missed of 100,000: nothing is left, and nothing is lost', 0.9, 250_000, 0.6, 0, 0, 'at_risk'],
    ['80 %: 60,000 missed, 140,000 budget', 0.8, 600_000, 0.9, 140_000, 140_000, 'on_track'],
    ['80 %: 18,000 missed, 182,000 budget, 100,000 left', 0.8, 900_000, 0.98, 182_000, 100_000, 'safe'],
    ['80 %: 270,000 missed of 200,000', 0.8, 900_000, 0.7, -70_000, 0, 'lost'],
    ['before the start everything is still allowed', 0.9, -5, 0, 100_000, 100_000, 'on_track'],
    ['at the end, exactly enough', 0.8, 1_000_000, 0.8, 0, 0, 'safe'],
    ['after the end, still listed: the time after the end does not count', 0.9, 2_000_000, 0.85, -50_000, 0, 'lost'],
  ] as const)('%s', (_, required, at, uptime, budget, mayStop, state) => {
    // A stake that begins later is judged by the time since then.
    for (const start of [0, 1_780_000_000]) {
      const later = { start, end: start + stake.end }
      const reward = judgeReward({ ...later, required, at: start + at, uptime })
      expect(reward?.state).toBe(state)
      expect(reward?.budget).toBeCloseTo(budget, 3)
      expect(reward?.mayStop).toBeCloseTo(mayStop, 3)
    }
  })

  test('a stake without duration has no reward to judge', () => {
    expect(judgeReward({ start: 5, end: 5, uptime: 1, required: 0.8, at: 5 })).toBeUndefined()
  })

  test.each([
    ['before the upgrade', 99, 100, 0.8],
    ['at the upgrade', 100, 100, 0.9],
    ['after the upgrade', 101, 100, 0.9],
    ['no upgrade is known', 101, undefined, 0.8],
  ])('a stake that starts %s', (_, start, upgrade, required) => {
    expect(requiredUptime(start, upgrade)).toBe(required)
  })

  test('who stops for as long as it may still gets the reward, and a second more takes it unless the period is over', () => {
    const ratio = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(ratio, ratio, fc.constantFrom(0.8, 0.9), (uptime, share, required) => {
        const at = Math.floor(share * stake.end)
        const { mayStop, state } = judgeReward({ ...stake, required, at, uptime })!
        const missed = (1 - uptime) * at
        const atEnd = (down: number) => 1 - (missed + down) / stake.end
        // All seconds but these it is up until the end. Budgets are whole milliseconds.
        const isEnough = (down: number) => atEnd(down) >= required - 1e-8
        expect(isEnough(mayStop)).toBe(state !== 'lost' || missed - (1 - required) * stake.end < 0.01)
        expect(isEnough(mayStop + 1) && mayStop < stake.end - at).toBe(false)
      }),
    )
  })

  test('lost is for ever and safe is for ever, whatever happens next', () => {
    const ratio = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(ratio, ratio, ratio, fc.constantFrom(0.8, 0.9), (uptime, share, later, required) => {
        const at = share * stake.end
        const next = at + later * (stake.end - at)
        const now = judgeReward({ ...stake, required, at, uptime })!
        expect(rewardStates).toContain(now.state)
        const missed = (1 - uptime) * at
        const [best, worst] = [missed, missed + (next - at)].map(
          (gone) => judgeReward({ ...stake, required, at: next, uptime: 1 - gone / next })?.state,
        )
        // On the edge itself the last bit of a double decides.
        fc.pre(Math.abs(now.budget) > 1e-3 && Math.abs(now.budget - (stake.end - at)) > 1e-3)
        expect([now.state === 'lost' && best !== 'lost', now.state === 'safe' && worst === 'lost']).toEqual([
          false,
          false,
        ])
      }),
    )
  })
})
