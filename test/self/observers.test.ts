import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/schema.ts'
import { createObservers, type Observers } from '../../src/self/observers.ts'
import { seriesOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'

const configWith = (nodes: readonly string[]) =>
  configFrom(`
networks:
  - name: fuji
    nodes: [${nodes.map((node) => `{ url: "http://127.0.0.1:1", ${node} }`).join(', ')}]
    validators: [{ node_id: ${ONE}, name: one }, { node_id: ${TWO}, name: two }]
`)

/** After these nodes have answered: values by validator. */
function observersOf(nodes: readonly string[], answers: readonly [node: string, nodeId?: string][]) {
  const observers = createObservers(configWith(nodes))
  for (const [node, nodeId] of answers) observers.answered('fuji', node, nodeId)
  return { observers, values: valuesOf(observers) }
}

function reported(observers: Observers, config: Config, stays: () => boolean): Record<string, number> {
  observers.replan(config, stays)
  return valuesOf(observers)
}

function valuesOf(observers: Observers): Record<string, number> {
  const text = observers
    .changes()
    .flatMap((message) =>
      message.kind === 'publish' ? message.families.map(({ lines }) => Buffer.concat(lines).toString()) : [],
    )
  return Object.fromEntries(seriesOf(text.join(''), /./).map(({ labels, value }) => [labels['validator'], value]))
}

describe('observers of a validator', () => {
  test.each<[string, string[], [string, string?][], Record<string, number>]>([
    ['the only node is the validator itself', [`name: a, node_id: ${ONE}`], [], { one: 0, two: 1 }],
    ['the node says so itself', ['name: a'], [['a', ONE]], { one: 0, two: 1 }],
    ['a node is unknown until it has answered', ['name: a', `name: b, node_id: ${ONE}`], [], {}],
    [
      'each node but itself',
      ['name: a', 'name: b'],
      [
        ['a', ONE],
        ['b', TWO],
      ],
      { one: 1, two: 1 },
    ],
    ['a node that does not name itself counts as another node', ['name: a'], [['a']], { one: 1, two: 1 }],
    [
      'what a node says counts more than what is configured',
      [`name: a, node_id: ${ONE}`],
      [['a', TWO]],
      { one: 1, two: 0 },
    ],
    ['a later answer without an id changes nothing', ['name: a'], [['a', ONE], ['a']], { one: 0, two: 1 }],
  ])('%s', (_, nodes, answers, expected) => {
    expect(observersOf(nodes, answers).values).toEqual(expected)
  })

  test('are published when they change', () => {
    const { observers } = observersOf(['name: a'], [['a', ONE]])
    expect(observers.changes()).toEqual([])
    observers.answered('fuji', 'a', ONE)
    expect(observers.changes()).toEqual([])
    observers.answered('fuji', 'a', TWO)
    expect(observers.changes()).toHaveLength(1)
  })

  test.each<[string, boolean, Record<string, number>]>([
    ['stays knows who it is', true, { one: 0, two: 1 }],
    ['is another one has to say so again', false, {}],
  ])('after a reload a node that %s', (_, stays, expected) => {
    const { observers } = observersOf(['name: a'], [['a', ONE]])
    expect(reported(observers, configWith(['name: a']), () => stays)).toEqual(expected)
  })

  test('after a reload that removes a node only the others count', () => {
    const { observers } = observersOf(['name: a', 'name: b'], [['a'], ['b']])
    expect(reported(observers, configWith(['name: b']), () => true)).toEqual({ one: 1, two: 1 })
  })
})
