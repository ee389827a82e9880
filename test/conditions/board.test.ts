// A unit that is replaced: what was of its old samples is gone, whether its series stay the same or not.

import { expect, test } from 'vitest'
import { createBoard, type Kind } from '../../src/conditions/board.ts'
import type { Series } from '../../src/metrics/read-exposition.ts'
import { rowsOf } from '../support/rows.ts'

/** `a: node-a=1 node-b=2; b: node-a/state/on=3`: the series of each metric. */
function seriesOf(text: string): Series[] {
  return text.split('; ').flatMap((part) => {
    const [metric, some] = part.split(': ')
    return some ? some.split(' ').map((one) => oneSeriesOf(`stakewatch_${metric}`, one)) : []
  })
}

function oneSeriesOf(name: string, text: string): Series {
  const [whose = '', value] = text.split('=')
  const [source = '', label, word = ''] = whose.split('/')
  return { name, labels: { network: 'fuji', source, ...(label && { [label]: word }) }, value: Number(value) }
}

const was = seriesOf('a: node-a=1 node-b=2; b: node-a/state/on=3')

test.each(
  rowsOf(`
    other values of the same series       | a: node-a=4 node-b=5; b: node-a/state/on=6            | node-a node-b
    the same series in another order      | b: node-a/state/on=6; a: node-b=5 node-a=4            | node-a node-b
    as many samples, of another node      | a: node-a=1 node-c=2; b: node-a/state/on=3            | node-a node-c
    as many samples, of another state     | a: node-a=1 node-b=2; b: node-a/state/off=1           | node-a node-b
    as many samples, of another metric    | a: node-a=1 node-b=2; c: node-a/state/on=3            | node-a node-b
    as many samples, with one more label  | a: node-a/check/P=1 node-b=2; b: node-a/state/on=3    | node-a node-b
    as many samples, with one label less  | a: node-a=1 node-b=2; b: node-a=3                     | node-a node-b
    fewer samples                         | a: node-a=1                                           | node-a
    more samples                          | a: node-a=1 node-b=2; b: node-a/state/on=3; c: node-d=1 | node-a node-b node-d
    none                                  |                                                       |
  `),
)('%s', (_, text = '', named = '') => {
  const is = seriesOf(text)
  const nodes = named.split(' ').filter(Boolean)
  const board = createBoard()
  board.replace('unit', was)
  board.replace('unit', is)

  const plain = (some: readonly Series[]) =>
    some.map(({ name, labels, value }) => `${name} ${JSON.stringify(labels)} ${value}`).toSorted()
  const metrics = new Set(['stakewatch_a', 'stakewatch_b', 'stakewatch_c'])
  expect(plain([...board.readings(metrics).values()].flat())).toEqual(plain(is))
  const keys = (kind: Kind) => Array.from(board.things(kind), ({ labels }) => labels['source'] ?? labels['network'])
  expect(new Set(keys('node'))).toEqual(new Set(nodes))
  expect(keys('network')).toEqual(is.length > 0 ? ['fuji'] : [])
})
