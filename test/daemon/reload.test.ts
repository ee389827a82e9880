// Another configuration for a daemon that runs, in one thread and on the simulated network. Time stands still, so that each
// run is one that the start or the reload has caused.

import { describe, expect, test, type TestContext } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import type { Config } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { createReload } from '../../src/daemon/reload.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { createIdle, createSteppedClock } from '../../tools/stepped-time.ts'
import { seriesOf, valueOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const EPOCH = 1_780_000_000
const names = collectors.map(({ name }) => name)
const { idle } = createIdle()

async function network({ onTestFinished }: TestContext) {
  const time = createSteppedClock(EPOCH * 1_000)
  const clock = () => time.clock.now().steady / 1_000
  const simulator = await startSimulator({ seed: 1, epoch: EPOCH, clock, validators: 20, delegations: 40 })
  onTestFinished(() => simulator.stop())
  return { simulator, time }
}

type Stage = Awaited<ReturnType<typeof network>>

/** Runs with what `load` gives, all of it polled once. */
async function started(
  { onTestFinished }: TestContext,
  { time }: Stage,
  first: string,
  seen: (config: Config) => Config = (config) => config,
) {
  const lines: object[] = []
  const note = (details: object, message: string) => void lines.push({ ...details, message })
  let yaml = first
  const load = () => configFrom(yaml)
  const { clock } = time
  const log = { info: note, warn: note }
  const app = createDaemon({ config: seen(load()), version: '0', log, clock, random: () => 0, load })
  await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  /** Until all runs have ended, and a new body is made. */
  async function settled(): Promise<void> {
    await idle()
    time.advance(1_000)
    await idle()
  }
  const stop = async () => {
    const stopped = app.stop()
    time.advance(5_000)
    await stopped
  }
  onTestFinished(stop)
  await settled()
  return {
    settled,
    lines,
    /** As a scrape sees it at this instant. */
    text: async () => (await app.once(() => false)).text,
    reload(next: string) {
      yaml = next
      return app.reload('test')
    },
  }
}

/** What there is, whatever its value. */
const seriesIn = (text: string) =>
  text
    .split('\n')
    // What libraries say of the process, and that the rules are loaded, does not follow from the configuration;
    // what is judged follows from all that is left.
    .filter((line) => line.startsWith('stakewatch_') && !/^stakewatch_(alerting_series|condition\w*)\{/.test(line))
    .map((line) => line.replace(/ \S+$/, ''))
    .toSorted()

/** By 'collector/network/target/source', when each task last succeeded. */
function lastRunsOf(text: string): Record<string, number> {
  const rows = seriesOf(text, 'stakewatch_collector_last_success_timestamp_seconds')
  return Object.fromEntries(
    rows.map(({ labels: { collector, network, target, source }, value }) => [
      [collector, network, target, ...(source ? [source] : [])].join('/'),
      value,
    ]),
  )
}

/** By 'collector/network/source', how many runs have succeeded. */
function runsOf(text: string): Record<string, number> {
  const rows = seriesOf(text, 'stakewatch_collector_runs_total', { result: 'success' })
  return Object.fromEntries(
    rows.map(({ labels: { collector, network, source }, value }) => [`${collector}/${network}/${source}`, value]),
  )
}

/** The same for these runs of tasks, once for each run. */
function countsOf(keys: readonly string[]): Record<string, number> {
  const byCollector = Map.groupBy(keys, (key) => {
    const [collector, network, , source = ''] = key.split('/')
    return `${collector}/${network}/${source}`
  })
  return Object.fromEntries([...byCollector].map(([key, runs]) => [key, runs.length]))
}

function base({ nodes, dataUrl, world }: Simulator): string {
  const [, , one, two] = [...world.validators.all.keys()]
  const owner = [...world.validators.all.values()][2]!.owner
  const on = ['uptime', 'supply', 'primary-blocks', 'balances', 'node-identity']
  return `networks:
  - name: fuji
    nodes:
${nodes.map(({ name, url }) => `      - { name: ${name}, url: "${url}" }`).join('\n')}
    data_api: { url: "${dataUrl}", key: first, budget: { per_minute: 90000 } }
    validators:
      - { node_id: ${one}, name: val-1 }
      - { node_id: ${two}, name: val-2 }
    chains:
      - { id: x-chain }
      - { id: c-chain }
    addresses:
      - { name: operator, addresses: [P-${owner}] }
defaults: { timeout: 10s }
collectors: { ${names.map((name) => `${name}: { enabled: ${on.includes(name)}, every: 1m }`).join(', ')} }
`
}

const uptime = ['uptime/fuji/primary/node-a', 'uptime/fuji/primary/node-b']
const identity = ['node-identity/fuji/all/node-a', 'node-identity/fuji/all/node-b']
const blocks = ['primary-blocks/fuji/c-chain', 'primary-blocks/fuji/x-chain']
const [supply, balances] = ['supply/fuji/primary', 'balances/fuji/operator:p-chain']

interface Change {
  to: (yaml: string, simulator: Simulator) => string
  restarted?: readonly string[]
  added?: readonly string[]
  removed?: readonly string[]
  /** Of what was published before, what is gone at once; default: nothing. */
  gone?: RegExp
}

const line = (pattern: RegExp) => (yaml: string) => yaml.replace(pattern, '')
const third = ({ world }: Simulator) => [...world.validators.all.keys()][4]!

const changes: Readonly<Record<string, Change>> = {
  'nothing at all': { to: (yaml) => `# A comment.\n${yaml}` },
  'a time-out': { to: (yaml) => yaml.replace('timeout: 10s', 'timeout: 5s') },
  'a budget': { to: (yaml) => yaml.replace('per_minute: 90000', 'per_minute: 80000') },
  'an interval': {
    to: (yaml) => yaml.replace('supply: { enabled: true, every: 1m', 'supply: { enabled: true, every: 2m'),
    restarted: [supply],
  },
  'the key of a service': {
    to: (yaml) => yaml.replace('key: first', 'key: second'),
    restarted: [balances, ...blocks, supply],
  },
  'the URL of a node': {
    // No name: a busy machine delays its lookup, and the test cannot see that it goes on.
    to: (yaml, { nodes }) => yaml.replace(nodes[1]!.url, nodes[1]!.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')),
    restarted: [identity[1]!, supply, uptime[1]!],
    // Another node may be there: which one, and in which state, is known when it has answered.
    gone: /^stakewatch_validator_observers|^stakewatch_(node_(?!admin)\w+|validator_\w+|collector_(last_)?success\w*|upstream_(up|clock_offset_seconds))\{.*"node-b"/,
  },
  'one validator more': {
    to: (yaml, simulator) =>
      yaml.replace('    chains:', `      - { node_id: ${third(simulator)}, name: val-3 }\n    chains:`),
    restarted: uptime,
  },
  'one validator less': {
    to: line(/ +- .*name: val-2 }\n/),
    restarted: uptime,
    gone: /^stakewatch_validator_(?!observers|tracked)\w+{|validator="val-2"/,
  },
  'the name of a validator': {
    to: (yaml) => yaml.replace('name: val-2', 'name: other'),
    restarted: uptime,
    gone: /^stakewatch_validator_(?!observers|tracked)\w+{|validator="val-2"/,
  },
  'an expectation of a validator': {
    to: (yaml) => yaml.replace('name: val-2', 'name: val-2, required_uptime: 0.5'),
    restarted: uptime,
    gone: /^stakewatch_validator_(?!observers|tracked)\w+{/,
  },
  'the name of a chain': {
    to: (yaml) => yaml.replace('{ id: c-chain }', '{ id: c-chain, name: c }'),
    added: ['primary-blocks/fuji/c'],
    removed: ['primary-blocks/fuji/c-chain'],
    gone: /chain="c-chain"|target="c-chain"/,
  },
  'one node less': {
    to: line(/ +- { name: node-b.*\n/),
    removed: [identity[1]!, uptime[1]!],
    restarted: [supply],
    gone: /source="node-b"/,
  },
  'no data service': {
    to: line(/ +data_api.*\n/),
    removed: [balances, ...blocks],
    restarted: [supply],
    gone: /source="data-api"|^stakewatch_(address|chain|balances|primary_blocks|supply)_(?!tracked)|collector="(balances|primary-blocks)"/,
  },
  'a collector less': {
    to: (yaml) => yaml.replace('balances: { enabled: true', 'balances: { enabled: false'),
    removed: [balances],
    // No other one that asks the service costs money when late.
    gone: /collector="balances"|^stakewatch_(address_(?!tracked)|balances_)|operation="get-balances"|source="data-api",rank="reserved"/,
  },
  'a network more': {
    to: (yaml, { nodes }) =>
      yaml.replace(
        'defaults:',
        `  - { name: here, network: fuji, nodes: [{ name: own, url: "${nodes[0]!.url}" }] }\ndefaults:`,
      ),
    added: ['node-identity/here/all/own', 'supply/here/primary'],
  },
  'the name of the network': {
    to: (yaml) => yaml.replace('name: fuji', 'name: other\n    network: fuji'),
    removed: [balances, ...identity, ...blocks, supply, ...uptime],
    added: [balances, ...identity, ...blocks, supply, ...uptime].map((key) => key.replace('fuji', 'other')),
    gone: /network="fuji"/,
  },
}

describe('what changes in the configuration', () => {
  test.for(Object.entries(changes))(
    '%s',
    async ([, { to, restarted = [], added = [], removed = [], gone }], context) => {
      const stage = await network(context)
      const first = base(stage.simulator)
      const other = to(first, stage.simulator)
      expect(other).not.toBe(first)
      const { text, reload, lines, settled } = await started(context, stage, first)
      const before = await text()
      const had = lastRunsOf(before)
      expect(Object.keys(had).toSorted()).toEqual([balances, ...identity, ...blocks, supply, ...uptime].toSorted())
      expect(runsOf(before)).toEqual(countsOf(Object.keys(had)))
      stage.time.advance(1_000)

      const kept = Object.keys(had).length - restarted.length - removed.length
      const numbers = { kept, restarted: restarted.length, added: added.length, removed: removed.length }
      await reload(other)
      const atOnce = seriesIn(await text())
      expect(lines.at(-1)).toMatchObject({ ...numbers, message: 'configuration reloaded' })
      const lost = seriesIn(before).filter((series) => !atOnce.includes(series))
      const due = seriesIn(before).filter((series) => gone?.test(series))
      expect(lost).toEqual(due)

      await settled()
      const after = await text()
      const ran = lastRunsOf(after)
      const now = [...Object.keys(had).filter((key) => !removed.includes(key)), ...added]
      expect(Object.keys(ran).toSorted()).toEqual(now.toSorted())
      expect(now.filter((key) => ran[key] !== had[key]).toSorted()).toEqual([...restarted, ...added].toSorted())
      // What is removed still counts while the collector has other targets.
      const alive = Object.keys(countsOf(now))
      const counts = countsOf([...Object.keys(had), ...restarted, ...added])
      expect(runsOf(after)).toEqual(Object.fromEntries(alive.map((key) => [key, counts[key]])))
      const fresh = await started(context, stage, other)
      expect(seriesIn(after)).toEqual(seriesIn(await fresh.text()))
      // And back again. What a node may be asked within a minute is used up by then.
      for (let passed = 0; passed < 60; passed += 10) {
        stage.time.advance(10_000)
        await idle()
      }
      await reload(first)
      await settled()
      expect(seriesIn(await text())).toEqual(seriesIn(before))
    },
  )
})

/** The same, but for noting each key of it that is read. */
function noting<T>(value: T, reads: string[], path: string): T {
  // What is frozen is a secret, which every task has a copy of.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  return new Proxy(value, {
    get(target, key, receiver) {
      reads.push(`${path}.${String(key)}`)
      return noting(Reflect.get(target, key, receiver), reads, `${path}.${String(key)}`)
    },
  })
}

test('a reload replaces the whole configuration: no part still reads the one before', async (context) => {
  const stage = await network(context)
  const first = base(stage.simulator)
  const reads: string[] = []
  // All tasks restart: an unchanged one keeps its task object, with what the old configuration said of its subject.
  const { reload, settled, lines } = await started(context, stage, first, (config) => noting(config, reads, ''))
  expect(reads).toEqual(expect.arrayContaining(['.networks', '.defaults', '.collectors']))
  await reload(first.replaceAll('every: 1m', 'every: 2m'))
  expect(lines.at(-1)).toMatchObject({ kept: 0, restarted: 8 })
  reads.length = 0
  for (let passed = 0; passed < 180; passed += 10) {
    stage.time.advance(10_000)
    await idle()
  }
  await settled()
  expect(reads).toEqual([])
})

test.for([
  ['another', 'budget: { per_minute: 80000 }'],
  ['none', ''],
] as const)('a budget holds from a reload on: %s', async ([, budget], context) => {
  const stage = await network(context)
  const first = base(stage.simulator)
  const other = first.replace('budget: { per_minute: 90000 }', budget)
  const shown = (text: string) => seriesOf(text, 'stakewatch_upstream_budget_units', { source: 'data-api' })
  const [app, fresh] = [await started(context, stage, first), await started(context, stage, other)]
  const wanted = shown(await fresh.text())
  expect(shown(await app.text())).not.toEqual(wanted)
  await app.reload(other)
  expect(shown(await app.text())).toEqual(wanted)
})

const broken = (yaml: string) => `${yaml}no_such_key: ${SECRET}\n`
const SECRET = 'hunter2'

test('a configuration that is refused changes nothing, and says what is wrong without a value of the file', async (context) => {
  const stage = await network(context)
  const first = base(stage.simulator)
  const { text, reload, lines, settled } = await started(context, stage, first)
  const before = await text()
  const loadedAt = valueOf(before, 'stakewatch_config_last_reload_success_timestamp_seconds')
  expect(loadedAt).toBe(EPOCH)
  stage.time.advance(5_000)
  await expect(reload(broken(first))).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('unknown key'),
  })
  await settled()
  const refused = await text()
  expect(seriesIn(refused)).toEqual(seriesIn(before))
  expect(runsOf(refused)).toEqual(runsOf(before))
  expect(lastRunsOf(refused)).toEqual(lastRunsOf(before))
  expect(valueOf(refused, 'stakewatch_config_last_reload_successful')).toBe(0)
  expect(valueOf(refused, 'stakewatch_config_last_reload_success_timestamp_seconds')).toBe(loadedAt)
  expect(lines.at(-1)).toMatchObject({ trigger: 'test', message: 'configuration rejected, keeping the previous one' })
  expect(JSON.stringify(lines) + refused).not.toContain(SECRET)

  await reload(first)
  const taken = await text()
  expect(valueOf(taken, 'stakewatch_config_last_reload_successful')).toBe(1)
  expect(valueOf(taken, 'stakewatch_config_last_reload_success_timestamp_seconds')).toBe(EPOCH + 7)
})

test('the answer to a run that was under way is not published, nor does it count for the node that is now asked', async (context) => {
  const stage = await network(context)
  const { simulator } = stage
  const first = base(simulator)
  const { text, reload, settled } = await started(context, stage, first)
  const before = await text()
  const asked = (text: string) =>
    valueOf(text, 'stakewatch_upstream_requests_total', { source: 'node-a', operation: 'info.getNodeID', code: 'ok' })
  // The first reload starts runs, the second one takes their tasks away before any answer can have come.
  const other = first.replace(simulator.nodes[0]!.url, simulator.nodes[0]!.url.replace('127.0.0.1', 'localhost'))
  const begun = reload(other)
  await begun
  await reload(first)
  await settled()
  const after = await text()
  expect(seriesIn(after)).toEqual(seriesIn(before))
  // Of three starts of the same task two have ended.
  expect(runsOf(after)['node-identity/fuji/node-a']).toBe(2)
  expect(asked(after)).toBe(asked(before)! * 2)
})

describe('reloads', () => {
  function open() {
    const loads: string[] = []
    const ends: (() => void)[] = []
    let text = 'one'
    const reload = createReload({
      load() {
        loads.push(text)
        if (text === 'refused') throw new BaseError('config', 'refused')
        if (text === 'defect') throw new TypeError(`cannot read ${SECRET}`)
        return configFrom('networks: [{ name: fuji }]')
      },
      poll: () => new Promise((resolve) => ends.push(() => resolve({ kept: 1, restarted: 0, added: 0, removed: 0 }))),
      loaded: async () => {},
      refused: async () => {},
      log: { info: () => {}, warn: () => {} },
    })
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    return { reload, loads, ends, turn, now: (file: string) => (text = file) }
  }

  test('never overlap: who comes meanwhile waits for one that reads the file after that, all of them for the same one', async () => {
    const { reload, loads, ends, turn, now } = open()
    const first = reload('a')
    await turn()
    now('two')
    const [second, third] = [reload('b'), reload('c')]
    await turn()
    expect([loads, ends.length]).toEqual([['one'], 1])
    ends[0]!()
    expect(await first).toMatch('1 unchanged')
    await turn()
    expect([loads, ends.length]).toEqual([['one', 'two'], 2])
    ends[1]!()
    expect(await second).toBe(await third)
    await turn()
    expect(loads).toHaveLength(2)
  })

  test('go on after one that was refused, and tell nothing of the error of a library', async () => {
    const { reload, loads, ends, turn, now } = open()
    now('refused')
    await expect(reload('a')).rejects.toThrow('refused')
    now('defect')
    const defect = await reload('b').catch((error: unknown) => error)
    expect(defect).toMatchObject({ code: 'bug' })
    expect(String(defect)).not.toContain(SECRET)
    now('two')
    const last = reload('c')
    await turn()
    ends[0]!()
    await last
    expect(loads).toEqual(['refused', 'defect', 'two'])
  })
})
