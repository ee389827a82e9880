import { describe, expect, test } from 'vitest'
import { nakamotoCoefficient, topRatio } from '../../src/judgements/stake.ts'

const HUGE = 2n ** 64n - 1n

describe('nakamoto coefficient: more than a third of the weight', () => {
  test.each<[string, readonly bigint[], number | undefined]>([
    ['exactly a third is not more', [1n, 1n, 1n], 2],
    ['one unit above a third', [34n, 33n, 33n], 1],
    ['one has everything', [7n, 0n, 0n], 1],
    // Doubles cannot tell these from thirds.
    ['beyond 2^53, one unit above', [HUGE + 1n, HUGE, HUGE], 1],
    ['no weight', [0n, 0n], undefined],
    ['an empty set', [], undefined],
  ])('%s', (_, weights, expected) => {
    expect(nakamotoCoefficient(weights)).toBe(expected)
  })
})

describe('share of the heaviest', () => {
  test.each<[string, readonly bigint[], number, number | undefined]>([
    ['of four, one', [4n, 3n, 2n, 1n], 1, 0.4],
    ['more than there are', [4n, 3n], 33, 1],
    ['beyond 2^53', [HUGE, HUGE, HUGE, HUGE], 1, 0.25],
    ['no weight', [0n], 1, undefined],
    ['an empty set', [], 1, undefined],
  ])('%s', (_, weights, top, expected) => {
    expect(topRatio(weights, top)).toBe(expected)
  })
})
