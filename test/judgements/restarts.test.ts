import { describe, expect, test } from 'vitest'
import { judgeRestart, type Life, roundOf, type Sight } from '../../src/judgements/restarts.ts'

/** With the milliseconds of a round, by default. */
type Seen = Partial<Omit<Sight, 'round'>> & { beat?: number | undefined; at?: number; wasRefused?: boolean }
const REFUSED = 60_000
const sightOf = ({ beat, at, wasRefused = false, ...more }: Seen): Sight => ({
  nodeId: 'NodeID-A',
  isReady: true,
  round: { ...(beat === undefined ? {} : { beat }), ...(at === undefined ? {} : { at }) },
  refusedAt: wasRefused ? REFUSED : undefined,
  ...more,
})

/** In which sights a restart is found. */
function restartsIn(...sights: Seen[]): number[] {
  let life: Life | undefined
  return sights.flatMap((one, at) => {
    const judged = judgeRestart(life, sightOf({ beat: 300, ...one }))
    life = judged.life
    return judged.hasRestarted ? [at] : []
  })
}
const same = {}
const times = (count: number, sight: Seen) => Array.from({ length: count }, () => sight)

describe('a node has restarted', () => {
  test.each<[string, Seen[], number[]]>([
    ['not at first, whatever is seen', [{ isReady: false, wasRefused: true }, same], []],
    ['as its P-Chain starts', [same, { isReady: false }, { isReady: false }, same], [1]],
    ['as a connection was refused', [same, { beat: 700, wasRefused: true }, { beat: 700 }], [1]],
    ['as a connection was refused, and it has no beat', times(3, { beat: undefined, wasRefused: true }), [1, 2]],
    [
      'not while a check is from before, and it has no beat',
      times(3, { beat: undefined, at: REFUSED - 1, wasRefused: true }),
      [],
    ],
    ['as its checks are later, and it has no beat', [same, { beat: undefined, at: REFUSED, wasRefused: true }], [1]],
    [
      'as its beat is another one, whenever its checks were',
      [same, { beat: 700, at: REFUSED - 1, wasRefused: true }],
      [1],
    ],
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
  const beat = (text: string) => roundOf([{ timestamp: Date.parse(text) / 1_000, duration: 14_119 }]).beat
  expect(beat(one) === beat(other)).toBe(isSame)
})

test.each<[string, Parameters<typeof roundOf>[0], ReturnType<typeof roundOf>]>([
  ['without checks', [], {}],
  ['before the first round', [{ timestamp: undefined, duration: 0 }], {}],
  [
    'when the first check of a round began',
    [
      { timestamp: 60.34, duration: 40_000_000 },
      { timestamp: 60.312, duration: 1_000_000 },
    ],
    { at: 60_340, beat: 300 },
  ],
  ['though one check hangs', [{ timestamp: 30.1 }, { timestamp: 60.3 }], { at: 60_300, beat: 300 }],
  ['of a check without a duration', [{ timestamp: 60.3 }], { at: 60_300, beat: 300 }],
  ['at the end of a second', [{ timestamp: 60.9996 }], { at: 61_000, beat: 0 }],
  ['without parts of a second', [{ timestamp: 60, duration: 1_000_000 }, { timestamp: 30 }], { at: 60_000 }],
])('the last round %s', (_, checks, round) => {
  expect(roundOf(checks)).toEqual(round)
})
