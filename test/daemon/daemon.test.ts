// The whole daemon in one process against the simulated network over real HTTP, with short intervals.

import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, type ListenOptions, Server } from 'node:net'
import { describe, expect, test, type TestContext, vi } from 'vitest'
import { type Daemon, createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { isKept } from '../../src/daemon/judging.ts'
import type { Config } from '../../src/config/schema.ts'
import { secretUrl } from '../../src/lib/secret.ts'
import { createLogger } from '../../src/logger.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { type Simulator, startSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts'
import { uptimeOf } from '../../src/simulator/world/views.ts'
import { eventually, scrape } from '../e2e/support/scrape.ts'
import { type Series, seriesOf, valueOf } from '../support/exposition.ts'
import { failChain } from '../../tools/golden.ts'
import { bare } from '../support/bare-server.ts'
import { clockOf } from '../support/clock.ts'
import { createHostileServer } from '../support/hostile-server.ts'
import { configFrom } from '../support/poll.ts'
import { postJson } from '../support/post.ts'

const EPOCH = 1_780_000_000

async function network({ onTestFinished }: TestContext, change: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => performance.now() / 1_000,
    speed: 20,
    validators: 20,
    delegations: 40,
    ...change,
  })
  onTestFinished(() => simulator.stop())
  return simulator
}

function configOf(simulator: Simulator, timeout: number = 10_000): Config {
  const config = configFrom(simulator.config(names))
  const [network] = config.networks as [Config['networks'][number]]
  return {
    ...config,
    // The first is the primary network.
    networks: [{ ...network, subnets: network.subnets.slice(0, 1) }],
    defaults: { ...config.defaults, timeout },
    // An opinion, a fact and a cursor: what holds for them holds for the others.
    collectors: only(['uptime', 'supply', 'primary-blocks']),
  }
}

const names = collectors.map(({ name }) => name)
const keysOf = (tasks: readonly { key: string }[]) => tasks.map(({ key }) => key)

function only(enabled: readonly string[], every: number = 60_000): Config['collectors'] {
  return Object.fromEntries(collectors.map(({ name }) => [name, { enabled: enabled.includes(name), every }]))
}

/** A daemon that is stopped with its test. */
function watched({ onTestFinished }: TestContext, config: Config, now?: () => number) {
  const started = daemon(config, now)
  onTestFinished(() => started.app.stop())
  return started
}

