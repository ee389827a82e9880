import { describe, expect, test } from 'vitest'
import { beatOf, judgeRestart, type Life, type Sight } from '../../src/judgements/restarts.ts'

const usual: Sight = { nodeId: 'NodeID-A', isReady: true, beat: 300, wasRefused: false }

/** In which sights a restart is found. */
function restartsIn(...sights: Partial<Sight>[]): number[] {
  let life: Life | undefined
  return sights.flatMap((one, at) => {
    const judged = judgeRestart(life, { ...usual, ...one })
    life = judged.life
    return judged.hasRestarted ? [at] : []
  })
}
const same = {}
const times = (count: number, sight: Partial<Sight>) => Array.from({ length: count }, () => sight)

describe('a node has restarted', () => {
  test.each<[string, Partial<Sight>[], number[]]>([
    ['not at first, whatever is seen', [{ isReady: false, wasRefused: true }, same], []],
    ['as its P-Chain starts', [same, { isReady: false }, { isReady: false }, same], [1]],
    ['as a connection was refused', [same, { beat: 700, wasRefused: true }, { beat: 700 }], [1]],
    ['as a connection was refused, and it has no beat', times(3, { beat: undefined, wasRefused: true }), [1, 2]],
    ['not while its beat stays', [same, { wasRefused: true }, same], []],
    [
      'not while its beat stays, which it had before it was late',
      [...times(3, same), { beat: 420 }, { wasRefused: true }],
      [],
    ],
    ['as its beat is another one for good', [...times(3, same), ...times(4, { beat: 700 })], [5]],
    ['not as its beat is late twice', [...times(3, same), ...times(2, { beat: 700 }), ...times(4, same)], []],
    ['not as a beat becomes known', [...times(2, { beat: 120 }), ...times(5, same)], []],
    [
      'once, whichever traces are seen later',
      [...times(3, same), { beat: 700, wasRefused: true }, { isReady: false, beat: 700 }, ...times(5, { beat: 700 })],
      [3],
    ],
    [
      'not as another node answers',
      [...times(3, same), { nodeId: 'NodeID-B', isReady: false, beat: 700, wasRefused: true }, same],
      [],
    ],
    [
      'as an unnamed node does',
      [
        { ...same, nodeId: undefined },
        { nodeId: undefined, isReady: false },
      ],
      [1],
    ],
    ['not as nothing is known of its checks', [same, { isReady: undefined, beat: undefined }, same], []],
    ['not as its checks are known to run at last', [{ isReady: undefined }, { isReady: false }, same], []],
  ])('%s', (_, sights, found) => {
    expect(restartsIn(...sights)).toEqual(found)
  })

  test.each([
    [300, 305, []],
    [300, 306, [1]],
    [998, 3, []],
    [998, 4, [1]],
    [2, 997, []],
  ])('a beat of %i ms and one of %i ms, after a refusal: %j', (one, other, found) => {
    expect(restartsIn({ beat: one }, { beat: other, wasRefused: true })).toEqual(found)
  })
})

// Of AvalancheGo 1.14.2: each started its process again between two of these times, and not between those with the same beat.
test.each([
  ['2026-11-22T00:36:11.107Z', '2026-11-22T00:37:19.020Z', false],
  ['2026-11-22T00:37:19.020Z', '2026-11-22T00:46:49.020Z', true],
  ['2026-11-22T00:46:49.020Z', '2026-11-22T00:50:06.330Z', false],
  ['2026-11-22T00:39:38.834Z', '2026-11-22T00:51:28.834Z', true],
])('recorded checks of %s and %s have the same beat: %s', (one, other, isSame) => {
  const beat = (text: string) => beatOf([{ timestamp: Date.parse(text) / 1_000, duration: 14_119 }])
  expect(beat(one) === beat(other)).toBe(isSame)
})

test.each<[string, Parameters<typeof beatOf>[0], number | undefined]>([
  ['without checks', [], undefined],
  ['before the first round', [{ timestamp: undefined, duration: 0 }], undefined],
  [
    'when the first check of a round began',
    [
      { timestamp: 60.34, duration: 40_000_000 },
      { timestamp: 60.312, duration: 1_000_000 },
    ],
    300,
  ],
  ['of the last round, though one check hangs', [{ timestamp: 30.1 }, { timestamp: 60.3 }], 300],
  ['of a check without a duration', [{ timestamp: 60.3 }], 300],
  ['at the end of a second', [{ timestamp: 60.9996 }], 0],
])('the beat %s', (_, checks, beat) => {
  expect(beatOf(checks)).toBe(beat)
})
