import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { everyMetric } from '../../../src/commands/catalogue.ts'
import { metricNames } from '../../../src/status/value/metric-names.ts'
import type { PublicStatus } from '../../../src/status/value/public.ts'
import { statusSchema } from '../../../src/status/value/status-schema.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../../support/status.ts'

const yaml = yamlOf(['node-a', 'node-b'], [`{ node_id: ${VAL_1}, name: val-1 }`])

/** 60 days, of which 40 are over; 80 % of uptime are needed, so that 12 days of downtime are allowed. */
const facts = {
  validator_in_set: 1,
  validator_start_timestamp_seconds: NOW - 40 * DAY,
  validator_end_timestamp_seconds: NOW + 20 * DAY,
  validator_stake_tokens: 2_000,
}
/** 95 % of 40 days is a downtime of 2 days, 90 % one of 4 days. */
const opinions = {
  'node-a': {
    validator_uptime_ratio: 0.95,
    validator_connected: 1,
    validator_required_uptime_ratio: 0.8,
    validator_downtime_budget_seconds: 10 * DAY,
    validator_reward_state: 'on_track',
  },
  'node-b': {
    validator_uptime_ratio: 0.9,
    validator_connected: 1,
    validator_required_uptime_ratio: 0.8,
    validator_downtime_budget_seconds: 8 * DAY,
    validator_reward_state: 'on_track',
  },
}

test('what is published of a validator is the same in the JSON and on the page', () => {
  const { answer } = shown({ yaml, lines: linesOf({}, facts, opinions) })
  const json = answer('/api/v1/status')
  expect(json.type).toBe('application/json')
  const [validator] = statusSchema.parse(JSON.parse(json.body)).validators
  expect(validator).toEqual({
    network: 'fuji',
    subnet: 'primary',
    node_id: VAL_1,
    name: 'val-1',
    kind: null,
    state: 'connected',
    observers: [
      {
        source: 'node-a',
        votes: true,
        uptime_ratio: 0.95,
        required_uptime_ratio: 0.8,
        connected: true,
        downtime_budget_seconds: 864_000,
        reward_state: 'on_track',
        reachable_ratio: null,
      },
      {
        source: 'node-b',
        votes: true,
        uptime_ratio: 0.9,
        required_uptime_ratio: 0.8,
        connected: true,
        downtime_budget_seconds: 691_200,
        reward_state: 'on_track',
        reachable_ratio: null,
      },
    ],
    stake_tokens: 2_000,
    weight: null,
    start_timestamp_seconds: NOW - 40 * DAY,
    end_timestamp_seconds: NOW + 20 * DAY,
    planned_end_timestamp_seconds: null,
    next_period_seconds: null,
    // Between the two.
    downtime_budget_seconds: 777_600,
    downtime_allowed_seconds: 1_036_800,
    active: null,
    balance_tokens: null,
    depletion_timestamp_seconds: null,
    expectations: [],
    turns: null,
    maintenance: null,
    alerts: [],
  })
  const page = answer('/validators/:name', {}, 'val-1')
  const card = /<article[^]*?<\/article>/.exec(page.body)![0].replace(/>\s+</g, '><')
  // 9 of 12 days, and 40 of 60.
  expect(card).toContain('9 d of 12 d (75%)')
  expect(card).toContain('width="75"')
  expect(card).toContain('20 d left of 60 d, ends 2026-06-17 20:26 UTC')
  expect(card).toContain('width="66.7"')
  expect(card).toContain('<th scope="row">node-a</th><td>95.00%, needs 80%</td><td>yes</td><td>on track</td>')
  expect(card).toContain('<th scope="row">node-b</th><td>90.00%, needs 80%</td><td>yes</td><td>on track</td>')
})

test.each<[string, Readonly<Record<string, number>>, number | null]>([
  ['nothing', {}, NOW + 5],
  [
    'a balance and its end',
    { l1_validator_balance_tokens: 3, l1_validator_depletion_timestamp_seconds: NOW + 9 },
    NOW + 9,
  ],
  ['a balance without an end', { l1_validator_balance_tokens: 3 }, null],
])('the listed end of a balance counts unless a node reports the balance: %s', (_, reported, expected) => {
  const listed = {
    l1_validator_listed_balance_tokens: 1,
    l1_validator_listed_depletion_timestamp_seconds: NOW + 5,
  }
  const { status } = shown({
    yaml: yamlOf(
      ['node-a'],
      [`{ node_id: ${VAL_1}, name: val-1, subnet: grove }`],
      '    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: grove }]\n',
    ),
    lines: linesOf({ subnet: 'grove' }, { ...listed, ...reported }),
  })
  const { validators, subnets } = status()
  expect(validators[0]!.depletion_timestamp_seconds).toBe(expected)
  expect(subnets.find(({ name }) => name === 'grove')!.first_depletion_timestamp_seconds).toBe(expected)
})

