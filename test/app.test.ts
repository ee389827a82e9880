// The whole daemon in one process against the simulated network over real HTTP, with short intervals.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, type TestContext } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { collectors } from '../src/collectors/index.ts'
import type { Config } from '../src/config/schema.ts'
import { secret, secretUrl } from '../src/lib/secret.ts'
import { createLogger } from '../src/logger.ts'
import { type Simulator, startSimulator, type SimulatorOptions } from '../src/simulator/simulator.ts'
import { uptimeOf } from '../src/simulator/world/validators.ts'
import { eventually, scrape, seriesOf, valueOf } from './e2e/support/scrape.ts'
import { configFrom } from './support/poll.ts'

const THREE = new Set(['uptime', 'supply', 'primary-blocks'])
const EPOCH = 1_780_000_000
/** Stands in every secret of the configuration and must not come out anywhere. */
const MARKER = 'hunter2'

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

/** What the simulator says about itself, with secrets wherever there can be some. */
function configOf(simulator: Simulator, change: { timeout?: number; every?: number } = {}): Config {
  const config = configFrom(simulator.config())
  const [{ data_api: dataApi, ...rest }] = config.networks as [Config['networks'][number]]
  const { timeout = 10_000, every = 60_000 } = change
  const collector = { enabled: true, every }
  return {
    networks: [
      {
        ...rest,
        data_api: { ...dataApi!, url: secretUrl(`${simulator.dataUrl}?token=${MARKER}`), key: secret(MARKER) },
      },
    ],
    defaults: { ...config.defaults, timeout },
    // An opinion, a fact and a cursor: what holds for them holds for the others.
    collectors: Object.fromEntries(
      collectors.map(({ name }) => [name, THREE.has(name) ? collector : { enabled: false }]),
    ),
  }
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
  const app = createApp({ config, version: '0.0.0', log, now, random: () => 0 })
  return { app, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

async function serve(app: App) {
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const base = `http://127.0.0.1:${bound!.port}`
  return { base, metrics: () => scrape(`${base}/metrics`) }
}

async function order(simulator: Simulator, fault: object, server: string = 'node-a') {
  const body = JSON.stringify({ server, fault })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${simulator.controlUrl}/faults`, { method: 'POST', headers, body })).status).toBe(200)
}

const repair = (simulator: Simulator) => fetch(`${simulator.controlUrl}/faults`, { method: 'DELETE' })
const success = (text: string, labels: Record<string, string>) => valueOf(text, 'stakewatch_collector_success', labels)
const head = (text: string) => valueOf(text, 'stakewatch_chain_head_height', { chain: 'c-chain' })!
const opinionsOf = (text: string, source: string) =>
  seriesOf(text, 'stakewatch_validator_uptime_ratio', { source }).length
const uptimeOfA = { collector: 'uptime', source: 'node-a' }

describe('a node that', () => {
  test.for([
    ['closes its connections', { kind: 'reset' }, 'network'],
    ['is too slow', { kind: 'latency', ms: 120_000 }, 'timeout'],
    ['answers with a page', { kind: 'html' }, 'bad_response'],
    ['answers another question', { kind: 'wrong-id' }, 'bad_response'],
    ['breaks off', { kind: 'truncated' }, 'network'],
  ] as const)('%s loses its own opinion, in five minutes, and nothing else', async ([, fault, code], context) => {
    const clock = { now: 0 }
    const simulator = await network(context, { speed: 1, clock: () => clock.now })
    const config = configOf(simulator, code === 'timeout' ? { timeout: 800 } : {})
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
    expect(asked('node-a', 'platform.getCurrentValidators', code)).toBe(1)
    // A fact is asked of the next node.
    expect(asked('node-a', 'platform.getCurrentSupply', code)).toBe(1)
    expect(asked('node-b', 'platform.getCurrentSupply', 'ok')).toBe(1)
    expect(await at(299)).toMatchObject({ failed: ['uptime/fuji/primary/node-a'], opinions: [5, 5] })
    expect(await at(300)).toMatchObject({ failed: ['uptime/fuji/primary/node-a'], opinions: [0, 5] })

    await repair(simulator)
    expect(await at(360)).toMatchObject({ failed: [], opinions: [5, 5] })
    expect(entries()).toMatchObject([
      { level: 'warn', msg: 'collector fails', task: 'uptime/fuji/primary/node-a', code },
      { level: 'info', msg: 'collector works again', task: 'uptime/fuji/primary/node-a' },
    ])
  })
})

describe('a daemon that runs', () => {
  test(
    'keeps polling the others while one node is down, and that one when it is back',
    { timeout: 40_000 },
    async (context) => {
      const simulator = await network(context)
      const { app } = watched(context, configOf(simulator, { every: 1_000 }))
      const { metrics } = await serve(app)
      const once = (what: string, holds: (text: string) => boolean) =>
        eventually(what, async () => {
          const text = await metrics()
          return holds(text) && text
        })
      const allSucceed = (text: string) => {
        const values = seriesOf(text, 'stakewatch_collector_success').map(({ value }) => value)
        return values.length === 6 && values.every((value) => value === 1)
      }
      const sound = await once('every task succeeds', allSucceed)
      await order(simulator, { kind: 'reset' })
      const failing = await once('one fails', (text) => success(text, uptimeOfA) === 0)
      const runs = (text: string, labels: Record<string, string>, result: string) =>
        valueOf(text, 'stakewatch_collector_runs_total', { ...labels, result })!
      await once('it fails again, and the others succeed again', (text) => {
        const others = [{ source: 'node-b' }, { collector: 'supply' }, { target: 'c-chain' }]
        const goOn = others.every((one) => runs(text, one, 'success') > runs(failing, one, 'success'))
        return (
          runs(text, uptimeOfA, 'failure') > runs(failing, uptimeOfA, 'failure') && goOn && head(text) > head(sound)
        )
      })
      await repair(simulator)
      const repaired = await once('every task succeeds', allSucceed)
      expect(opinionsOf(repaired, 'node-a')).toBe(5)
    },
  )
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

describe('secrets', () => {
  test.for([
    ['resets', { kind: 'reset' }],
    ['answers with a page', { kind: 'html' }],
    ['breaks off', { kind: 'truncated' }],
    [
      'refuses the key',
      { kind: 'status', status: 401, body: '{"message":"no","statusCode":401,"error":"Unauthorized"}' },
    ],
    ['is too slow', { kind: 'latency', ms: 120_000 }],
  ] as const)('stay secret when the data service %s and a node cannot be reached', async ([, fault], context) => {
    const simulator = await network(context)
    const config = configOf(simulator, { timeout: 500 })
    const [{ nodes, ...rest }] = config.networks as [Config['networks'][number]]
    const unreachable = nodes.map((node) => ({ ...node, url: secretUrl(`http://me:${MARKER}@127.0.0.1:1/${MARKER}`) }))
    const { app, lines, entries } = watched(context, { ...config, networks: [{ ...rest, nodes: unreachable }] })
    await order(simulator, fault, 'data')
    const { text, failed } = await app.once()
    expect(failed).toHaveLength(6)
    expect(entries().filter(({ msg }) => msg === 'collector fails')).toHaveLength(6)
    expect(text + lines.join('')).not.toContain(MARKER)
  })
})

