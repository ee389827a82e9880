import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { ofSubnet, ofValidator, opinionOfValidator, type Sample } from '../../src/metrics/define.ts'
import { createIdentifier } from '../../src/run/identity.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'

const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    validators: [{ node_id: NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu }]
`)
const task = plan(config, collectors).find(({ collector }) => collector.name === 'uptime')!
const one = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'

const seen = opinionOfValidator.gauge('stakewatch_seen', { help: 'Seen.' })
const state = opinionOfValidator.stateSet('stakewatch_state', { help: 'A state.', states: ['up', 'other'] })
const weight = ofValidator.gauge('stakewatch_weight', { help: 'A weight.', labels: ['kind'] })
const size = ofSubnet.gauge('stakewatch_size', { help: 'A size.' })

const named = (id: string, name = id) => ({ node_id: id, validator: name })

function identified(of: Task, samples: readonly Sample[]) {
  const dropped: number[] = []
  const refused: (string | undefined)[] = []
  const identify = createIdentifier(of, {
    seriesDropped: (count) => dropped.push(count),
    refused: ({ reason }) => refused.push(reason),
    now: 0,
    isKept: (name) => name !== seen.name,
  })
  // Two units, as a run and a part of it.
  const half = Math.ceil(samples.length / 2)
  return { kept: [identify(samples.slice(0, half)), identify(samples.slice(half))], dropped, refused }
}

/** The same task, of which nothing is known. */
const unknown = () => ({ ...task, labels: { ...task.labels } })

/** Each run gives the same samples as if the task had never run before. */
const runs: readonly (readonly [string, readonly (readonly Sample[])[]])[] = [
  ['the same', [[seen.sample(named(one), 1)], [seen.sample(named(one), 2)]]],
  ['another value of a label', [[seen.sample(named(one), 1)], [seen.sample(named(one, 'renamed'), 1)]]],
  [
    'a label that the collector gives instead of the task',
    [[seen.sample(named(one), 1)], [seen.sample({ ...named(one), source: 'node-b' }, 1)]],
  ],
  [
    'a label that the task fixes again',
    [[seen.sample({ ...named(one), source: 'node-b' }, 1)], [seen.sample(named(one), 1)]],
  ],
  [
    'another order, fewer, and all again',
    [
      ['a', 'b', 'c'].map((id) => seen.sample(named(id), 1)),
      ['c', 'a', 'b'].map((id) => seen.sample(named(id), 1)),
      ['b'].map((id) => seen.sample(named(id), 1)),
      [],
      ['a', 'b', 'c'].map((id) => seen.sample(named(id), 1)),
    ],
  ],
  [
    'several metrics of an object',
    [
      [seen.sample(named('a'), 1), state.sample(named('a'), 'up'), weight.sample({ ...named('a'), kind: 'l1' }, 1)],
      [weight.sample({ ...named('a'), kind: 'l1' }, 2), state.sample(named('a'), 'up'), size.sample({}, 3)],
    ],
  ],
  [
    'a series that is there twice',
    [
      [seen.sample(named('a'), 1), seen.sample(named('b'), 1), seen.sample(named('a'), 2)],
      [seen.sample(named('a'), 1), seen.sample(named('a'), 2), seen.sample(named('b'), 1)],
    ],
  ],
  [
    'a text that is no label',
    [[seen.sample(named('a\u0000'), 1)], [seen.sample(named('a\u0000'), 1), seen.sample(named('a'), 1)]],
  ],
]

describe('a run after others of the task', () => {
  test.each(runs)('%s', (_, all) => {
    for (const samples of all) expect(identified(task, samples)).toEqual(identified(unknown(), samples))
  })

  test('has the labels of the run before, so that nothing compares them again', () => {
    const labelsIn = (of: Task) => identified(of, [state.sample(named('a'), 'up')]).kept[0]![0]!.labels
    expect(labelsIn(task)).toBe(labelsIn(task))
    // As a budget makes it that is too small.
    expect(labelsIn({ ...task, settings: { ...task.settings, every: 1 } })).toBe(labelsIn(task))
  })

  test('shows a missing label as a defect, and the next run is whole', () => {
    const samples = [state.sample(named('a'), 'up'), state.sample(named('b'), 'up')]
    const lacking = [state.sample({ node_id: 'a' }, 'up')]
    identified(task, samples)
    expect(() => identified(task, lacking)).toThrow('stakewatch_state lacks the label validator')
    expect(identified(task, samples)).toEqual(identified(unknown(), samples))
  })
})
