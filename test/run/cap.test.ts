import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { emptyHistogram, ofSubnet, ofValidator, type Sample } from '../../src/metrics/define.ts'
import { createCap, createUnits, seriesIn } from '../../src/run/publication-units.ts'
import { createIdentifier, type Identified } from '../../src/run/identity.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { clockOf } from '../support/clock.ts'
import { configFrom } from '../support/poll.ts'

const [ONE, TWO, STRANGER, OTHER] = [
  'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
  'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
]
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'

/** The tasks of one collector: on the primary network, and on an L1 whose every validator is watched. */
const tasksWith = (most: number) => {
  const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    validators: [{ node_id: ${ONE} }, { node_id: ${TWO}, subnet: l1 }]
    subnets: [{ id: ${L1}, name: l1, validators: all }]
collectors: { validators: { max_series: ${most} } }
`)
  const tasks = plan(config, collectors).filter(({ collector }) => collector.name === 'validators')
  return tasks.map((task) => {
    const weight = (id: string) => metric.sample({ subnet: task.subject.name, node_id: id, validator: id }, 1)
    return { task, samplesOf: (ids: readonly string[]) => identified(task, ids.map(weight)) }
  })
}
const metric = ofValidator.gauge('stakewatch_weight', { help: 'A weight.' })
const identified = (task: Task, samples: readonly Sample[]) =>
  createIdentifier(task, { seriesDropped: () => {}, refused: () => {}, now: 0 })(samples)
const idsOf = (samples: readonly Identified[]) => samples.map(({ pairs }) => /node_id="([^"]+)"/.exec(pairs)?.[1])

describe('a task that is alone', () => {
  test.each([
    ['has room for all', 3, [STRANGER, TWO, OTHER], [STRANGER, TWO, OTHER]],
    ['keeps what is tracked, wherever it stands', 2, [STRANGER, OTHER, TWO], [TWO, STRANGER]],
    // That one is tracked on the primary network alone.
    ['knows what is tracked by the subnet', 1, [ONE, TWO], [TWO]],
  ])('%s', (_, most, ids, kept) => {
    const [, l1] = tasksWith(most)
    expect(idsOf(createCap().within(l1!.task, l1!.task.key, l1!.samplesOf(ids)))).toEqual(kept)
  })

  test('keeps a histogram whole or not at all: bounds, +Inf, sum and count are series', () => {
    const times = ofSubnet.histogram('stakewatch_times', { help: 'Times.', buckets: [1, 2] })
    const of = (id: string) => ({ subnet: 'l1', node_id: id, validator: id })
    const given = [metric.sample(of(ONE), 1), times.sample({}, emptyHistogram(times)), metric.sample(of(TWO), 2)]
    const samples = identified(tasksWith(9)[1]!.task, given)
    const keptOf = (most: number) => createCap().within(tasksWith(most)[1]!.task, 'it', samples)
    expect(seriesIn(samples)).toBe(1 + 5 + 1)
    expect([5, 6, 7].map((most) => keptOf(most).length)).toEqual([1, 2, 3])
  })
})

describe('two tasks of a collector', () => {
  /** On the primary network one that is tracked, on the L1 one that is tracked and two that are not. */
  const wanted = [[ONE], [TWO, STRANGER, OTHER]]

  test.each([
    ['of what is not tracked, what comes last', 3, [[ONE], [TWO, STRANGER]]],
    ['then all of it', 2, [[ONE], [TWO]]],
    // validators/fuji/l1 comes before validators/fuji/primary.
    ['then what is tracked, by the name of the task', 1, [[], [TWO]]],
  ])('lose %s: whichever runs first', (_, most, kept) => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const tasks = tasksWith(most)
      const cap = createCap()
      const run = (at: number) =>
        idsOf(cap.within(tasks[at]!.task, tasks[at]!.task.key, tasks[at]!.samplesOf(wanted[at]!)))
      const published: (string | undefined)[][] = [[], []]
      for (const at of [...order, ...order, ...order]) {
        published[at] = run(at)
        expect(published.flat().length).toBeLessThanOrEqual(most)
      }
      expect(published).toEqual(kept)
    }
  })

  test('leave room when they have less', () => {
    const [primary, l1] = tasksWith(2)
    const cap = createCap()
    cap.within(l1!.task, l1!.task.key, l1!.samplesOf([TWO, STRANGER]))
    expect(cap.within(primary!.task, primary!.task.key, primary!.samplesOf([ONE]))).toEqual([])
    cap.within(l1!.task, l1!.task.key, [])
    expect(idsOf(cap.within(primary!.task, primary!.task.key, primary!.samplesOf([ONE])))).toEqual([ONE])
  })
})

/** Publishes what the run of a task gives, with a part; returns the lines. */
function publishing() {
  const lines: string[] = []
  const clock = clockOf(() => 0)
  const units = createUnits({
    publish(message) {
      if (message.kind !== 'publish') return
      for (const family of message.families) lines.push(...family.lines.map((line) => new TextDecoder().decode(line)))
    },
    seriesDropped: () => {},
    clock,
    toUpstreamTime: (wall) => wall,
    log: { info: () => {}, warn: () => {} },
  })
  const answered = { oldest: clock.now(), acceptedUntil: clock.now() }
  const samplesOf = (subnet: string, ids: readonly string[]) =>
    ids.map((id) => metric.sample({ subnet, node_id: id, validator: id }, 1))
  const render = (task: Task, subnet: string, own: readonly string[], ofPart: readonly string[]) => {
    const parts = ofPart.length === 0 ? [] : [{ name: 'part', samples: samplesOf(subnet, ofPart), of: [] }]
    const outcome = { samples: samplesOf(subnet, own), parts }
    return units.render(task, outcome, { answered, isAny: true }, () => {})
  }
  const published = () => lines.join('').match(/(?<=node_id=")[^"]+/g)
  return { render, units, published }
}

test('the first run, too, drops what is not tracked before what is, in whichever part that stands', () => {
  const { render, published } = publishing()
  render(tasksWith(2)[1]!.task, 'l1', [STRANGER, OTHER], [TWO])()
  expect(published()).toEqual([STRANGER, TWO])
})

test('what a run was about to publish when it was stopped takes no room once its task is gone', () => {
  const [primary, l1] = tasksWith(2)
  const { render, units, published } = publishing()
  render(l1!.task, 'l1', [], [TWO])
  units.forget(l1!.task)
  render(primary!.task, 'primary', [ONE, STRANGER], [])()
  expect(published()).toEqual([ONE, STRANGER])
})