describe('the demo', () => {
  test('has something to say in every family, and moves', async (context) => {
    const clock = { now: 0 }
    const simulator = await network(context, {
      speed: 1,
      clock: () => clock.now,
      validators: 1_000,
      delegations: 12_000,
    })
    const { app } = watched(context, configFrom(simulator.config()), () => (EPOCH + clock.now) * 1_000)
    const names = collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name))
    const at = async (seconds: number) => {
      clock.now = seconds
      const { text, failed } = await app.once()
      expect(failed).toEqual([])
      const lines = text.split('\n')
      return new Map(
        names.map((name) => [
          name,
          lines
            .filter((line) => line.startsWith(name))
            .toSorted()
            .join('\n'),
        ]),
      )
    }
    const first = await at(0)
    expect(names.filter((name) => first.get(name) === '')).toEqual([])
    const afterAMinute = await at(60)
    expect(names.filter((name) => afterAMinute.get(name) !== first.get(name))).toEqual(
      expect.arrayContaining([
        'stakewatch_chain_head_height',
        'stakewatch_chain_head_timestamp_seconds',
        'stakewatch_chain_blocks_total',
        'stakewatch_chain_transactions_total',
        'stakewatch_chain_block_size_bytes',
        'stakewatch_chain_block_interval_seconds',
        'stakewatch_supply_tokens',
        'stakewatch_validator_uptime_ratio',
        'stakewatch_validator_downtime_budget_seconds',
      ]),
    )
    // The rest needs an accident or a proposal: enough of them happen in a quarter of an hour.
    const still = new Set(names)
    for (let minute = 1; minute <= 15; minute += 1) {
      const now = await at(60 * minute)
      for (const name of still) if (now.get(name) !== first.get(name)) still.delete(name)
    }
    expect([...still].toSorted()).toEqual([])
  })

  test('shows a healthy validator, one that the nodes disagree on, and one at risk', async (context) => {
    const simulator = await network(context, { speed: 0 })
    const { app } = watched(context, configFrom(simulator.config()), () => EPOCH * 1_000)
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
    const node = createServer((_, response) => asked.resolve(response))
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const { port } = node.address() as AddressInfo
    const { app, entries } = daemon(
      configFrom(`{ networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:${port}" }] }] }`),
    )
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
    expect(entries().map(({ msg, code }) => [msg, code])).toEqual([['collector fails', 'bad_response']])
    node.close()
  })

  test('becomes ready when every task has been attempted, whatever came of it', async (context) => {
    const simulator = await network(context)
    await order(simulator, { kind: 'html' })
    const { app } = watched(context, configOf(simulator))
    const { base } = await serve(app)
    await eventually('ready', async () => (await fetch(`${base}/-/ready`)).status === 200)
    expect(success(await scrape(`${base}/metrics`), uptimeOfA)).toBe(0)
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
    code: 'config',
    message: `cannot listen on 127.0.0.1 port ${port} (EADDRINUSE)`,
  })
  await app.stop()
  taken.close()
})
