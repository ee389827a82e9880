import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from '../../src/lib/duration.ts'

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['90m', 5_400_000],
    ['007s', 7_000],
    ['0s', 0],
  ])('%s is %d ms', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })

  test.each([
    [500, '500ms'],
    [30_000, '30s'],
    [5_400_000, '1h30m'],
    [604_800_000, '7d'],
    [93_784_005, '1d2h3m4s5ms'],
    [0, '0s'],
  ])('%d ms are written as %s', (milliseconds, expected) => {
    expect(formatDuration(milliseconds)).toBe(expected)
  })

  test.each([
    [''],
    ['30'],
    ['s'],
    ['-5s'],
    ['+5s'],
    ['1.5h'],
    ['1e3s'],
    ['5 m'],
    [' 5m'],
    ['5m\n'],
    ['5M'],
    ['5min'],
    ['1w'],
    ['1h30'],
    ['5m5m'],
    ['30s1h'],
    ['٣s'],
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
