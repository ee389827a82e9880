import { describe, expect, test } from 'vitest'
import { nakamotoCoefficient, topRatio, totalOf } from '../../src/judgements/stake.ts'

const HUGE = 2n ** 64n - 1n

describe('nakamoto coefficient: more than a third of the weight', () => {
  test.each<[string, readonly bigint[], number | undefined]>([
    ['exactly a third is not more', [1n, 1n, 1n], 2],
    ['a third held by two is not more', [2n, 2n, 2n, 2n, 2n, 2n], 3],
    ['one unit above a third', [34n, 33n, 33n], 1],
    ['one unit below', [33n, 33n, 33n, 1n], 2],
    ['one validator', [7n], 1],
    ['one has everything', [7n, 0n, 0n], 1],
    ['weights of zero in the total do not count', [1n, 1n, 1n, 0n], 2],
    ['a hundred alike', Array.from({ length: 100 }, () => 1n), 34],
    ['beyond 2^53, exactly a third', [HUGE, HUGE, HUGE], 2],
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
    ['of four, three', [4n, 3n, 2n, 1n], 3, 0.9],
    ['as many as there are', [4n, 3n, 2n, 1n], 4, 1],
    ['more than there are', [4n, 3n], 33, 1],
    ['one validator', [4n], 1, 1],
    ['beyond 2^53', [HUGE, HUGE, HUGE, HUGE], 1, 0.25],
    ['no weight', [0n], 1, undefined],
    ['an empty set', [], 1, undefined],
  ])('%s', (_, weights, top, expected) => {
    expect(topRatio(weights, top)).toBe(expected)
  })
})

test.each<[string, readonly (bigint | undefined)[], bigint | undefined]>([
  ['is exact beyond 2^53', [HUGE, 1n], 2n ** 64n],
  ['is unknown when one weight is', [1n, undefined], undefined],
  ['is zero for an empty set', [], 0n],
])('a total %s', (_, weights, expected) => {
  expect(totalOf(weights)).toBe(expected)
})
