// What the poller publishes is judged, and what is a problem survives a restart.

import { describe, expect, test } from 'vitest'
import { createJudging } from '../../src/daemon/judging.ts'
import type { Config } from '../../src/config/schema.ts'
import { later, type Moment, NEVER } from '../../src/lib/clock.ts'
import type { Records } from '../../src/lib/records.ts'
import { ofRun, opinionOfValidator, ofValidator, type Sample } from '../../src/metrics/define.ts'
import type { Change } from '../../src/metrics/publication.ts'
import { configFrom } from '../support/poll.ts'

const MINUTE = 60_000
const start: Moment = { wall: 1_780_000_000_000, steady: 0 }
const config = { limits: {}, alerts: {}, networks: [] }
const labels = { network: 'fuji', subnet: 'primary', node_id: 'NodeID-1', validator: 'val-1' }
const tracked = ofValidator.gauge('stakewatch_validator_tracked', { help: 'A.' })
const interval = ofRun.gauge('stakewatch_collector_interval_seconds', { help: 'A.' })
const run = interval.sample({ network: 'fuji', collector: 'uptime', source: 'node-a', target: '' }, 60)
const connected = opinionOfValidator.gauge('stakewatch_validator_connected', { help: 'A.' })

/** As a storage does it: what was saved comes back as JSON leaves it. */
function memory(): Records {
  const saved = new Map<string, string>()
  return {
    load: (key) => (saved.has(key) ? (JSON.parse(saved.get(key)!) as unknown) : undefined),
    async save(key, value) {
      saved.set(key, JSON.stringify(value))
    },
  }
}

function process(store?: Records) {
  let now = start
  const judging = createJudging({ clock: { now: () => now }, log: { info: () => {}, warn: () => {} } })
  judging.resume(store)
  const take = (key: string, samples: readonly Sample[], expiresAt = NEVER) =>
    judging.take({ kind: 'publish', key, families: [], samples, expiresAt })
  return {
    judging,
    take,
    /** The lines about the disconnected validator, at this minute. */
    at(minute: number, isConnected?: boolean): string[] {
      now = later(start, minute * MINUTE)
      take('configuration', [tracked.sample(labels, 1)])
      take('run', [run])
      const seen = isConnected === undefined ? [] : [connected.sample({ ...labels, source: 'node-a' }, isConnected)]
      take('uptime', seen, later(now, 5 * MINUTE))
      return linesOf(judging.verdicts(now, config, 0))
    },
    quietly(minute: number): string[] {
      now = later(start, minute * MINUTE)
      return linesOf(judging.verdicts(now, config, 0))
    },
  }
}

const linesOf = (change: Change) =>
  change.kind === 'publish'
    ? change.families
        .flatMap(({ lines }) => Buffer.concat(lines).toString().trim().split('\n'))
        .filter((line) => line.includes('"validator_disconnected"') && !line.startsWith('stakewatch_conditions'))
        .map((line) => line.replace(/\{.*\}/, ''))
    : []

const SINCE_8 = `stakewatch_condition_unknown_since_timestamp_seconds ${1_780_000_000 + 8 * 60}`
const IS_HELD = ['stakewatch_condition 1', 'stakewatch_condition_value 0']
const HAS_ENDED = ['stakewatch_condition_ended 1']
const IS_PROBLEM = [...IS_HELD, 'stakewatch_condition_detail 1']

test('a problem that has lasted is held while nothing reports on it, and says since when', () => {
  const { at } = process()
  expect(at(0, true)).toEqual([])
  expect(at(1, false)).toEqual(IS_PROBLEM)
  expect(at(7, false)).toEqual(IS_PROBLEM)
  expect(at(8)).toEqual([...IS_HELD, SINCE_8])
  expect(at(60)).toEqual([...IS_HELD, SINCE_8])
  expect(at(61, true)).toEqual(HAS_ENDED)
  expect(at(76, true)).toEqual(HAS_ENDED)
  expect(at(77, true)).toEqual([])
  expect(at(78, false)).toEqual(IS_PROBLEM)
  expect(at(79, true)).toEqual(HAS_ENDED)
  // It is one again: a replica that does not answer may hold it.
  expect(at(80, false)).toEqual(IS_PROBLEM)
})