function daemon(config: Config, now: () => number = Date.now) {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', format: 'json', write: (line) => lines.push(line) })
  const app = createDaemon({ config, version: '0.0.0', log, clock: clockOf(now), random: () => 0 })
  return { app, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

async function serve(app: Daemon) {
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const base = `http://127.0.0.1:${bound!.port}`
  return { base, metrics: () => scrape(`${base}/metrics`) }
}

const order = ({ controlUrl }: Simulator, fault: object, server: string = 'node-a') =>
  postJson(`${controlUrl}/faults`, { server, fault })
const repair = (simulator: Simulator) => fetch(`${simulator.controlUrl}/faults`, { method: 'DELETE' })
const success = (text: string, labels: Record<string, string>) => valueOf(text, 'stakewatch_collector_success', labels)
const head = (text: string, chain = 'c-chain') => valueOf(text, 'stakewatch_chain_head_height', { chain })!
const opinionsOf = (text: string, source: string) =>
  seriesOf(text, 'stakewatch_validator_uptime_ratio', { source }).length
const uptimeOfA = { collector: 'uptime', source: 'node-a' }

describe('a node that', () => {
  test.for([
    ['closes its connections', { kind: 'reset' }, 'network'],
    ['is too slow', { kind: 'latency', ms: 120_000 }, 'timeout'],
    ['answers with a page', { kind: 'html' }, 'bad_response'],
  ] as const)('%s loses its own opinion, in five minutes, and nothing else', async ([, fault, code], context) => {
    const clock = { now: 0 }
    const simulator = await network(context, { speed: 1, clock: () => clock.now })
    const config = configOf(simulator, code === 'timeout' ? 3_000 : undefined)
    const { app, entries } = watched(context, config, () => (EPOCH + clock.now) * 1_000)
    const at = async (seconds: number) => {
      clock.now = seconds
      const { text, failed } = await app.once()
      const opinions = ['node-a', 'node-b'].map((source) => opinionsOf(text, source))
      return { text, failed: failed.map(({ key }) => key), opinions }
    }
    // Of six validators each node says nothing about its own.
    const sound = await at(0)
    expect(sound).toMatchObject({ failed: [], opinions: [5, 5] })

    await order(simulator, fault)
    const broken = await at(60)
    expect(broken).toMatchObject({ failed: ['uptime/fuji/primary/node-a'], opinions: [5, 5] })
    expect(head(broken.text)).toBeGreaterThan(head(sound.text))
    const up = (source: string) => valueOf(broken.text, 'stakewatch_upstream_up', { source })
    expect(['node-a', 'node-b', 'data-api'].map(up)).toEqual([0, 1, 1])
    const asked = (source: string, operation: string, code: string) =>
      valueOf(broken.text, 'stakewatch_upstream_requests_total', { source, operation, code })
    // A connection that breaks is tried twice more, and each request counts.
    const requests = code === 'network' ? 3 : 1
    expect(asked('node-a', 'platform.getCurrentValidators', code)).toBe(requests)
    // A fact is asked of the next node.
    expect(asked('node-a', 'platform.getCurrentSupply', code)).toBe(requests)
    expect(asked('node-b', 'platform.getCurrentSupply', 'ok')).toBe(1)
    expect(await at(299)).toMatchObject({ failed: ['uptime/fuji/primary/node-a'], opinions: [5, 5] })
    expect(await at(300)).toMatchObject({ failed: ['uptime/fuji/primary/node-a'], opinions: [0, 5] })

    await repair(simulator)
    expect(await at(360)).toMatchObject({ failed: [], opinions: [5, 5] })
    // The one task without another upstream has no line of its own.
    expect(entries()).toMatchObject([
      { level: 'warn', msg: 'source is down', network: 'fuji', source: 'node-a', code, tasks: 1 },
      { level: 'info', msg: 'source is back', network: 'fuji', source: 'node-a', seconds: 300 },
    ])
  })
})

describe('once', () => {
  test('gives what the network says of itself, and the tasks that failed', async (context) => {
    const simulator = await network(context, { speed: 0 })
    const config = configOf(simulator)
    const [{ nodes, ...rest }] = config.networks as [Config['networks'][number]]
    // Nothing listens on port 1.
    const broken = nodes.map((node) =>
      node.name === 'node-b' ? { ...node, url: secretUrl('http://127.0.0.1:1') } : node,
    )
    const { app } = watched(context, { ...config, networks: [{ ...rest, nodes: broken }] })
    const { text, failed } = await app.once()
    expect(failed.map(({ key }) => key)).toEqual(['uptime/fuji/primary/node-b'])
    expect(success(text, { collector: 'uptime', source: 'node-b' })).toBe(0)
    const { world, nodes: simulated } = simulator
    const seen = [...world.validators.all.values()].slice(1, 6).map((validator) => {
      const uptime = uptimeOf(validator, validator.views.get(simulated[0]!.nodeId)!, world.now())
      return [validator.nodeId, Math.round(1e6 * uptime) / 1e6]
    })
    const published = seriesOf(text, 'stakewatch_validator_uptime_ratio').map(({ labels, value }) => [
      labels['node_id'],
      Math.round(1e6 * value) / 1e6,
    ])
    expect(published).toEqual(seen)
    const supply = String(world.supply(world.now()))
    expect(valueOf(text, 'stakewatch_supply_tokens')).toBe(Number(`${supply.slice(0, -9)}.${supply.slice(-9)}`))
    for (const [name, chain] of Object.entries(world.chains)) {
      const labels = { chain: `${name.toLowerCase()}-chain` }
      expect(valueOf(text, 'stakewatch_chain_head_height', labels)).toBe(chain.head())
    }
  })
})

test('what the judge and the pages read of what is published is handed to them as well', async (context) => {
  const { app } = watched(context, configOf(await network(context)))
  const { text } = await app.once()
  const published = new Set(text.split('\n').flatMap((line) => /^stakewatch_\w+/.exec(line)?.[0] ?? []))
  const { readings } = app.seen()
  expect([...published].filter((name) => isKept(name) && !readings.has(name))).toEqual([])
})

test('an answer that is older than one before counts for the service that gave it', async (context) => {
  const block = (height: number) => `{"blockNumber":"${height}","blockHash":"h","blockTimestamp":1,"txCount":0}`
  let now = 0
  const { url } = await bare((_, number) => ({ body: `{"blocks":[${block(number === 2 ? 99 : 100)}]}` }))
  const config = configFrom(`networks: [{ name: fuji, data_api: { url: "${url}" }, chains: [{ id: x-chain }] }]`)
  const { app } = watched(context, { ...config, collectors: only(['primary-blocks']) }, () => now)
  const refused = async () => {
    now += 1_000
    const { text } = await app.once()
    return [
      head(text, 'x-chain'),
      valueOf(text, 'stakewatch_upstream_answers_refused_total', { source: 'data-api', reason: 'older' }),
    ]
  }
  expect([await refused(), await refused(), await refused()]).toEqual([
    [100, 0],
    [100, 1],
    [100, 1],
  ])
})

test.for<[string, string, number, string, string[]]>([
  ['with a key', ', key: the-key', 401, '{"message":"no"}', ['credentials rejected, pausing requests for 10 minutes']],
  ['without one', '', 403, '{"message":"no"}', ['access refused without credentials, pausing requests for 10 minutes']],
  ['with a page', ', key: the-key', 403, '<!doctype html><title>Just a moment...</title>', []],
])('a service that refuses access %s', async ([, key, status, body, said], context) => {
  const { url } = await bare(() => ({ status, body }))
  const data = `data_api: { url: "${url}"${key} }`
  const config = configFrom(`networks: [{ name: fuji, ${data}, chains: [{ id: x-chain }] }]`)
  const { app, entries } = watched(context, { ...config, collectors: only(['primary-blocks']) })
  await app.once()
  expect(entries().flatMap(({ msg }) => (/refused|rejected/.test(String(msg)) ? [msg] : []))).toEqual(said)
})

/** One validator, one L1 and one of every other thing, so that each case below can be written down in full. */
function sample(simulator: Simulator): Config {
  const loaded = configFrom(simulator.config(names))
  const { networks } = loaded
  const [network] = networks as [Config['networks'][number]]
  const named = <T extends { name: string }>(items: readonly T[], ...names: string[]) =>
    items.filter(({ name }) => names.includes(name))
  return {
    ...loaded,
    networks: [
      {
        ...network,
        nodes: named(network.nodes, 'node-a'),
        validators: named(network.validators, 'val-3'),
        subnets: named(network.subnets, 'primary', 'orchard'),
        chains: named(network.chains, 'c-chain', 'orchard'),
        addresses: named(network.addresses, 'operator'),
      },
    ],
    // A request for signatures waits for a minute and a half.
    collectors: only(names.filter((name) => name !== 'signature-probe')),
  }
}

describe('a failing', () => {
  const fault = { kind: 'status', status: 500, body: '{"message":"no","statusCode":500,"error":"no"}' }
  const services = { 'node-a': 'node', 'data-api': 'data', 'metrics-api': 'metrics' } as const
  /** What estimates leave out: questions that tasks share, and those that follow from an answer. */
  const notEstimated: Readonly<Record<string, readonly string[]>> = {
    'node-a': ['blockchains/fuji/chain:c-chain', 'blockchains/fuji/chain:orchard', 'blockchains/fuji/subnet:orchard'],
    'data-api': ['subnet/fuji/orchard'],
  }
  /** A task depends on a service when its collector says that an ordinary run asks an operation of that service. */
  const asks = ({ key, collector, subject }: Task, source: keyof typeof services) =>
    (notEstimated[source] ?? []).includes(key) ||
    collector
      .estimate(subject)
      .calls.some(({ operation, times }) => times > 0 && operation.service === services[source])
  const sources = Object.keys(services) as (keyof typeof services)[]
  test.for(sources)('%s fails those that depend on it alone', async (source, context) => {
    const simulator = await network(context, { speed: 0 })
    const config = sample(simulator)
    const { app } = watched(context, config, () => EPOCH * 1_000)
    const all = plan(config, collectors)
    const tasks = keysOf(all.filter((task) => asks(task, source))).toSorted()
    expect(tasks).not.toEqual([])
    await order(simulator, fault, source.replace('-api', ''))
    const { text, failed } = await app.once()
    expect(keysOf(failed).toSorted()).toEqual(tasks)
    const successes = seriesOf(text, 'stakewatch_collector_success')
    const keyOf = ({ labels: { collector, network, target, source } }: Series) =>
      [collector, network, target, ...(source === '' ? [] : [source])].join('/')
    expect(
      successes
        .filter(({ value }) => value === 0)
        .map(keyOf)
        .toSorted(),
    ).toEqual(tasks)
    expect(successes).toHaveLength(all.length)
    const up = seriesOf(text, 'stakewatch_upstream_up').map(({ labels, value }) => [labels['source'], value])
    expect(Object.fromEntries(up)).toEqual({ 'node-a': 1, 'data-api': 1, 'metrics-api': 1, [source]: 0 })
    // Eight validators, none of them inactive: what only the node reports is there without the data service.
    const nodeIsUp = source !== 'node-a'
    expect(seriesOf(text, 'stakewatch_l1_validator_balance_tokens')).toHaveLength(nodeIsUp ? 8 : 0)
    expect(seriesOf(text, 'stakewatch_subnet_validators', { subnet: 'orchard' })).toHaveLength(nodeIsUp ? 2 : 0)
  })
})

describe('the demo', () => {
  const metrics = collectors.flatMap((collector) => collector.metrics.map(({ name }) => name))
  /** What a network without troubles does not show at once: every node could create its chains, and blocks count from now on. */
  const ABSENT = ['stakewatch_validator_last_block_timestamp_seconds', 'stakewatch_node_chain_failed']
  /** Sample lines by family. */
  const familiesOf = (text: string) => {
    const lines = Map.groupBy(text.split('\n').toSorted(), (line) => /^\w+/.exec(line)?.[0] ?? '')
    const parts = ['', '_bucket', '_sum', '_count']
    return new Map(metrics.map((name) => [name, parts.flatMap((part) => lines.get(name + part) ?? []).join('\n')]))
  }
  /** The demo's own form of answers: the document's has no time of delivery. */
  const live = { dialect: 'live', metricsDialect: 'document', speed: 1 } as const
  const moved = (from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>) =>
    metrics.filter((name) => from.get(name) !== to.get(name))

  /** One poll of everything; gives the families without a sample. */
  async function silentFamilies(context: TestContext, change: Partial<SimulatorOptions>): Promise<string[]> {
    const simulator = await network(context, { ...live, ...change, speed: 0 })
    await failChain(simulator)
    const { app } = watched(context, configFrom(simulator.config(names)), () => EPOCH * 1_000)
    const { text, failed } = await app.once()
    expect(keysOf(failed)).toEqual([])
    const families = familiesOf(text)
    return metrics.filter((name) => families.get(name) === '')
  }

  test('has something to say in every family at its full size', async (context) => {
    expect(await silentFamilies(context, { validators: 1_000, delegations: 12_000 })).toEqual(ABSENT)
  })

  const HOW =
    'Families that say the same all the time in the demo. If a change of this list is meant: npm test -- test/daemon/daemon.test.ts -t moves --update'

  test('moves', async (context) => {
    const clock = { now: 0 }
    const simulator = await network(context, { ...live, clock: () => clock.now })
    const config = configFrom(simulator.config(names))
    const watch = (collectors: Config['collectors']) => {
      const { app } = watched(context, { ...config, collectors }, () => (EPOCH + clock.now) * 1_000)
      return async (minutes: number) => {
        clock.now = 60 * minutes
        const { text, failed } = await app.once()
        expect(keysOf(failed)).toEqual([])
        return familiesOf(text)
      }
    }
    const at = watch(config.collectors)
    const first = await at(0)
    const afterAMinute = await at(1)
    expect(moved(first, afterAMinute)).toEqual(
      expect.arrayContaining([
        'stakewatch_chain_head_height',
        'stakewatch_chain_head_timestamp_seconds',
        'stakewatch_chain_blocks_total',
        'stakewatch_chain_transactions_total',
        'stakewatch_chain_block_size_bytes',
        'stakewatch_chain_block_interval_seconds',
        'stakewatch_evm_block_transactions_total',
        'stakewatch_evm_head_height',
        'stakewatch_evm_transactions_total',
        'stakewatch_icm_transitions_total',
        'stakewatch_index_acceptance_interval_seconds',
        'stakewatch_index_last_accepted',
        'stakewatch_l1_validator_balance_tokens',
        'stakewatch_l1_validator_runway_seconds',
        'stakewatch_node_head_height',
        'stakewatch_validator_uptime_ratio',
        'stakewatch_validator_downtime_budget_seconds',
      ]),
    )
    // The rest needs an accident, a proposal or the end of a validation: they happen within a quarter of an hour.
    const still = new Set(metrics)
    for (const minutes of [6, 12, 15]) for (const name of moved(first, await at(minutes))) still.delete(name)
    // What takes a day: prices of rewards, messages that are given up, wallets that seldom do something. What takes a
    // week: an L1 without enough active validators. Others would have more to catch up with than the service allows.
    for (const [enabled, days] of [
      [
        ['avg-tps', 'balances', 'index-intervals', 'utxos'],
        [0, 1],
      ],
      [
        ['icm', 'rewards'],
        [0, 1, 2],
      ],
      [['signature-probe', 'subnet'], [7]],
    ] as const) {
      const later = watch(only(enabled, 60_000))
      const start = clock.now / 60 + 1
      for (const day of days) {
        const then = await later(start + 1_500 * day)
        for (const name of moved(first, then)) if (then.get(name) !== '') still.delete(name)
      }
    }
    const page = `${HOW}\n\n${[...still].toSorted().join('\n')}\n`
    await expect(page).toMatchFileSnapshot('demo.still.txt')
  })

  test.for([0, 65_537])('has as much to say with seed %i', async (seed, context) => {
    expect(await silentFamilies(context, { seed })).toEqual(ABSENT)
  })

  test('stays within the allowance of the services', async (context) => {
    const clock = { now: 0 }
    const simulator = await network(context, { speed: 1, clock: () => clock.now })
    const config = configFrom(simulator.config(names))
    const byInterval = Map.groupBy(Object.entries(config.collectors), ([, collector]) => collector!.every! / 1_000)
    const daemons = [...byInterval].map(([every, own]) => {
      const enabled = own.map(([name]) => name)
      const collectors = only(enabled, every * 1_000)
      return { every, app: watched(context, { ...config, collectors }, () => (EPOCH + clock.now) * 1_000).app }
    })
    expect([...byInterval.values()].flat()).toHaveLength(collectors.length)
    // Everything that is due within a minute, which is refused when it is too much.
    for (clock.now = 0; clock.now < 60; clock.now += 5) {
      for (const { every, app } of daemons) {
        const { failed } = clock.now % every === 0 ? await app.once() : { failed: [] }
        expect(keysOf(failed)).toEqual([])
      }
    }
  })

  test('may begin with time itself', async (context) => {
    const clock = { now: 0 }
    const simulator = await network(context, { epoch: 0, speed: 1, clock: () => clock.now })
    const { app } = watched(context, configFrom(simulator.config(names)), () => clock.now * 1_000)
    for (clock.now = 0; clock.now <= 60; clock.now += 60) {
      const { text, failed } = await app.once()
      expect(keysOf(failed)).toEqual([])
      expect(head(text)).toBe(simulator.world.chains.C.head())
    }
    expect(simulator.world.now()).toBe(60)
  })

  test('shows a healthy validator, one that the nodes disagree on, and one at risk', async (context) => {
    const simulator = await network(context, { speed: 0 })
    const { app } = watched(context, configFrom(simulator.config(names)), () => EPOCH * 1_000)
    const { text } = await app.once()
    const states = (validator: string) =>
      ['node-a', 'node-b'].map((source) => {
        const all = seriesOf(text, 'stakewatch_validator_reward_state', { validator, source })
        return all.find(({ value }) => value === 1)?.labels['state']
      })
    expect(['on_track', 'safe']).toContain(states('val-3')[0])
    expect(['on_track', 'safe']).toContain(states('val-3')[1])
    expect(['at_risk', 'lost']).toContain(states('val-4')[0])
    expect(['on_track', 'safe']).toContain(states('val-4')[1])
    expect(['at_risk', 'lost']).toContain(states('val-5')[0])
    expect(['at_risk', 'lost']).toContain(states('val-5')[1])
  })
})

describe('a daemon that stops', () => {
  test('waits for the runs in flight, is no longer ready meanwhile, and then listens no more', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const { url } = await createHostileServer((response) => asked.resolve(response))
    const config = configFrom(`{ networks: [{ name: fuji, nodes: [{ name: node-a, url: "${url}" }] }] }`)
    const { app, entries } = daemon({ ...config, collectors: only(['supply']) })
    const { base } = await serve(app)
    const status = async (path: string) => (await fetch(base + path)).status
    const response = await asked.promise

    const stopped = app.stop()
    expect([await status('/-/healthy'), await status('/-/ready')]).toEqual([200, 503])
    expect(valueOf(await scrape(`${base}/metrics`), 'stakewatch_collector_success')).toBeUndefined()
    const answered = new Promise((resolve) => response.on('close', () => resolve(response.writableFinished)))
    response.end('<html>')
    expect(await answered).toBe(true)
    await stopped
    await expect(fetch(`${base}/-/healthy`)).rejects.toThrow('fetch failed')
    // The run came to its own end: the answer was read, and nothing was given up.
    expect(entries().map(({ msg, code }) => [msg, code])).toEqual([['source is down', 'bad_response']])
  })
})

describe('a daemon is ready', () => {
  const readiness = async (base: string) => {
    const answer = await fetch(`${base}/-/ready`)
    return [answer.status, ...(await answer.text()).trim().split('\n')]
  }

  test('once every task was attempted, though a node answers with pages', async (context) => {
    const simulator = await network(context)
    await order(simulator, { kind: 'html' })
    const { app } = watched(context, configOf(simulator))
    const { base } = await serve(app)
    await eventually('ready', async () => (await fetch(`${base}/-/ready`)).status === 200)
    expect(success(await scrape(`${base}/metrics`), uptimeOfA)).toBe(0)
  })

  test('not before: one node has answered, and another has not yet', async (context) => {
    const simulator = await network(context)
    const asked = Promise.withResolvers<ServerResponse>()
    const { url } = await createHostileServer((response) => asked.resolve(response))
    const slow = `{ name: slow, nodes: [{ name: node-s, url: "${url}" }] }`
    const { networks } = configFrom(`{ networks: [${slow}] }`)
    const config = configOf(simulator)
    const all = { ...config, networks: [...config.networks, ...networks] }
    const { app } = watched(context, { ...all, collectors: only(['supply']) })
    const { base } = await serve(app)
    const response = await asked.promise
    await eventually('the first network has data', async () =>
      (await readiness(base)).includes('fuji: 1 of 1 tasks attempted, 1 have data'),
    )
    expect(await readiness(base)).toEqual([
      503,
      'stakewatch is not ready: some tasks have not been attempted yet.',
      'fuji: 1 of 1 tasks attempted, 1 have data',
      'slow: 0 of 1 tasks attempted, 0 have data',
    ])
    response.end('<html>')
    await eventually('ready', async () => (await readiness(base))[0] === 200)
    expect(await readiness(base)).toEqual([
      200,
      'stakewatch is ready.',
      'fuji: 1 of 1 tasks attempted, 1 have data',
      'slow: 1 of 1 tasks attempted, 0 have data',
    ])
  })

  test('never while no upstream answers, however many parts its collectors have', async (context) => {
    const simulator = await network(context)
    const config = { ...configFrom(simulator.config(names)), collectors: only(names) }
    await simulator.stop()
    const { app } = watched(context, config)
    const { base } = await serve(app)
    const tasks = plan(config, collectors).length
    await eventually('all was attempted', async () =>
      (await readiness(base)).includes(`fuji: ${tasks} of ${tasks} tasks attempted, 0 have data`),
    )
    expect((await readiness(base)).slice(0, 2)).toEqual([503, 'stakewatch is not ready: no network has data.'])
  })
})

test('an address that is taken is an error that names it, and leaves nothing behind', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const { app } = daemon(configFrom('{ networks: [{ name: fuji }] }'))
  const addresses = [
    { host: '127.0.0.1', port: 0 },
    { host: '127.0.0.1', port },
  ]
  await expect(app.start({ addresses, telemetryPath: '/metrics' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  })
  await app.stop()
  taken.close()
})

test('where there is no IPv6, every address is every address of IPv4', async (context) => {
  const { listen } = Server.prototype
  const withoutIpv6 = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...given) {
    const [options, ...rest] = given as unknown as [ListenOptions, (() => void)?]
    // No machine has this address (RFC 5737): binding it fails as `::` does there.
    return listen.call(this, options.host === '::' ? { ...options, host: '192.0.2.1' } : options, ...rest)
  })
  context.onTestFinished(() => withoutIpv6.mockRestore())
  const { app } = watched(context, configFrom('{ networks: [{ name: fuji }] }'))
  const [bound] = await app.start({ addresses: [{ host: '::', port: 0 }], telemetryPath: '/metrics' })
  expect(bound!.address).toBe('0.0.0.0')
  expect(await scrape(`http://127.0.0.1:${bound!.port}/metrics`)).toContain('stakewatch_build_info')
})

test('own metrics that cannot be published are a line in the log, and are published again when they can be', async (context) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  context.onTestFinished(() => {
    vi.useRealTimers()
  })
  const clock = { now: EPOCH * 1_000, broken: false }
  const { app, entries } = watched(context, configFrom('{ networks: [{ name: fuji }] }'), () => {
    if (clock.broken) throw new Error('no time')
    return clock.now
  })
  const { metrics } = await serve(app)
  const scrapes = async () => valueOf(await metrics(), 'stakewatch_http_requests_total', { handler: '/metrics' }) ?? 0
  const before = await scrapes()
  for (let failures = 1; failures <= 2; failures += 1) {
    clock.broken = true
    await vi.advanceTimersByTimeAsync(3_000)
    clock.broken = false
    clock.now += 4_000
    await vi.advanceTimersByTimeAsync(1_000)
    const failing = { level: 'warn', msg: "the daemon's own metrics could not be published", error: 'no time' }
    expect(entries().filter(({ level }) => level === 'warn')).toMatchObject(
      Array.from({ length: failures }, () => failing),
    )
  }
  expect(await scrapes()).toBeGreaterThan(before)
})