test('nodes that do not vote count neither on the page nor on the public page', async () => {
  const lost = {
    validator_uptime_ratio: 0.2,
    validator_connected: 0,
    validator_downtime_budget_seconds: -5,
    validator_reward_state: 'lost',
  }
  const safe = { ...opinions['node-a'], validator_uptime_ratio: 0.99, validator_reward_state: 'safe' }
  const muted = ['node-b', 'node-c']
  const names = ['node-a', ...muted]
  const { answer, publicAnswer, evaluate } = shown({
    yaml: yamlOf(names, [`{ node_id: ${VAL_1}, name: val-1 }`], 'public: { validators: [{ validator: val-1 }] }'),
    lines: [
      ...linesOf({}, facts, { 'node-a': safe, 'node-b': { ...safe, ...lost }, 'node-c': { ...safe, ...lost } }),
      ...names.map((source) => `stakewatch_upstream_up{network="fuji",source="${source}"} 1`),
      ...muted.map(
        (source) => `stakewatch_node_health_check_passing{network="fuji",source="${source}",check="network"} 0`,
      ),
    ],
  })
  await evaluate()
  const [validator] = statusSchema.parse(JSON.parse(answer('/api/v1/status').body)).validators
  expect(validator).toMatchObject({
    state: 'connected',
    downtime_budget_seconds: safe.validator_downtime_budget_seconds,
    observers: [
      { source: 'node-a', votes: true },
      { source: 'node-b', votes: false, connected: false },
      { source: 'node-c', votes: false },
    ],
  })
  expect(answer('/validators/:name', {}, 'val-1').body.replace(/>\s+</g, '><')).toContain(
    '<th scope="row">node-b</th><td>20.00%, needs 80%</td><td>no</td><td>no vote</td>',
  )
  expect(publicAnswer('/public').body).toContain('99.00%')
})

/** Nodes a and b are in maintenance: by a window of their own, and by that of the validator that they are. */
test.each<[seen: Readonly<Record<string, 0 | 1>>, state: string, inPublic: string]>([
  [{ 'node-a': 0, 'node-b': 0, 'node-c': 1 }, 'connected', 'validating'],
  [{ 'node-a': 1, 'node-b': 1, 'node-c': 0 }, 'disconnected', 'disconnected'],
  [{ 'node-a': 0, 'node-b': 0 }, 'disconnected', 'disconnected'],
])('a node in maintenance decides who is disconnected only where no other reports, as for the alert: %j', (...row) => {
  const [seen, state, inPublic] = row
  const of = `network="fuji",subnet="primary",node_id="NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY",validator="val-2"`
  const { answer, publicAnswer } = shown({
    yaml: yamlOf(
      ['node-a', 'node-b', 'node-c'],
      [`{ node_id: ${VAL_1}, name: val-1 }`, '{ node_id: NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY, name: val-2 }'],
      'public: { validators: [{ validator: val-1 }] }',
    ),
    lines: [
      ...linesOf(
        {},
        { ...facts, validator_tracked: 1 },
        Object.fromEntries(Object.entries(seen).map(([source, one]) => [source, { validator_connected: one }])),
      ),
      'stakewatch_node_in_maintenance{network="fuji",source="node-a",window="w"} 1',
      `stakewatch_validator_tracked{${of}} 1`,
      `stakewatch_validator_in_maintenance{${of},window="w"} 1`,
      'stakewatch_node_info{network="fuji",source="node-b",id="NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY"} 1',
    ],
  })
  const status = statusSchema.parse(JSON.parse(answer('/api/v1/status').body))
  const validator = status.validators.find(({ name }) => name === 'val-1')!
  expect(validator.state).toBe(state)
  const isProblem = validator.alerts.some(({ alert }) => alert === 'StakewatchValidatorDisconnected')
  expect(isProblem).toBe(state === 'disconnected')
  const shared = JSON.parse(publicAnswer('/public.json').body) as PublicStatus
  expect(shared.validators[0]!.state).toBe(inPublic)
})

test('data of a task whose interval a budget stretches expires as much later', () => {
  const taskIn = (lines: readonly string[]) =>
    shown({ yaml, lines })
      .status()
      .tasks.find(({ collector, source }) => collector === 'uptime' && source === 'node-a')!
  const planned = taskIn([])
  const of = 'network="fuji",collector="uptime",source="node-a",target="primary"'
  const stretched = taskIn([`stakewatch_collector_interval_seconds{${of}} ${4 * planned.interval_seconds}`])
  expect(stretched.interval_seconds).toBe(4 * planned.interval_seconds)
  expect(stretched.ttl_seconds).toBe(4 * planned.ttl_seconds)
})