test('one that has not lasted yet ends with its samples, also with those that expire', () => {
  const { at, quietly } = process()
  expect(at(1, false)).toEqual(IS_PROBLEM)
  expect(at(2)).toEqual([])
  expect(at(3, false)).toEqual(IS_PROBLEM)
  expect(quietly(7)).toEqual(IS_PROBLEM)
  // The samples of minute 3 have expired, and nothing says that it went on until minute 8.
  expect(quietly(9)).toEqual([])
})

test.each([
  ['with a storage it is there at once, before any poll, and goes on', true],
  ['without one it is not known until the next poll', false],
])('a problem and a restart: %s', (_, isStored) => {
  const store = isStored ? memory() : undefined
  const before = process(store)
  before.at(0, true)
  before.at(1, false)
  before.judging.end()

  const after = process(store)
  expect(after.quietly(3).slice(0, 2)).toEqual(isStored ? IS_HELD : [])
  expect(after.at(3, false)).toEqual(IS_PROBLEM)
})

test('a held problem survives a restart, and ends when it is seen to be over', () => {
  const store = memory()
  const before = process(store)
  before.at(1, false)
  before.at(7, false)
  before.at(8)
  before.judging.end()

  const after = process(store)
  expect(after.at(12)).toEqual([...IS_HELD, SINCE_8])
  expect(after.at(30)).toEqual([...IS_HELD, SINCE_8])
  expect(after.at(31, true)).toEqual(HAS_ENDED)
})

test('while it did not run, no connection is known', () => {
  const store = memory()
  const before = process(store)
  before.at(0, true)
  before.at(2, true)
  before.judging.end()
  const { at, judging } = process(store)
  at(60, true)
  const begun = start.wall / 1_000
  expect(judging.connectedDay(labels)).toEqual([begun, 1, begun + 120, NaN, begun + 3_600, 1])
})

test.each(['a restart', 'a reload'])('a held problem has the name that %s gives to the validator', (how) => {
  const store = memory()
  const before = process(store)
  for (const minute of [1, 7, 8]) before.at(minute, false)
  before.judging.end()
  const { judging, take } = how === 'a restart' ? process(store) : before
  take('run', [run])
  take('uptime', [])
  take('configuration', [tracked.sample({ ...labels, validator: 'val-2' }, 1)])
  const change = judging.verdicts(later(start, 9 * MINUTE), config, 0)
  const samples = change.kind === 'publish' ? (change.samples ?? []) : []
  const named = samples.filter((one) => one.labels['condition'] === 'validator_disconnected' && one.labels['validator'])
  expect(new Set(named.map((one) => one.labels['validator']))).toEqual(new Set(['val-2']))
})

test('a problem that lasts is saved each day: the storage drops what was not used for a month', () => {
  const store = memory()
  const saved: string[] = []
  const { at } = process({ ...store, save: async (key, value) => (saved.push(key), store.save(key, value)) })
  at(0, false)
  at(10, false)
  saved.splice(0)
  for (let day = 1; day <= 3; day += 1) at(day * 24 * 60, false)
  expect(saved.filter((key) => key === 'problems')).toHaveLength(3)
})

test('a problem whose value is infinite, as a price that was zero makes it, costs no other its memory', async () => {
  const store = memory()
  const before = process(store)
  before.at(1, false)
  before.at(7, false)
  before.judging.end()
  const rising = { labels: { network: 'fuji' }, value: Infinity, since: start.wall / 1_000, hasFired: false }
  await store.save('problems', { ...(store.load('problems') as object), l1_price_rising: { fuji: rising } })

  expect(process(store).quietly(8).slice(0, 2)).toEqual(IS_HELD)
})

