import { expect, test } from 'vitest'
import { counted, progressBar } from '../../../src/commands/terminal-text.ts'

test.each([
  [0, 30, '[------------------------------]   0 %  x'],
  [1, 30, '[#-----------------------------]   3 %  x'],
  [15, 30, '[###############---------------]  50 %  x'],
  // A share that is no whole step is rounded down: it is not over before it is over.
  [999, 1_000, '[#############################-]  99 %  x'],
  [30_000, 30_000, '[##############################] 100 %  x'],
  // The last page may hold more than was asked for.
  [12, 10, '[##############################] 100 %  x'],
])('%d of %d', (done, total, line) => {
  expect(progressBar(done, total, 'x')).toBe(line)
})

test.each([
  [0, '0 pages'],
  [1, '1 page'],
  [2, '2 pages'],
])('%d is %s', (count, text) => {
  expect(counted(count, 'page')).toBe(text)
})
