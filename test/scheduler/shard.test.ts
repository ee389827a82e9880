// Shards: together they do what one instance does, and nothing twice.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import type { Config } from '../../src/config/schema.ts'
import { toAddress } from '../../src/lib/ids.ts'
import { type Shard, shardText, UNDIVIDED } from '../../src/lib/shard.ts'
import { createLogger } from '../../src/logger.ts'
import { toWire } from '../../src/operations/define.ts'
import { configuredSamples } from '../../src/self/configured-metrics.ts'
import { costOf } from '../../src/budget/cost.ts'
import { declarationsIn } from '../../src/scheduler/expected.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { ownConfig, ownDeclarations, planOf } from '../../src/scheduler/shard.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { idOf } from '../../src/simulator/world/ids.ts'
import { createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { clockOf } from '../support/clock.ts'
import { example, loadAsExample } from '../support/example.ts'
import { configFrom } from '../support/poll.ts'
import { unlimited } from '../support/unlimited.ts'
import { quietRunner } from '../support/quiet-runner.ts'

const numbers = [1, 2, 3, 4, 5]
const shardsOf = (shards: number): Shard[] => Array.from({ length: shards }, (_, ordinal) => ({ ordinal, shards }))
const planned = new Map<Config, Map<string, readonly Task[]>>()

/** Planning hashes all that a task depends on: once is enough for all tests. */
function tasksOf(config: Config, shard: Shard): readonly Task[] {
  const known = planned.get(config) ?? new Map<string, readonly Task[]>()
  planned.set(config, known)
  const tasks = known.get(shardText(shard)) ?? planOf(config, collectors, shard)
  known.set(shardText(shard), tasks)
  return tasks
}

/** Two networks with forty chains, and wallets of both kinds. */
const large = configFrom(
  JSON.stringify({
    networks: ['one', 'two'].map((name, at) => ({
      name,
      network: 'fuji',
      nodes: ['a', 'b'].map((node) => ({
        name: node,
        url: `http://10.0.${at}.5:9650/${node}`,
        index: true,
        admin: 'on',
      })),
      data_api: { url: 'https://data.example', network: 'fuji', budget: { per_minute: 6_000, per_day: 1_200_000 } },
      metrics_api: { url: 'https://metrics.example', budget: { per_day: 999 } },
      validators: [
        {
          node_id: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
          planned_end: '2027-01-01T00:00:00Z',
          expect: { min_stake: 2_000 },
        },
      ],
      chains: [
        { id: 'p-chain', name: 'platform', stall_after: '2m' },
        ...Array.from({ length: 40 }, (_, chain) => ({
          id: idOf(`chain ${chain}`),
          name: `chain-${chain}`,
          evm_chain_id: 50_000 + chain,
          expect: { status: 'validating', gas_limit: 15_000_000 },
        })),
      ],
      addresses: Array.from({ length: 40 }, (_, wallet) => ({
        name: `wallet-${wallet}`,
        min_balance: 1,
        ...(wallet % 10 === 0
          ? { addresses: [`0x${String(wallet).padStart(40, '1')}`], chains: ['chain-1', 'chain-2'] }
          : { addresses: [toAddress({ chain: 'P', prefix: 'fuji', bytes: Buffer.alloc(20, wallet) })] }),
      })),
    })),
  }),
)

describe.each<[string, Config]>([
  ['the example', loadAsExample(example)],
  ['a large configuration', large],
])('%s, divided', (_, config) => {
  const whole = plan(config, collectors)

  test.each(numbers)('among %i, gives each target to one shard, with all who observe it', (count) => {
    const owners = new Map<string, Set<number>>()
    const keys = shardsOf(count).flatMap((shard) =>
      tasksOf(config, shard).map(({ key, collector, network, subject }) => {
        const target = `${collector.name} ${network.name} ${subject.name}`
        owners.set(target, (owners.get(target) ?? new Set()).add(shard.ordinal))
        return key
      }),
    )
    expect(keys.toSorted()).toEqual(whole.map(({ key }) => key).toSorted())
    expect([...owners].filter(([, shards]) => shards.size !== 1)).toEqual([])
  })

  test.each(numbers)('among %i, publishes once what the configuration alone decides', (count) => {
    const texts = (samples: readonly { metric: { name: string }; labels: object; value: unknown }[]) =>
      samples.map(({ metric, labels, value }) => JSON.stringify([metric.name, labels, value])).toSorted()
    const configured = shardsOf(count).flatMap((shard) => configuredSamples(ownConfig(config, shard)))
    expect(texts(configured as never)).toEqual(texts(configuredSamples(config) as never))
    const declared = shardsOf(count).flatMap((shard) => ownDeclarations(config, shard))
    const named = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted()
    expect(named(declared)).toEqual(named(declarationsIn(config)))
  })

  test.each(numbers)('among %i, gives each shard its part of every configured budget', (count) => {
    const budgets = new Map(costOf(whole).map(({ upstream, budget }) => [upstream, budget]))
    for (const shard of shardsOf(count)) {
      for (const { upstream, budget } of costOf(tasksOf(config, shard))) {
        const { per_minute, per_day } = budgets.get(upstream)!
        expect([upstream, budget.per_minute, budget.per_day]).toEqual([
          upstream,
          per_minute && per_minute / count,
          per_day && per_day / count,
        ])
      }
    }
  })

  test('does not depend on the order of the configuration', () => {
    const turned: Config = {
      ...config,
      networks: config.networks.toReversed().map((network) => ({
        ...network,
        chains: network.chains.toReversed(),
        addresses: network.addresses.toReversed(),
        subnets: network.subnets.toReversed(),
      })),
    }
    for (const shard of shardsOf(3)) {
      const [here, there] = [config, turned].map((one) => tasksOf(one, shard).map(({ key }) => key))
      expect(there!.toSorted()).toEqual(here!.toSorted())
    }
  })

  test.each(numbers)('among one more than %i: what moves goes to the new shard', (count) => {
    const keysOf = (shard: Shard) => tasksOf(config, shard).map(({ key }) => key)
    for (const { ordinal } of shardsOf(count)) {
      const before = new Set(keysOf({ ordinal, shards: count }))
      expect(keysOf({ ordinal, shards: count + 1 }).filter((key) => !before.has(key))).toEqual([])
    }
  })
})

test('of a large configuration no shard has much more than its part', () => {
  const all = tasksOf(large, UNDIVIDED).length
  for (const count of numbers) {
    const sizes = shardsOf(count).map((shard) => tasksOf(large, shard).length)
    expect(Math.max(...sizes)).toBeLessThan((1.5 * all) / count)
  }
})

test('a shard to which nothing falls is ready, and reports which one it is', async () => {
  const config = configFrom('networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:9" }] }]')
  const idle = shardsOf(2).find((shard) => planOf(config, collectors, shard).length === 0)!
  const log = createLogger({ level: 'error', format: 'json', write: () => {} })
  const clock = clockOf(Date.now)
  const app = createDaemon({ config, shard: idle, version: 'test', log, clock, random: () => 0 })
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${bound!.port}${path}`)
    return [answer.status, await answer.text()] as const
  }
  const [ready, status, page] = [await get('/-/ready'), await get('/api/v1/status'), await get('/')]
  await app.stop()
  expect(ready).toEqual([200, expect.stringContaining(`nothing falls to shard ${shardText(idle)}`)])
  expect(JSON.parse(status[1])).toMatchObject({ shard: idle, upstreams: [], tasks: [] })
  expect(page[1]).toContain(`shard ${idle.ordinal} of 2 (0 to 1)`)
})

describe('a simulated network that stands still', () => {
  const EPOCH = 1_780_000_000
  const clock = clockOf(() => EPOCH * 1_000)
  let simulator: Simulator
  /** The services grant so much a minute: each round has one of its own. */
  let minutes = 0
  let config: Config
  beforeAll(async () => {
    simulator = await startSimulator({
      seed: 1,
      epoch: EPOCH,
      clock: () => minutes * 60,
      speed: 0,
      validators: 12,
      delegations: 40,
      dialect: 'live',
      metricsDialect: 'document',
    })
    config = configFrom(simulator.config(collectors.map(({ name }) => name)))
  })
  afterAll(() => simulator.stop())

  test('is asked each question by one shard', async () => {
    const http = createHttp({ userAgent: 'test', random: () => 0, now: Date.now })
    const real = createClient({ http, timeout: 10_000, clock, ...unlimited(clock), report: () => {} })
    /** Keys of the tasks that ask it. */
    const questions = new Map<string, Set<string>>()
    let asking = ''
    const runner = quietRunner({
      client: {
        async call(source, operation, params, options) {
          const question = JSON.stringify([source.network, source.name, operation.name, toWire(operation, params)])
          questions.set(question, (questions.get(question) ?? new Set()).add(asking))
          return real.call(source, operation, params, options)
        },
      },
      clock,
    })
    for (const task of plan(config, collectors)) {
      asking = task.key
      await runner.run(task, new AbortController().signal)
    }
    await http.close()
    // Otherwise nothing is shown: some of them are shared.
    expect([...questions.values()].filter((tasks) => tasks.size > 1).length).toBeGreaterThan(20)
    for (const count of numbers) {
      const owners = new Map(
        shardsOf(count).flatMap((shard) => tasksOf(config, shard).map(({ key }) => [key, shard.ordinal])),
      )
      const shared = [...questions].filter(([, tasks]) => new Set([...tasks].map((key) => owners.get(key))).size > 1)
      // A node's health is free, and says of each chain whether the node could create it. Turns on each chain need the validators.
      const isFree = (question: string) => /"health\.health"|"platform\.getValidatorsAt"/.test(question)
      expect(shared.filter(([question]) => !isFree(question))).toEqual([])
    }
  })

  test('has the same series, with the same values, whether one instance watches it or two', async () => {
    const log = createLogger({ level: 'error', format: 'json', write: () => {} })
    /** What is published about what is watched, and which runs are reported. */
    async function published(shard: Shard): Promise<string[]> {
      minutes += 1
      const app = createDaemon({ config, shard, version: 'test', log, clock, random: () => 0 })
      const { text } = await app.once()
      await app.stop()
      const own = new Set(
        [...collectors.flatMap(({ metrics }) => metrics), ...configurationMetrics].map(({ name }) => name),
      )
      return text.split('\n').flatMap((line) => {
        const [, name = '', labels = ''] = /^(\w+?)(?:_bucket|_sum|_count)?(\{.*\})? /.exec(line) ?? []
        if (own.has(name) || own.has(line.split(/[{ ]/, 1)[0]!)) return [line]
        const isRun = name.startsWith('stakewatch_collector_') && labels.includes('target=')
        return isRun ? [`${name}${labels}`] : []
      })
    }
    const whole = await published(UNDIVIDED)
    const divided: string[] = []
    for (const shard of shardsOf(2)) divided.push(...(await published(shard)))
    expect(whole.length).toBeGreaterThan(2_000)
    expect(divided.toSorted()).toEqual(whole.toSorted())
  })
})