describe.each(['a restart', 'a reload'])('what is remembered of a name, after %s', (how) => {
  const budget = opinionOfValidator.gauge('stakewatch_validator_downtime_budget_seconds', { help: 'A.' })
  const inSet = ofValidator.gauge('stakewatch_validator_in_set', { help: 'A.' })
  const [one, other] = [
    '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    'BUuypiq2wyuLMvyhzFXcPyxPMCgSp7eeDohhQRqTChoBjKziC',
  ]
  const named = (port: number, id: string) =>
    configFrom(
      `networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:${port}" }], subnets: [{ name: dev, id: ${id} }] }]`,
    )
  const ofDev = { ...labels, subnet: 'dev' }

  test.each([
    ['stays where nothing is changed', 1, one, ['downtime_budget_ending', 'validator_gone']],
    ['ends where the node has another URL', 2, one, ['validator_gone']],
    ['ends where the subnet has another id', 1, other, ['downtime_budget_ending']],
  ])('%s', (_, port, id, expected) => {
    const store = memory()
    let { judging, take } = process(store)
    const problemsAt = (minute: number, networks: Config, hours: number, isIn: boolean) => {
      take('a', [tracked.sample(labels, 1), tracked.sample(ofDev, 1), inSet.sample(labels, 1)])
      take('b', [budget.sample({ ...labels, source: 'node-a' }, hours * 3_600), inSet.sample(ofDev, isIn)])
      const change = judging.verdicts(later(start, minute * MINUTE), networks, 0)
      const samples = change.kind === 'publish' ? (change.samples ?? []) : []
      return samples
        .filter(({ metric }) => metric.name === 'stakewatch_condition')
        .map(({ labels: { condition } }) => condition!)
        .filter((condition) => ['downtime_budget_ending', 'validator_gone'].includes(condition))
        .toSorted()
    }
    for (const minute of [0, 30, 60]) expect(problemsAt(minute, named(1, one), 25, true)).toEqual([])
    judging.end()
    if (how === 'a restart') ({ judging, take } = process(store))
    expect(problemsAt(61, named(port, id), 20, false)).toEqual(expected)
  })
})

