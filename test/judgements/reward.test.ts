import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeReward, rewardStates } from '../../src/judgements/reward.ts'

// A stake of 1,000,000 s. With 90 % required 100,000 s may be missed, with 80 % 200,000 s.
const stake = { start: 0, end: 1_000_000 }

describe('reward', () => {
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
