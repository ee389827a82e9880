import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { diff, plan, type Task } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'

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
        ['supply/fuji/primary', { network: 'fuji', subnet: 'primary' }, ['node-a', 'node-b']],
        ['supply/fuji/my-l1', { network: 'fuji', subnet: 'my-l1' }, ['node-a', 'node-b']],
        ['primary-blocks/fuji/p-chain', { network: 'fuji', chain: 'p-chain' }, ['data-api']],
        ['primary-blocks/fuji/c', { network: 'fuji', chain: 'c' }, ['data-api']],
      ]),
    )
    expect(tasks).toHaveLength(6)
  })

  test.each([
    ['the own interval of the collector', base, 60, 54, 300],
    [
      'the configured one; the time to live is at least five minutes',
      `${base}collectors: { uptime: { every: 30s } }`,
      30,
      27,
      300,
    ],
    ['three long intervals', `${base}collectors: { uptime: { every: 10m } }`, 600, 540, 1_800],
    ['as many as configured', `${base}defaults: { ttl: 10 }`, 60, 54, 600],
  ])('settings: %s', (_, yaml, every, deadline, ttl) => {
    const [task] = known(yaml, 'uptime')
    expect(task!.settings).toEqual({ every: every * 1_000, deadline: deadline * 1_000, ttl: ttl * 1_000 })
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

  test('keys are unique, and prints tell nothing of a secret', () => {
    // A wallet, a chain and an L1 by the name of the validator.
    const alike = base
      .replace('name: my-l1', 'name: one')
      .replace('name: c }', 'name: one, evm_chain_id: 43113 }')
      .replace('    chains:', `    addresses: [{ name: one, addresses: [P-fuji1${'q'.repeat(38)}] }]\n    chains:`)
    const tasks = tasksOf(alike)
    expect(keys(tasks)).toEqual(
      expect.arrayContaining(['pending-rewards/fuji/address:one', 'pending-rewards/fuji/validator:one']),
    )
    expect(new Set(keys(tasks)).size).toBe(tasks.length)
    expect(JSON.stringify(tasks.map(({ collector: _, ...rest }) => rest))).not.toMatch(/k1|key-b/)
  })
})

describe('diff', () => {
  test.each([
    ['nothing changed', base, []],
    ['a key of the data service', base.replace('k1', 'k2'), ['primary-blocks/']],
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
    expect([keys(start), keys(stop)]).toEqual([
      ['primary-blocks/fuji/p-chain', 'primary-blocks/fuji/see'],
      ['primary-blocks/fuji/c', 'primary-blocks/fuji/p-chain'],
    ])
  })
})