describe('a problem that a restart remembers', () => {
  const [kept, gone] = ['NodeID-111111111111111111116DBWJs', 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg']
  const configured = (...validators: string[]) =>
    configFrom(
      `networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }], validators: [${validators.map((id) => `{ node_id: ${id} }`).join()}] }]`,
    )
  test('ends at once where the configuration no longer names what has it, and only there', () => {
    const store = memory()
    const before = process(store)
    const of = (id: string) => ({ ...labels, node_id: id, validator: id })
    before.take('run', [run])
    before.take(
      'a',
      [kept, gone].map((id) => tracked.sample(of(id), 1)),
    )
    before.take(
      'b',
      [kept, gone].map((id) => connected.sample({ ...of(id), source: 'node-a' }, 0)),
    )
    before.judging.verdicts(start, configured(kept, gone), 0)
    before.judging.end()

    const { judging, take } = process(store)
    take('run', [run])
    take('a', [tracked.sample(of(kept), 1)])
    const change = judging.verdicts(later(start, MINUTE), configured(kept), 0)
    const samples = change.kind === 'publish' ? (change.samples ?? []) : []
    const found = samples.filter(({ metric }) => metric.name === 'stakewatch_condition')
    expect(new Set(found.flatMap((one) => one.labels['node_id'] ?? []))).toEqual(new Set([kept]))
  })
})

test('what cannot have been saved by this version is left aside', async () => {
  const store = memory()
  await store.save('problems', { validator_disconnected: { a: 1 } })
  await store.save('tracks', 'nothing')
  expect(process(store).at(1, true)).toEqual([])
})

test('is due again after two seconds, and after ten from half a minute on', () => {
  const { judging } = process()
  expect(judging.isDue(start)).toBe(true)
  const dueAfter = (at: number) => {
    judging.verdicts(later(start, at), config, 0)
    return [1_999, 2_000, 9_999, 10_000].filter((passed) => judging.isDue(later(start, at + passed)))
  }
  expect(dueAfter(0)).toEqual([2_000, 9_999, 10_000])
  expect(dueAfter(29_999)).toEqual([2_000, 9_999, 10_000])
  expect(dueAfter(30_000)).toEqual([10_000])
})

test('the configuration says how long it must last, and other limits', () => {
  const { take, judging } = process()
  take('run', [run])
  take('a', [tracked.sample(labels, 1), connected.sample({ ...labels, source: 'node-a' }, 0)])
  const changed = { ...config, alerts: { StakewatchValidatorDisconnected: { for: 0 } } }
  expect(linesOf(judging.verdicts(start, changed, 0))).toEqual(IS_PROBLEM)
  // With no time to wait it is held at once.
  take('a', [tracked.sample(labels, 1)])
  expect(linesOf(judging.verdicts(later(start, MINUTE), changed, 0))).toHaveLength(3)
})

test('what was read while the lists went back is repeated once they do not, and said once', () => {
  const { judging, take, quietly } = process()
  const lastSuccess = ofRun.gauge('stakewatch_collector_last_success_timestamp_seconds', { help: 'A.' })
  const stale = ofRun.gauge('stakewatch_collector_stale_since_timestamp_seconds', { help: 'A.' })
  const of = (collector: string, target: string) => ({ network: 'fuji', collector, source: '', target })
  const blocks = of('evm-blocks', 'c-chain')
  const balance = of('native-balances', 'relayer:c-chain')
  const at = (minute: number) => start.wall / 1_000 + minute * 60
  take('blocks', [lastSuccess.sample(blocks, at(0))])
  take('balance', [lastSuccess.sample(balance, at(0))])
  quietly(0)
  take('blocks', [lastSuccess.sample(blocks, at(0)), stale.sample(blocks, at(1))])
  quietly(1)
  take('balance', [lastSuccess.sample(balance, at(2))])
  quietly(2)
  expect(judging.takeRepeats()).toEqual([])
  take('blocks', [lastSuccess.sample(blocks, at(3))])
  quietly(3)
  expect(judging.takeRepeats()).toEqual([balance])
  expect(judging.takeRepeats()).toEqual([])
  take('balance', [lastSuccess.sample(balance, at(4))])
  quietly(4)
  expect(judging.takeRepeats()).toEqual([])
})

describe('a round in slices', () => {
  const away = connected.sample({ ...labels, source: 'node-a' }, false)
  const back = connected.sample({ ...labels, source: 'node-a' }, true)

  /** Each look at the clock takes longer than a slice. */
  function slow() {
    let steady = 0
    const clock = { now: () => ({ wall: start.wall, steady: (steady += 20) }) }
    const judging = createJudging({ clock, log: { info: () => {}, warn: () => {} } })
    judging.resume(undefined)
    const take = (sample: Sample, expiresAt = NEVER) =>
      judging.take({ kind: 'publish', key: 'uptime', families: [], samples: [sample], expiresAt })
    judging.take({
      kind: 'publish',
      key: 'configuration',
      families: [],
      samples: [tracked.sample(labels, 1)],
      expiresAt: NEVER,
    })
    take(away)
    return { judging, take }
  }

  test('judges what there was when it began; what comes while it rests is for the next one', async () => {
    const { judging, take } = slow()
    const round = judging.verdictsInSlices(start, config, 0)
    take(back)
    expect(linesOf((await round)!)).toEqual(IS_PROBLEM)
    expect(linesOf((await judging.verdictsInSlices(later(start, MINUTE), config, 0))!)).toEqual(HAS_ENDED)
  })

  test('what comes while it rests stays, though a page is asked for when what it replaces has expired', async () => {
    const { judging, take } = slow()
    take(away, { wall: Infinity, steady: 100 })
    const round = judging.verdictsInSlices(start, config, 0)
    take(back)
    for (let looks = 0; looks < 10; looks += 1) judging.readings()
    await round
    const seen = judging.readings(new Set(['stakewatch_validator_connected']))
    expect(Array.from(seen.values(), ([one]) => one?.value)).toEqual([1])
  })

  test('gives way to a round that cannot wait', async () => {
    const { judging, take } = slow()
    const round = judging.verdictsInSlices(start, config, 0)
    take(back)
    expect(linesOf(judging.verdicts(later(start, 1), config, 0))).toEqual([])
    expect(await round).toBeUndefined()
    expect(judging.isDue(later(start, MINUTE))).toBe(true)
  })
})
