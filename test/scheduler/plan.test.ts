import { describe, expect, test } from 'vitest'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { collectors } from '../../src/collectors/index.ts'
import type { Config } from '../../src/config/schema.ts'
import { diff, plan, type Task, whyOff } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'
import { createSmallNetwork } from '../support/small-network.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const base = `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://10.0.0.5:9650", node_id: ${ONE} }
      - { name: node-b, url: "http://10.0.1.5:9650/key-b" }
    data_api: { url: "https://data.example", key: k1 }
    validators: [{ node_id: ${ONE}, name: one }]
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
    chains: [{ id: p-chain }, { id: c-chain, name: c }]
`
const tasksOf = (yaml: string) => plan(configFrom(yaml), collectors)
const known = (yaml: string, ...names: string[]) =>
  tasksOf(yaml).filter(({ collector }) => names.includes(collector.name))
const keys = (tasks: readonly Task[]) => tasks.map(({ key }) => key).toSorted()

describe('plan', () => {
  test('an opinion is one task per node, a fact one task that may ask all of its service', () => {
    const tasks = known(base, 'uptime', 'supply', 'primary-blocks')
    expect(tasks.map(({ key, labels, sources }) => [key, labels, sources.map(({ name }) => name)])).toEqual(
      expect.arrayContaining([
        ['uptime/fuji/primary/node-a', { network: 'fuji', subnet: 'primary', source: 'node-a' }, ['node-a']],
        ['uptime/fuji/primary/node-b', { network: 'fuji', subnet: 'primary', source: 'node-b' }, ['node-b']],
        ['supply/fuji/primary', { network: 'fuji', subnet: 'primary' }, ['node-a', 'node-b', 'data-api']],
        ['supply/fuji/my-l1', { network: 'fuji', subnet: 'my-l1' }, ['node-a', 'node-b', 'data-api']],
        ['primary-blocks/fuji/p-chain', { network: 'fuji', chain: 'p-chain' }, ['data-api']],
        ['primary-blocks/fuji/c', { network: 'fuji', chain: 'c' }, ['data-api']],
      ]),
    )
    expect(tasks).toHaveLength(6)
  })

  test.each([
    ['data', 'data_api'],
    ['metrics', 'metrics_api'],
  ] as const)('a network without the %s service has no task of a collector that asks it alone', (service, key) => {
    const config = configFrom(createSmallNetwork().yaml)
    const without = { ...config, networks: config.networks.map((network) => ({ ...network, [key]: undefined })) }
    const alone = collectors.filter(({ uses }) => uses.every((one) => one.service === service))
    const names = (of: Config) => new Set(plan(of, alone).map(({ collector }) => collector.name))
    expect(names(config)).toEqual(new Set(alone.map(({ name }) => name)))
    expect(names(without)).toEqual(new Set())
  })

  test.each([
    ['the own interval of the collector', base, 60, 54, 300, 100_000],
    [
      'the configured one; the time to live is at least five minutes',
      `${base}collectors: { uptime: { every: 30s } }`,
      30,
      27,
      300,
      100_000,
    ],
    ['three long intervals', `${base}collectors: { uptime: { every: 10m } }`, 600, 540, 1_800, 100_000],
    ['as many as configured', `${base}defaults: { ttl: 10 }`, 60, 54, 600, 100_000],
    ['at most as many series as configured', `${base}collectors: { uptime: { max_series: 7 } }`, 60, 54, 300, 7],
  ])('settings: %s', (_, yaml, every, deadline, ttl, maxSeries) => {
    const [task] = known(yaml, 'uptime')
    const inSeconds = { every: every * 1_000, deadline: deadline * 1_000, ttl: ttl * 1_000 }
    expect(task!.settings).toEqual({ ...inSeconds, maxSeries, runsPerDay: 86_400 / every })
  })

  test.each([
    // The day on which summer time ends has 25 hours, the one on which it begins 23.
    ['each day', `'0 2 * * *', timezone: Europe/Berlin`, 25, 23, 1],
    ['at night', `'*/10 0-5 * * *'`, 18.17, 1 / 6, 36],
    ['on workdays', `'0 8-18 * * MON-FRI'`, 62, 1, 11],
  ])('a schedule %s: the time to live follows the longest gap', (_, schedule, longest, shortest, perDay) => {
    const [task] = known(`${base}collectors: { uptime: { schedule: ${schedule} } }`, 'uptime')
    const { every, deadline, ttl, runsPerDay } = task!.settings
    const hours = (milliseconds: number) => Math.round(milliseconds / 36_000) / 100
    expect([hours(every), hours(ttl), hours(deadline), runsPerDay]).toEqual([
      longest,
      hours(3 * every),
      hours(0.9 * shortest * 3_600_000),
      perDay,
    ])
  })

  test.each([
    ['turned on', true, 'collectors: { supply: { enabled: true } }', 2, 'nothing is configured for it'],
    ['as it comes', true, '', 0, 'opt-in, runs only with collectors.supply.enabled: true'],
    [
      'with an interval alone',
      true,
      'collectors: { supply: { every: 1h } }',
      0,
      'opt-in, runs only with collectors.supply.enabled: true',
    ],
    ['with an interval alone', false, 'collectors: { supply: { every: 1h } }', 2, 'nothing is configured for it'],
    ['turned off', false, 'collectors: { supply: { enabled: false } }', 0, 'disabled'],
  ] as const)('a collector %s, opt-in: %s', (_, isOptIn, settings, tasks, why) => {
    const { isOptIn: __, ...always } = collectors.find(({ name }) => name === 'supply')!
    const one = isOptIn ? { ...always, isOptIn } : always
    const config = configFrom(base + settings)
    // Of the primary network and of the L1.
    expect(plan(config, [one])).toHaveLength(tasks)
    expect(whyOff(config, one)).toBe(why)
  })

  test.each([
    ['a disabled collector', `${base}collectors: { supply: { enabled: false } }`, 'supply'],
    ['no node', base.replace(/ {4}nodes:[^]*?(?= {4}data_api)/, ''), 'supply'],
    ['no data service', base.replace(/ {4}data_api.*\n/, ''), 'primary-blocks'],
    ['no validator', base.replace(/ {4}validators.*\n/, ''), 'uptime'],
    ['no chain of the primary network', base.replace(/ {4}chains.*\n/, ''), 'primary-blocks'],
  ])('%s: no task', (_, yaml, name) => {
    expect(known(base, name)).not.toEqual([])
    expect(known(yaml, name)).toEqual([])
  })

  test('an opinion of some nodes is one task for each of them, and none where there is no such node', () => {
    const indexed: AnyCollector = {
      ...collectors.find(({ name }) => name === 'uptime')!,
      isObserver: ({ index }) => index,
    }
    const some = base.replace('/key-b"', '/key-b", index: true')
    expect(keys(plan(configFrom(some), [indexed]))).toEqual(['uptime/fuji/primary/node-b'])
    expect(plan(configFrom(base), [indexed])).toEqual([])
  })

  test('of another subject the opinion of other nodes may count', () => {
    const apart: AnyCollector = {
      ...collectors.find(({ name }) => name === 'blockchain-status')!,
      isObserver: ({ index }, { name }) => index || name === 'p-chain',
    }
    const some = base.replace('/key-b"', '/key-b", index: true')
    expect(keys(plan(configFrom(some), [apart]))).toEqual([
      'blockchain-status/fuji/c/node-b',
      'blockchain-status/fuji/p-chain/node-a',
      'blockchain-status/fuji/p-chain/node-b',
    ])
  })

  test('keys are unique, and prints tell nothing of a secret', () => {
    // A wallet, a chain and an L1 by the name of the validator.
    const alike = base
      .replace('name: my-l1', 'name: one')
      .replace('name: c }', 'name: one, evm_chain_id: 43113 }')
      .replace(
        '    chains:',
        `    addresses: [{ name: one, addresses: [P-fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946] }]\n    chains:`,
      )
    const tasks = tasksOf(alike)
    expect(keys(tasks)).toEqual(
      expect.arrayContaining(['pending-rewards/fuji/address:one', 'pending-rewards/fuji/validator:one']),
    )
    expect(new Set(keys(tasks)).size).toBe(tasks.length)
    expect(JSON.stringify(tasks.map(({ collector: _, ...rest }) => rest))).not.toMatch(/k1|key-b/)
  })
})

describe('what a key stands for', () => {
  const MY_L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
  const C_CHAIN = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
  test.each([
    ['another interval', `${base}collectors: { supply: { every: 1m } }`, []],
    ['another key of the data service', base.replace('k1', 'k2'), []],
    ['another password of a node', base.replace('http://10.0.0.5', 'http://me:secret@10.0.0.5'), []],
    ['another address of a node', base.replace('10.0.0.5', '10.0.0.6'), ['uptime/fuji/primary/node-a']],
    ['another path of a node', base.replace('key-b', 'key-c'), ['uptime/fuji/primary/node-b']],
    ['another subnet', base.replace(MY_L1, C_CHAIN), ['supply/fuji/my-l1']],
    ['another chain', base.replace('{ id: c-chain, name: c }', '{ id: x-chain, name: c }'), ['primary-blocks/fuji/c']],
    [
      'another network',
      base.replace('- name: fuji', '- name: fuji\n    network: mainnet'),
      keys(known(base, 'uptime', 'supply', 'primary-blocks')),
    ],
  ])('%s: what was remembered of these no longer counts', (_, after, others) => {
    const before = new Map(tasksOf(base).map(({ key, standsFor }) => [key, standsFor]))
    const changed = known(after, 'uptime', 'supply', 'primary-blocks').filter(
      ({ key, standsFor }) => before.get(key) !== standsFor,
    )
    expect(keys(changed)).toEqual(others)
  })

  test('every subject whose collector remembers has the id that its name stands for', () => {
    const without = plan(configFrom(createSmallNetwork().yaml), collectors)
      .filter(({ collector, subject }) => collector.memory && subject.id === undefined && subject.name !== 'all')
      .map(({ collector, subject: { name } }) => `${collector.name} of ${name.split(':')[0]}`)
    // What left a wallet is still news after a reload gave it another address.
    expect([...new Set(without)]).toEqual(['transactions of address'])
  })
})

describe('diff', () => {
  test.each([
    ['nothing changed', base, []],
    ['a key of the data service', base.replace('k1', 'k2'), ['primary-blocks/', 'supply/']],
    ['a secret part of a node url', base.replace('key-b', 'key-c'), ['uptime/fuji/primary/node-b', 'supply/']],
    ['an interval', `${base}collectors: { supply: { every: 1m } }`, ['supply/']],
  ])('%s restarts exactly what depends on it', (_, after, restarted) => {
    const [before, now] = [tasksOf(base), tasksOf(after)]
    const { keep, start, stop } = diff(before, now)
    expect(keys(start)).toEqual(keys(stop))
    const asks = (task: Task) => restarted.some((prefix) => task.key.startsWith(prefix))
    const own = (tasks: readonly Task[]) =>
      tasks.filter(({ collector }) => ['uptime', 'supply', 'primary-blocks'].includes(collector.name))
    expect(keys(own(stop))).toEqual(keys(own(before).filter(asks)))
    expect(keep.length + stop.length).toBe(before.length)
  })

  test('a new name is a new task, and the old one goes', () => {
    const { start, stop } = diff(
      known(base, 'primary-blocks'),
      known(base.replace('name: c }', 'name: see }'), 'primary-blocks'),
    )
    expect([keys(start), keys(stop)]).toEqual([['primary-blocks/fuji/see'], ['primary-blocks/fuji/c']])
  })
})