test('the next run of a task with a schedule is its next match, not the longest interval after the last run', () => {
  // A Thursday evening.
  const rows = [
    {
      network: 'fuji',
      result: 'success' as const,
      reason: '',
      source: 'node-a',
      finishedAt: NOW * 1_000,
      took: 0,
      series: 1,
    },
  ]
  const world = shown({
    yaml: `${yaml}collectors: { validators: { schedule: '0 8 * * 1-5', timezone: UTC } }\n`,
    rows: rows.map((row) => ({ ...row, key: 'validators/fuji/primary' })),
  })
  const task = world.status().tasks.find(({ collector }) => collector === 'validators')!
  expect(task).toMatchObject({
    schedule: '0 8 * * 1-5',
    interval_seconds: 3 * DAY,
    next_run_timestamp_seconds: Date.UTC(2026, 4, 29, 8) / 1_000,
  })
  const page = world.answer('/tasks').body
  expect(page).toContain('about in 11 h 33 min, at 0 8 * * 1-5')
})

test('with a wrong clock the time is that of the upstreams, as that of what they say', async () => {
  const AHEAD = 7_200
  const of = 'network="fuji",collector="validators",source="",target="primary"'
  const world = shown({
    yaml: `${yaml}public: { validators: [{ validator: val-1 }] }\n`,
    ahead: AHEAD * 1_000,
    lines: [
      ...linesOf({}, facts),
      `stakewatch_collector_last_success_timestamp_seconds{${of}} ${NOW - AHEAD}`,
      `stakewatch_collector_interval_seconds{${of}} 60`,
    ],
  })
  await world.evaluate()
  expect(world.status()).toMatchObject({
    timestamp_seconds: NOW - AHEAD,
    rules: { evaluated_timestamp_seconds: NOW - AHEAD },
  })
  expect(world.answer('/tasks').body).not.toContain('expired')
  expect(world.publicAnswer('/public').body).not.toContain('Old data')
})

test('the published JSON Schema fits what is served, and refuses what is not', () => {
  const schema = JSON.parse(readFileSync(new URL('../../../status.schema.json', import.meta.url), 'utf8')) as object
  const isValid = new Ajv({ strict: false }).compile(schema)
  const { answer } = shown({
    yaml,
    lines: linesOf({}, facts, opinions),
    errors: [{ network: 'fuji', source: 'node-a', operation: 'a', code: 'timeout', reason: 'no answer', at: 1 }],
  })
  const status = JSON.parse(answer('/api/v1/status').body) as { validators: object[] }
  expect([isValid(status), isValid.errors]).toEqual([true, null])
  // A reader does not break on what a later version adds.
  expect(isValid({ ...status, later: 1 })).toBe(true)
  const [validator] = status.validators
  expect(isValid({ ...status, validators: [{ ...validator, state: 'fine' }] })).toBe(false)
  expect(isValid({ ...status, validators: [{ ...validator, stake_tokens: '2000' }] })).toBe(false)
})

test('each metric that it is made of is in the catalogue', () => {
  const known = new Set(everyMetric().map(({ name }) => name))
  expect([...metricNames].filter((name) => !known.has(name))).toEqual([])
})

test('is rebuilt at most once a second for any number of requests', () => {
  const { status, set } = shown({ yaml, lines: linesOf({}, facts, opinions) })
  const first = status()
  set(NOW + 0.9)
  expect(status()).toBe(first)
  set(NOW + 1)
  expect(status().timestamp_seconds).toBe(NOW + 1)
})

test.each([
  ['p-chain', '{ id: p-chain }'],
  ['P', '{ id: p-chain, name: P }'],
])('the balance that a node reports stands in for the listed one, under the name of the P-Chain: %s', (name, chain) => {
  const yaml = yamlOf(
    ['node-a'],
    [],
    `    chains: [${chain}]\n    addresses: [{ name: a, addresses: [P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7] }]`,
  )
  const balancesWith = (...lines: readonly string[]) => {
    const { answer } = shown({
      yaml,
      lines: ['stakewatch_node_address_balance_tokens{network="fuji",address="a",state="unlocked"} 4', ...lines],
    })
    return statusSchema.parse(JSON.parse(answer('/api/v1/status').body)).wallets[0]!.balances
  }
  expect(balancesWith()).toEqual([{ chain: name, tokens: 4 }])
  const listed = `stakewatch_address_balance_tokens{network="fuji",address="a",chain="${name}",state="unlocked_unstaked"} 5`
  expect(balancesWith(listed)).toEqual([{ chain: name, tokens: 5 }])
})
