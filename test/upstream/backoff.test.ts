import { expect, test } from 'vitest'
import { backoff } from '../../src/upstream/http.ts'

test.each([
  [0, 0, 0],
  [0, 0.5, 100],
  [1, 0.5, 200],
  [2, 0.5, 400],
  [4, 0.5, 1_600],
  [5, 0.5, 2_500],
  [1_000, 0.5, 2_500],
  [5, 0, 0],
])('attempt %i with %d of the ceiling waits %d ms', (attempt, random, milliseconds) => {
  expect(backoff(attempt, () => random)).toBe(milliseconds)
})
