// The long run judges what was measured: what grows is a violation, and what did not run proves nothing.

import { expect, test } from 'vitest'
import { type Held, growthOf } from '../../tools/longrun/measure.ts'
import { violations } from '../../tools/longrun.ts'

const held: Held = { heap: 100, rss: 300, descriptors: 40, timers: 3, sockets: 10, warnings: 0 }
const over = (last: Partial<Held>) => growthOf([held, held, held, held, { ...held, ...last }, { ...held, ...last }])
const sound = {
  daemon: over({}),
  network: over({}),
  left: { timers: 0, sockets: 0 },
  runs: 100,
  expectedRuns: 100,
  series: [10],
  orders: { done: 5, refused: 0 },
}

test.each([
  // A twentieth, and two megabytes more.
  ['heap', 106.9, []],
  ['heap', 107.1, ['daemon: heap grew']],
  ['rss', 322.9, []],
  ['rss', 323.1, ['daemon: rss grew']],
  ['descriptors', 49, ['daemon: descriptors grew']],
  ['timers', 12, ['daemon: timers grew']],
  ['sockets', 19, ['daemon: sockets grew']],
  ['warnings', 1, ['daemon: warnings grew']],
] as const)('%s at the end: %d', (name, last, expected) => {
  expect(violations({ ...sound, daemon: over({ [name]: last }) })).toEqual(expected)
})

test('one high measurement is no growth, a warning at any time is', () => {
  const high = { ...held, heap: 500, sockets: 90 }
  expect(growthOf([held, held, held, held, held, high]).filter(({ isViolation }) => isViolation)).toEqual([])
  const warned = { ...held, warnings: 1 }
  expect(growthOf([warned, warned, warned]).filter(({ isViolation }) => isViolation)).toMatchObject([
    { name: 'warnings' },
  ])
})

test.each([
  [{ left: { timers: 1, sockets: 0 } }, 'daemon: 1 timers are left after it has stopped'],
  [{ left: { timers: 0, sockets: 2 } }, 'daemon: 2 sockets are left after it has stopped'],
  [{ runs: 89 }, 'daemon: 89 of 100 runs'],
  [{ runs: 0, expectedRuns: 0 }, 'daemon: 0 of 0 runs'],
  [{ orders: { done: 0, refused: 9 } }, 'network: nothing came or went'],
])('%j', (change, expected) => {
  expect(violations({ ...sound, ...change })).toEqual([expected])
})
