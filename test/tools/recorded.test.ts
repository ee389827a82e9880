import { expect, test } from 'vitest'
import { beyondTable, recordedTable } from '../../tools/recorded.ts'

test('cases are counted by operation, and those that differ are named with their reason', () => {
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
      '| operation | cases | same | differing |',
      '|---|---|---|---|',
      '| `a` | 3 | 1 | one, three: nobody does that |',
      '| `b` | 1 | 1 |  |',
      '| all | 4 | 2 | |',
    ].join('\n'),
  )
})

test('what is not put to the simulator is counted apart, and what it serves nevertheless is told', () => {
  const cases = ['a', 'a', 'b', 'c'].map((of, at) => ({ of, case: String(at) }))
  const differing = [{ of: 'a', case: '1', why: 'nobody does that' }]
  expect(beyondTable(cases, differing, ['a'], ['a', 'c'])).toBe(
    [
      '| operation | cases | same | differing |',
      '|---|---|---|---|',
      '| `a` | 2 | 1 | 1: nobody does that |',
      '| `b` | 1 | | not served |',
      '| `c` | 1 | | not compared |',
      '| all | 4 | 1 of 2 | |',
    ].join('\n'),
  )
})
