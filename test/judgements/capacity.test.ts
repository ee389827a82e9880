import { describe, expect, test } from 'vitest'
import { delegationCapacity } from '../../src/judgements/stake.ts'

const DAY = 86_400
/** Those of the live main network. */
const rules = { factor: 5, maxStake: 3_000_000, minDuration: 14 * DAY, minDelegation: 25 }
const least = { own: 2_000, delegated: 0, left: 365 * DAY }

describe('delegation capacity', () => {
  test.each([
    // 5 x 2,000 in all.
    ['the least stake, nothing delegated', {}, 8_000],
    ['some delegated', { delegated: 5_000 }, 3_000],
    // 5 x 600,000 is the limit of 3,000,000 as well.
    ['where the two limits meet', { own: 600_000 }, 2_400_000],
    ['above, the limit of the stake counts', { own: 700_000 }, 2_300_000],
    ['the greatest stake takes no delegation', { own: 3_000_000 }, 0],
    ['room for one least delegation', { delegated: 7_975 }, 25],
    ['room for less than one', { delegated: 7_975.000000001 }, 0],
    ['full', { delegated: 8_000 }, 0],
    ['delegated beyond the limit, which live validators are after a change of rules', { delegated: 9_000 }, 0],
    ['no own stake', { own: 0 }, 0],
    ['time for one least delegation', { left: 14 * DAY }, 8_000],
    ['a second less', { left: 14 * DAY - 1 }, 0],
    ['thirteen days left', { left: 13 * DAY }, 0],
    ['its end is over', { left: -1 }, 0],
    // 10,000.05 - 2,000.01 - 7,975.04 is 25, were floats exact.
    ['the noise of floats does not decide', { own: 2_000.01, delegated: 7_975.04 }, 25],
    ['the smallest unit is kept', { own: 2_000.000000001, delegated: 0.000000003 }, 8_000.000000001],
  ])('%s', (_, stake, expected) => {
    expect(delegationCapacity({ ...least, ...stake }, rules)).toBe(expected)
  })

  test.each([
    ['factor', { factor: 4 }, 6_000],
    ['a factor of 1 leaves no room', { factor: 1 }, 0],
    ['greatest stake', { maxStake: 9_000 }, 7_000],
    ['least delegation', { minDelegation: 8_001 }, 0],
    ['least time', { minDuration: 366 * DAY }, 0],
  ])('the network may have other rules: %s', (_, other, expected) => {
    expect(delegationCapacity(least, { ...rules, ...other })).toBe(expected)
  })

  test('without a least delegation what is beyond the limit is still no room', () => {
    expect(delegationCapacity({ ...least, delegated: 9_000 }, { ...rules, minDelegation: 0 })).toBe(0)
  })
})
