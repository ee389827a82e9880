// A unit that is replaced: what was of its old samples is gone, whether its series stay the same or not.

import { expect, test } from 'vitest'
import { createBoard, type Kind, type Reading } from '../../src/conditions/board.ts'

const A = 'stakewatch_a'
const B = 'stakewatch_b'

const of = (source: string, value: number, more = {}): Reading => ({
  labels: { network: 'fuji', source, ...more },
  value,
})

const was: readonly [string, readonly Reading[]][] = [
  [A, [of('node-a', 1), of('node-b', 2)]],
  [B, [of('node-a', 3, { state: 'on' })]],
]

test.each<{ name: string; is: readonly (readonly [string, readonly Reading[]])[]; nodes: string[] }>([
  {
    name: 'other values of the same series',
    is: [
      [A, [of('node-a', 4), of('node-b', 5)]],
      [B, [of('node-a', 6, { state: 'on' })]],
    ],
    nodes: ['node-a', 'node-b'],
  },
  {
    name: 'the same series in another order',
    is: [
      [B, [of('node-a', 6, { state: 'on' })]],
      [A, [of('node-b', 5), of('node-a', 4)]],
    ],
    nodes: ['node-a', 'node-b'],
  },
  {
    name: 'as many samples, one of another node',
    is: [
      [A, [of('node-a', 1), of('node-c', 2)]],
      [B, [of('node-a', 3, { state: 'on' })]],
    ],
    nodes: ['node-a', 'node-c'],
  },
  {
    name: 'as many samples, one of another state',
    is: [was[0]!, [B, [of('node-a', 1, { state: 'off' })]]],
    nodes: ['node-a', 'node-b'],
  },
  {
    name: 'as many samples, one of another metric',
    is: [was[0]!, ['stakewatch_c', [of('node-a', 3, { state: 'on' })]]],
    nodes: ['node-a', 'node-b'],
  },
  {
    name: 'as many samples, one with one more label',
    is: [[A, [of('node-a', 1, { check: 'P' }), of('node-b', 2)]], was[1]!],
    nodes: ['node-a', 'node-b'],
  },
  {
    name: 'as many samples, one with one label less',
    is: [was[0]!, [B, [of('node-a', 3)]]],
    nodes: ['node-a', 'node-b'],
  },
  { name: 'fewer samples', is: [[A, [of('node-a', 1)]]], nodes: ['node-a'] },
  { name: 'more samples', is: [...was, ['stakewatch_c', [of('node-d', 1)]]], nodes: ['node-a', 'node-b', 'node-d'] },
  { name: 'none', is: [], nodes: [] },
])('$name', ({ is, nodes }) => {
  const board = createBoard()
  board.replace('unit', new Map(was))
  board.replace('unit', new Map(is))

  const plain = (readings: ReadonlyMap<string, readonly Reading[]>) =>
    Object.fromEntries(
      Array.from(readings, ([metric, some]) => [
        metric,
        some.map(({ labels, value }) => `${JSON.stringify(labels)} ${value}`).toSorted(),
      ]),
    )
  const metrics = new Set([A, B, 'stakewatch_c'])
  expect(plain(board.readings(metrics))).toEqual(plain(new Map(is)))
  const keys = (kind: Kind) => Array.from(board.things(kind), ({ labels }) => labels['source'] ?? labels['network'])
  expect(new Set(keys('node'))).toEqual(new Set(nodes))
  expect(keys('network')).toEqual(is.length > 0 ? ['fuji'] : [])
})
