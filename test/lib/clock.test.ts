import { describe, expect, test } from 'vitest'
import { ageOf, earliest, isOver, jumpBetween, later, type Moment, NEVER } from '../../src/lib/clock.ts'

const HOUR = 3_600_000
/** A moment ten hours into both clocks. */
const then: Moment = { wall: 1_000 * HOUR, steady: 10 * HOUR }
const after = (wall: number, steady: number): Moment => ({ wall: then.wall + wall, steady: then.steady + steady })

describe('a time to live is over', () => {
  test.each<[string, Moment, number, boolean]>([
    ['when it has passed', after(HOUR, HOUR), HOUR, true],
    ['not before', after(HOUR - 1, HOUR - 1), HOUR - 1, false],
    ['also when the wall clock was set back meanwhile', after(-5 * HOUR, HOUR), HOUR, true],
    ['not because the wall clock was set back', after(-HOUR, 1_000), 1_000, false],
    ['also when the steady clock slept with the machine', after(HOUR, 0), HOUR, true],
  ])('%s', (_, now, age, isOverThen) => {
    expect(ageOf(then, now)).toBe(age)
    expect(isOver(later(then, HOUR), now)).toBe(isOverThen)
  })

  test('never, when it never ends', () => {
    expect(isOver(NEVER, after(1e9 * HOUR, 1e9 * HOUR))).toBe(false)
  })
})

test('the earliest is so by both clocks', () => {
  expect(earliest([after(1, 5), after(4, 2), NEVER])).toEqual(after(1, 2))
})

describe('between two looks', () => {
  test.each([
    ['nothing happened', 250, 250, undefined],
    ['the clock was slewed', 1_250, 250, undefined],
    ['work delayed the second one', 10_000, 10_000, undefined],
    ['the clock was set back', -HOUR + 250, 250, 'back'],
    ['the clock was set forward', HOUR, 250, 'forward'],
    ['the machine slept', HOUR, 0, 'forward'],
    ['the process was stopped', 320_000, 320_000, 'pause'],
  ] as const)('%s', (_, wall, steady, expected) => {
    expect(jumpBetween(then, after(wall, steady))).toBe(expected)
  })
})
