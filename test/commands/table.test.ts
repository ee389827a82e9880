// Tables whose cells come from other programs.

import { expect, test } from 'vitest'
import { aligned } from '../../src/commands/terminal-text.ts'

test('a cell is a part of one line', () => {
  expect(
    aligned([
      ['name', 'state'],
      ['val-1\nval-2', 'down\u001b[2J'],
      ['a\u202e', 'up'],
    ]),
  ).toEqual(['name         state', 'val-1?val-2  down?[2J', 'a?           up'])
})

test('there may be any number of rows', () => {
  const rows = Array.from({ length: 300_000 }, () => ['a', 'b'])
  expect(aligned(rows)).toHaveLength(300_000)
})
