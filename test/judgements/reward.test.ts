import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeReward, requiredUptime, rewardStates } from '../../src/judgements/reward.ts'
import { rowsOf } from '../support/rows.ts'

// A stake of 1,000,000 s. With 90 % required 100,000 s may be missed, with 80 % 200,000 s.
const stake = { start: 0, end: 1_000_000 }

describe('reward', () => {
  test.each(
    rowsOf(`
      // Required, at, missed until then; the budget is what is allowed less what is missed; who may stop may be down for the
      // budget, but no longer than what is left of 1,000,000.
      0.9 |  500000 |      0 | 100000 | 100000 | on_track | nothing missed, half the time left
      0.9 |  100000 |  20000 |  80000 |  80000 | at_risk  | below the requirement and below nine tenths of the allowance
      0.9 |   50000 |   9000 |  91000 |  91000 | on_track | below the requirement, but a young stake
      0.9 |  800000 |  80000 |  20000 |  20000 | at_risk  | less than a quarter of the allowance is left
      0.9 |  995000 |  95000 |   5000 |   5000 | safe     | 5,000 left: nothing can go wrong any more
      0.9 |  500000 | 150000 | -50000 |      0 | lost     | more missed than the allowance
      0.8 |  500000 | 150000 |  50000 |  50000 | at_risk  | the same: a quarter of a larger allowance, below the requirement
      0.9 |  500000 |  50000 |  50000 |  50000 | on_track | exactly what is required
      0.9 |  800000 |  75000 |  25000 |  25000 | on_track | a quarter of the allowance is left
      0.9 |  800000 |  76000 |  24000 |  24000 | at_risk  | less than a quarter is left, with more than what is required
      0.9 |   80000 |  10000 |  90000 |  90000 | on_track | below the requirement, with nine tenths of the allowance
      0.9 |  120000 |  15000 |  85000 |  85000 | at_risk  | below the requirement, with less than nine tenths
      // The difference of the doubles is -1.5e-11: that is not lost.
      0.9 |  250000 | 100000 |      0 |      0 | at_risk  | nothing is left, and nothing is lost
      0.8 |  600000 |  60000 | 140000 | 140000 | on_track | 140,000 of 200,000 are left
      0.8 |  900000 |  18000 | 182000 | 100000 | safe     | more budget than time is left
      0.8 |  900000 | 270000 | -70000 |      0 | lost     | more missed than the larger allowance
      0.9 |      -5 |     -5 | 100000 | 100000 | on_track | before the start everything is still allowed
      0.8 | 1000000 | 200000 |      0 |      0 | safe     | at the end, exactly enough
      0.9 | 2000000 | 300000 | -50000 |      0 | lost     | after the end, still listed: that time does not count
    `).map(([required, at, missed, budget, mayStopFor, state, name]) => ({
      name,
      required: Number(required),
      at: Number(at),
      uptime: (Number(at) - Number(missed)) / Number(at),
      budget: Number(budget),
      mayStopFor: Number(mayStopFor),
      state,
    })),
  )('$required: $name', ({ required, at, uptime, budget, mayStopFor, state }) => {
    // A stake that begins later is judged by the time since then.
    for (const start of [0, 1_780_000_000]) {
      const later = { start, end: start + stake.end }
      const reward = judgeReward({ ...later, required, at: start + at, uptime })
      expect(reward?.state).toBe(state)
      expect(reward?.budget).toBeCloseTo(budget, 3)
      expect(reward?.mayStopFor).toBeCloseTo(mayStopFor, 3)
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
        const { mayStopFor, state } = judgeReward({ ...stake, required, at, uptime })!
        const missed = (1 - uptime) * at
        const atEnd = (down: number) => 1 - (missed + down) / stake.end
        // All seconds but these it is up until the end. Budgets are whole milliseconds.
        const isEnough = (down: number) => atEnd(down) >= required - 1e-8
        expect(isEnough(mayStopFor)).toBe(state !== 'lost' || missed - (1 - required) * stake.end < 0.01)
        expect(isEnough(mayStopFor + 1) && mayStopFor < stake.end - at).toBe(false)
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
