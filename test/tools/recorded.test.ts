import { expect, test } from 'vitest'
import { recordedTable } from '../../tools/recorded.ts'

test('cases are counted by method, and those that differ are named with their reason', () => {
  const cases = [
    { of: 'a', case: 'one' },
    { of: 'a', case: 'two' },
    { of: 'a', case: 'three' },
    { of: 'b', case: 'one' },
  ]
  const differing = [
    { of: 'a', case: 'one', why: 'nobody does that' },
    { of: 'a', case: 'three', why: 'nobody does that' },
  ]
  expect(recordedTable(cases, differing)).toBe(
    [
      '| method | cases | same | differing |',
      '|---|---|---|---|',
      '| `a` | 3 | 1 | one, three: nobody does that |',
      '| `b` | 1 | 1 |  |',
      '| all | 4 | 2 | |',
    ].join('\n'),
  )
})
