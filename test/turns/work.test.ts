// When a turn that passed counts as missed: what the times between the blocks around it say.

import { expect, test } from 'vitest'
import { judgePassed } from '../../src/turns/slots.ts'

const each = (...seconds: readonly number[]) => Array.from({ length: 10 }, (_, at) => seconds[at % seconds.length]!)

test.each<[string, number, readonly number[], readonly number[], ReturnType<typeof judgePassed>]>([
  ['a block each second on both sides', 5, each(1), each(1), 'missed'],
  ['blocks every 2 s, the slowest that count as busy', 5, each(2), each(2), 'missed'],
  ['six late ones among them', 5, [5, 10, 1, 5, 1, 15, 2, 5, 1, 5], each(1), 'missed'],
  ['seven late ones', 5, [5, 10, 1, 5, 1, 15, 5, 5, 1, 5], each(1), 'idle'],
  ['one pause of 3 s before', 5, [1, 1, 1, 3, 1, 1, 1, 1, 1, 1], each(1), 'idle'],
  ['one pause of 4 s after', 5, each(1), [1, 1, 4], 'idle'],
  ['what lies further away does not count', 5, [...each(1), 4], [...each(1), 4], 'missed'],
  ['too few known before', 5, each(1).slice(1), each(1), 'unknown'],
  ['too few known before, of which one says enough', 5, [3], each(1), 'idle'],
  ['too few came after', 5, each(1), each(1).slice(1), undefined],
  ['one that comes a second after its slot begins', 11, each(1), each(1), 'missed'],
  ['one that comes two seconds after its slot begins: work may have come then', 12, each(1), each(1), 'idle'],
  ['a block a minute late', 60, each(1), each(1), 'missed'],
  ['a chain that stood still', 65, each(1), each(1), 'unknown'],
])('%s', (_, late, before, after, passed) => {
  expect(judgePassed(late, before, after)).toBe(passed)
})
