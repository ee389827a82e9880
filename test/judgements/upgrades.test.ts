import { expect, test } from 'vitest'
import { expectedUpgrade, knowsUpgrade, scheduled } from '../../src/judgements/upgrades.ts'
import { asClient } from '../recorded/as-client.ts'

const at = (text: string) => Date.parse(text) / 1_000

test.each<[string, Readonly<Record<string, unknown>>, string, [string, string][]]>([
  [
    'recorded: one that is not scheduled',
    asClient('info.upgrades', 'plain') as Record<string, unknown>,
    '2026-11-22T00:39:39Z',
    [],
  ],
  [
    'fuji before Helicon',
    { graniteTime: '2025-10-29T15:00:00Z', heliconTime: '2026-07-28T15:00:00Z' },
    '2026-07-28T14:59:59Z',
    [['helicon', '2026-07-28T15:00:00Z']],
  ],
  ['fuji at the second of Helicon', { heliconTime: '2026-07-28T15:00:00Z' }, '2026-07-28T15:00:00Z', []],
  [
    'two, the next first',
    { bTime: '2027-02-01T00:00:00Z', aTime: '2027-01-01T00:00:00Z' },
    '2026-11-22T00:00:00Z',
    [
      ['a', '2027-01-01T00:00:00Z'],
      ['b', '2027-02-01T00:00:00Z'],
    ],
  ],
  [
    'what is no time',
    { graniteEpochDuration: 30_000_000_000, xTime: 'soon', wTime: 2_030, yTime: 4e9, zTimes: '2027-01-01T00:00:00Z' },
    '2026-11-22T00:00:00Z',
    [],
  ],
])('scheduled upgrades: %s', (_, members, now, expected) => {
  expect(scheduled(members, at(now))).toEqual(expected.map(([name, time]) => [name, at(time)]))
})

const NOW = 1_000
const peer = (weight: number, upgradeTime?: number) => ({ weight: BigInt(weight), upgradeTime })
const NEVER = at('9999-12-01T00:00:00Z')

test.each<[string, ReturnType<typeof peer>[], number[], { time: number; ready: bigint } | undefined]>([
  ['no peer knows one', [peer(5, 900), peer(5)], [], undefined],
  ['one that came into force this second', [peer(5, NOW)], [], undefined],
  ['one that is not scheduled', [peer(5, NEVER)], [], undefined],
  ['only the node knows it', [peer(5, 900)], [2_000], { time: 2_000, ready: 0n }],
  ['only peers know it', [peer(5, 900), peer(2, 2_000), peer(1, 2_000)], [], { time: 2_000, ready: 3n }],
  ['both know it', [peer(5, 900), peer(2, 2_000)], [2_000], { time: 2_000, ready: 2n }],
  ['more stake knows another one than the node', [peer(3, 3_000), peer(2, 2_000)], [2_000], { time: 3_000, ready: 3n }],
  ['less stake knows another one than the node', [peer(2, 3_000), peer(3, 2_000)], [2_000], { time: 2_000, ready: 3n }],
  ['as much stake knows either: the next', [peer(2, 3_000), peer(2, 2_000)], [], { time: 2_000, ready: 2n }],
  ['as much stake knows either, the later one first', [peer(2, 2_000), peer(2, 3_000)], [], { time: 2_000, ready: 2n }],
  ['less stake knows an earlier one', [peer(3, 3_000), peer(2, 2_000)], [], { time: 3_000, ready: 3n }],
  ['the node knows two, and no peer any', [], [3_000, 2_000], { time: 2_000, ready: 0n }],
])('the expected upgrade: %s', (_, peers, own, expected) => {
  expect(expectedUpgrade(peers, own, NOW)).toEqual(expected)
})

test.each([
  ['that upgrade', 2_000, true],
  ['an earlier one', 1_999, false],
  // It may know that upgrade as well, but reports only the newest.
  ['a later one', 2_001, undefined],
  ['one that is not scheduled', NEVER, false],
])('software knows an upgrade, when the newest one that it knows is %s', (_, newest, expected) => {
  expect(knowsUpgrade(newest, 2_000)).toBe(expected)
})
