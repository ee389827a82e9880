// What makes two expressions differ, and what does not.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../../src/alerts/rules.ts'
import { differenceOf } from '../../../src/commands/doctor/promql-difference.ts'

describe('the same', () => {
  test.each([
    ['space and comments', 'sum(a)\n  > 1 # many', 'sum( a ) > 1'],
    ['needless parentheses', '((a)) + (b)', 'a + b'],
    ['where the labels of an aggregation stand', 'sum(a) by (x, y)', 'sum by (y, x) (a)'],
    ['the order of matchers', 'a{b="1", c=~"2"}', "a{c=~'2',b='1'}"],
    ['the spelling of numbers', 'a > 1e9', 'a > 1000000000'],
    ['the spelling of infinity', 'a > -Inf', 'a > -inf'],
    ['the sign of a positive number', 'a > +5m', 'a > 300'],
    ['the spelling of durations', 'a[90m] offset 1d', 'a[1h30m] offset 24h'],
    ['an empty list of labels', 'a * on (x) group_left b', 'a * on (x) group_left () b'],
    ['an empty list of matchers', 'a{}', 'a'],
    ['capitals of keywords', 'a AND b', 'a and b'],
  ])('%s', (_, left, right) => {
    expect(differenceOf(left, right)).toBeUndefined()
  })
})

describe('the smallest part that differs', () => {
  test.each([
    ['sum by (x) (a > 3) and b', 'sum by (x) (a > 4) and b', '3', '4'],
    ['a{b="1"} and c', 'a{b="2"} and c', '"1"', '"2"'],
    ['a{b="1"}', 'a{b!="1"}', '=', '!='],
    ['rate(a[5m]) > 1', 'rate(a[10m]) > 1', '5m', '10m'],
    ['max by (x) (a)', 'max by (x, y) (a)', '(x)', '(x, y)'],
    ['max by (x) (a)', 'min by (x) (a)', 'max', 'min'],
    ['a unless b', 'a', 'a unless b', 'a'],
    ['(a or b) and c', 'a or b and c', '(a or b) and c', 'a or b and c'],
    ['a + b', 'b + a', 'a + b', 'b + a'],
    ['abs(a)', 'sort(a)', 'abs', 'sort'],
  ])('%s, %s', (left, right, smallLeft, smallRight) => {
    expect(differenceOf(left, right)).toEqual({ left: smallLeft, right: smallRight })
  })

  test('of two places, what has both', () => {
    expect(differenceOf('x and (a > 3 or b < 2)', 'x and (a > 4 or b < 1)')).toEqual({
      left: 'a > 3 or b < 2',
      right: 'a > 4 or b < 1',
    })
  })
})

test.each([
  ['parentheses', `${'('.repeat(10_000)}a${')'.repeat(10_000)}`],
  ['signs', `${'-'.repeat(10_000)}1`],
])('an expression of ten thousand %s differs, and ends nothing', (_, nested) => {
  expect(differenceOf(nested, 'a > 1')).toMatchObject({ right: 'a > 1' })
  expect(differenceOf(nested, nested)).toBeUndefined()
})

test('no two rules are the same, and each is itself', () => {
  const all = groupsOf().flatMap(({ rules }) => rules.map(({ expr }) => expr))
  for (const [at, one] of all.entries()) {
    expect(differenceOf(one, one)).toBeUndefined()
    expect(differenceOf(one, all[(at + 1) % all.length]!)).toBeDefined()
  }
})
