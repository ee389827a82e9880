import { expect, test } from 'vitest'
import { medianAhead, noted, type Offset, ownError } from '../../src/lib/clock.ts'

const MINUTE = 60_000

test.each<[string, number[], number]>([
  ['no upstream says', [], 0],
  ['all agree with us, but for what an answer can tell', [400, -900, 59_999], 0],
  ['the only one says that we are fast', [600_000], 600_000],
  ['two of three say so', [600_000, 601_000, 0], 601_000],
  ['two of three say that we are slow', [-600_000, 200, -599_000], -599_000],
  ['one of two says so: who knows which one is wrong', [600_000, 0], 0],
  ['one of three is wrong itself', [0, 600_000, 100], 0],
  ['most are wrong, and not in one direction', [600_000, -600_000, 0], 0],
])('our clock is as wrong as most upstreams agree: %s', (_, upstreams, expected) => {
  expect(ownError(upstreams)).toBe(expected)
})

test('an upstream says what the median of its last five answers says, for an hour', () => {
  let offsets: readonly Offset[] = []
  const note = (ahead: number, at: number) => (offsets = noted(offsets, { ahead, at }))
  expect(medianAhead(offsets, 0)).toBeUndefined()
  for (const [at, ahead] of [100, 9_000, 300].entries()) note(ahead, at * MINUTE)
  expect(medianAhead(offsets, 2 * MINUTE)).toBe(300)
  for (const ahead of [500, 600, 700]) note(ahead, 3 * MINUTE)
  // 9,000, 300, 500, 600, 700
  expect(medianAhead(offsets, 3 * MINUTE)).toBe(600)
  expect(medianAhead(offsets, 63 * MINUTE - 1)).toBe(600)
  expect(medianAhead(offsets, 63 * MINUTE)).toBeUndefined()
})
