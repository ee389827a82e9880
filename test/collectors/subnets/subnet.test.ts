import { describe, expect, test } from 'vitest'
import { subnet } from '../../../src/collectors/subnets/subnet.ts'
import { BaseError } from '../../../src/errors.ts'
import { type LastBlock, withNodeTime } from '../../support/node-time.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'

const PRIMARY = '11111111111111111111111111111111LpoYY'
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:2" }
    subnets: [{ id: ${L1}, name: my-l1 }]
`
/** Time of the newest block in the fixture, where a second costs 512 and as many validators are active as should be. */
const CHAIN_TIME = 1_700_000_000_000
const blocks = fixture('data/list-latest-primary-network-blocks.fees')
type Item = Readonly<Record<string, unknown>>
type Poller = ReturnType<typeof pollerOf>

/** Nodes tell no chain time, as in the document, unless a poll says what their last block is. */
function pollerOf(text: string, start: number) {
  const poller = createPoller(text, subnet, start)
  return { ...poller, poll: (answers: Upstream, last?: LastBlock) => poller.poll(withNodeTime(answers, last)) }
}

/** The set of the L1; the primary network is of no interest and not answered. */
const l1With =
  (members: readonly Item[], fees: unknown = blocks): Upstream =>
  (operation, { body }) => {
    if (operation !== 'platform.getCurrentValidators') return fees
    return body['subnetID'] === L1 ? { validators: members } : new BaseError('timeout', 'late')
  }
const recorded = (name: string) =>
  (fixture(`node/platform.getCurrentValidators.${name}`) as { validators: readonly Item[] }).validators
const numbered = (items: readonly Item[]) => items.map((item, at) => ({ nodeID: `NodeID-${at}`, ...item }))

/** Everything about a subnet: `weight state="connected"` and its value. */
function values(poller: Poller, name = 'my-l1'): Record<string, number> {
  const lines = poller.lines(new RegExp(`^stakewatch_subnet_.*subnet="${name}"`))
  return Object.fromEntries(
    lines.map((line) => {
      const [, metric, label, value] = /^stakewatch_subnet_(\w+)\{[^}]*subnet="[^"]+",?([^}]*)\} (.*)/.exec(line)!
      return [`${metric} ${label}`.trim(), Number(value)]
    }),
  )
}

/** Values of one metric by its own label. */
function valuesOf(poller: Poller, metric: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values(poller)).flatMap(([key, value]) => {
      const [name, label = ''] = key.split(' ')
      return name === metric ? [[label.replace(/.*="(.*)"/, '$1'), value]] : []
    }),
  )
}

async function polled(members: readonly Item[], fees?: unknown, config = yaml): Promise<Poller> {
  const poller = pollerOf(config, CHAIN_TIME)
  await poller.poll(l1With(members, fees))
  return poller
}

const success = (poller: Poller, target = 'my-l1') => poller.list('stakewatch_collector_success', { target })

describe('subnet (document 2, Validator record)', () => {
  test('the primary network: connections, stake, concentration', async () => {
    const poller = pollerOf(yaml, CHAIN_TIME)
    await poller.poll((_, { body }) => ({
      validators: body['subnetID'] === PRIMARY ? recorded('primary') : [{ nodeID: 'NodeID-0', weight: '1' }],
    }))
    const asked = poller.asked.map(({ operation, body }) => [operation, body])
    expect(poller.lines(/stakewatch_subnet_.*"primary"/)).toEqual(
      [
        'validators{network="fuji",subnet="primary",state="connected"} 1',
        'validators{network="fuji",subnet="primary",state="disconnected"} 1',
        // Own stake of 2,000 and three delegations of together 75.
        'weight{network="fuji",subnet="primary",state="connected"} 2075000000000',
        'weight{network="fuji",subnet="primary",state="disconnected"} 3000000000000',
        'delegators{network="fuji",subnet="primary"} 3',
        'stake_tokens{network="fuji",subnet="primary"} 5075',
        // 3,000 of 5,075: the heaviest alone holds more than a third.
        `top_weight_ratio{network="fuji",subnet="primary",top="1"} ${3_000 / 5_075}`,
        'top_weight_ratio{network="fuji",subnet="primary",top="5"} 1',
        'top_weight_ratio{network="fuji",subnet="primary",top="10"} 1',
        'top_weight_ratio{network="fuji",subnet="primary",top="33"} 1',
        'nakamoto_coefficient{network="fuji",subnet="primary"} 1',
      ].map((line) => `stakewatch_subnet_${line}`),
    )
    // Whole sets without balances: nothing to ask the data service for.
    expect(asked).toEqual([
      ['platform.getCurrentValidators', { subnetID: PRIMARY }],
      ['platform.getCurrentValidators', { subnetID: L1 }],
    ])
  })

  test('an L1 with an active, an inactive and a legacy validator: the weight of the inactive one counts', async () => {
    expect(values(await polled(recorded('l1')))).toEqual({
      'validators state="unknown"': 2,
      'validators state="inactive"': 1,
      'weight state="unknown"': 150,
      'weight state="inactive"': 20,
      // 1,000,000,000 / 512 a second last 22.6 days.
      'weight_depleting within="1d"': 0,
      'weight_depleting within="7d"': 0,
      'weight_depleting within="30d"': 100,
      'top_weight_ratio top="1"': 100 / 170,
      'top_weight_ratio top="5"': 1,
      'top_weight_ratio top="10"': 1,
      'top_weight_ratio top="33"': 1,
      nakamoto_coefficient: 1,
    })
  })

  test.each<[string, readonly Item[], Record<string, number>, Record<string, number>]>([
    ['permissioned only: nothing can be known', [{ weight: '3' }, { weight: '4' }], { unknown: 2 }, { unknown: 7 }],
    [
      'all of an L1 inactive',
      [
        { weight: '3', balance: '0' },
        { weight: '4', balance: '0' },
      ],
      { unknown: 0, inactive: 2 },
      { unknown: 0, inactive: 7 },
    ],
    [
      'connections of some: the others are unknown',
      [{ weight: '1', connected: true }, { weight: '2' }, { weight: '4', connected: true }],
      { connected: 2, disconnected: 0, unknown: 1 },
      { connected: 5, disconnected: 0, unknown: 2 },
    ],
    [
      'every kind at once, each in one state',
      [
        { weight: '1', connected: true },
        { weight: '2', connected: false },
        { weight: '4', balance: '0' },
        { weight: '8', balance: '5' },
        { weight: '16' },
      ],
      { connected: 1, disconnected: 1, inactive: 1, unknown: 2 },
      { connected: 1, disconnected: 2, inactive: 4, unknown: 24 },
    ],
    [
      'null is absent, and a bare number is read like a string',
      [
        { weight: 3, connected: null, balance: null },
        { weight: 4, balance: 0 },
      ],
      { unknown: 1, inactive: 1 },
      { unknown: 3, inactive: 4 },
    ],
    [
      'weights that sum up beyond what a double counts',
      [{ weight: '9007199254740993' }, { weight: '9007199254740993' }, { weight: '9007199254740993' }],
      { unknown: 3 },
      // 2^53 + 1 three times: the nearest double is 3 x 2^53 + 4; doubles added would lose the ones.
      { unknown: 27_021_597_764_222_980 },
    ],
    [
      'one without weight: the weights are unknown, not smaller',
      [{ weight: '3' }, { balance: '0' }],
      { unknown: 1, inactive: 1 },
      {},
    ],
  ])('%s', async (_, items, validators, weights) => {
    const poller = await polled(numbered(items))
    expect(valuesOf(poller, 'validators')).toEqual(validators)
    expect(valuesOf(poller, 'weight')).toEqual(weights)
  })

  test('a missing weight withdraws concentration and depleting weight', async () => {
    const poller = await polled(numbered([{ weight: '3', balance: '1' }, { weight: '4' }, {}]))
    expect(values(poller)).toEqual({ 'validators state="unknown"': 3, 'validators state="inactive"': 0 })
  })

  test('a set without weight has no concentration', async () => {
    const poller = await polled(numbered([{ weight: '0' }, { weight: '0' }]))
    expect(values(poller)).toEqual({ 'validators state="unknown"': 2, 'weight state="unknown"': 0 })
  })

  test('the primary network votes with own and delegated stake', async () => {
    // As AvalancheGo 1.14.2 answered: own stakes of five times 2,000,000 and of 2,500; delegated are 500 and 130.
    const recordedLive = [
      { nodeID: 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i', weight: '2500000000000', delegatorWeight: '130000000000' },
      { nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5', weight: '2000000000000000', delegatorWeight: '0' },
      { nodeID: 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu', weight: '2000000000000000', delegatorWeight: '0' },
      { nodeID: 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN', weight: '2000000000000000', delegatorWeight: '0' },
      { nodeID: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', weight: '2000000000000000', delegatorWeight: '0' },
      {
        nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
        weight: '2000000000000000',
        delegatorWeight: '500000000000',
      },
    ]
    const poller = pollerOf(yaml, CHAIN_TIME)
    await poller.poll(() => ({ validators: recordedLive.map((record) => ({ ...record, connected: true })) }))
    const primary = values(poller, 'primary')
    // 10,002,500 + 630 tokens of 10^9.
    expect(primary['weight state="connected"']).toBe(10_003_130_000_000_000)
    expect(primary['stake_tokens']).toBe(10_003_130)
    // The heaviest has 2,000,500. Two with 4,000,500 hold more than the third of 3,334,377.
    expect(primary['top_weight_ratio top="1"']).toBe(2_000_500 / 10_003_130)
    expect(primary['nakamoto_coefficient']).toBe(2)
  })

  test('an unreadable record withdraws counts and sums', async () => {
    const poller = await polled([
      { nodeID: 'NodeID-A', weight: '5' },
      { nodeID: 'NodeID-B', weight: '-1' },
    ])
    expect(values(poller)).toEqual({})
    expect(success(poller)).toEqual([1])
  })

  test('an empty set is unsupported and withdraws previous series', async () => {
    const poller = await polled(recorded('l1'))
    expect(Object.keys(values(poller))).toHaveLength(12)
    poller.clock.now += 300_000
    await poller.poll(l1With([]))
    expect(values(poller)).toEqual({})
    expect(success(poller)).toEqual([1])
  })
})

describe('weight that is about to go inactive (document 1, operation 14)', () => {
  // At 512 a second a day costs 44,236,800, seven of them 309,657,600 and thirty 1,327,104,000.
  const items = numbered([
    { weight: '1', balance: '44236800' },
    { weight: '2', balance: '309657600' },
    { weight: '4', balance: '1327104000' },
    { weight: '8', balance: '1327104512' },
    { weight: '16', balance: '0' },
    { weight: '32' },
  ])

  test.each([
    ['exactly at the end of each window', 0, { '1d': 1, '7d': 3, '30d': 7 }],
    ['the newest block is a second old: so much is used up already', 1_000, { '1d': 1, '7d': 3, '30d': 15 }],
    ['the newest block is six days old', 6 * 86_400_000, { '1d': 3, '7d': 3, '30d': 15 }],
    ['our clock is behind', -3_600_000, { '1d': 1, '7d': 3, '30d': 7 }],
  ])('%s', async (_, later, expected) => {
    const poller = pollerOf(yaml, CHAIN_TIME + later)
    await poller.poll(l1With(items))
    expect(valuesOf(poller, 'weight_depleting')).toEqual(expected)
    expect(success(poller)).toEqual([1])
  })

  test.each<[string, unknown, string, number]>([
    [
      'the blocks prove no price',
      { blocks: [{ blockNumber: '1', blockHash: 'h', blockTimestamp: CHAIN_TIME / 1_000, txCount: 0 }] },
      yaml,
      1,
    ],
    ['there are no blocks: no answer for a chain', { blocks: [] }, yaml, 0],
    ['the blocks fail: the rest is published, the run is a failure', new BaseError('timeout', 'late'), yaml, 0],
    ['no source of chain time', blocks, yaml.replace(/ {4}data_api.*\n/, ''), 0],
    ['the service has no list of blocks', new BaseError('unsupported', 'no such network'), yaml, 0],
  ])('is absent when %s', async (_, fees, config, ok) => {
    const poller = await polled(items, fees, config)
    expect(valuesOf(poller, 'weight_depleting')).toEqual({})
    expect(valuesOf(poller, 'weight')).toEqual({ unknown: 47, inactive: 16 })
    expect(success(poller)).toEqual([ok])
  })

  const alone = yaml.replace(/ {4}data_api.*\n/, '')
  const DAYS = 86_400

  test("uses the node's time even if the data service is three days ahead", async () => {
    const poller = pollerOf(yaml, CHAIN_TIME)
    const last = { height: 7, time: CHAIN_TIME / 1_000 - 3 * DAYS }
    // The balances are three days old: the first ran out since, the second has four days left.
    await poller.poll(l1With(items), last)
    expect(valuesOf(poller, 'weight_depleting')).toEqual({ '1d': 1, '7d': 3, '30d': 15 })
    expect(success(poller)).toEqual([1])
  })

  test.each<[string, string, unknown]>([
    ['no data service', alone, undefined],
    ['a data service without a list of blocks', yaml, new BaseError('unsupported', 'no such network')],
  ])('%s: takes the price from the fall of the balances', async (_, config, fees) => {
    const poller = pollerOf(config, CHAIN_TIME)
    const paying = (balance: number) => [{ nodeID: 'NodeID-A', weight: '5', balance: String(balance) }]
    const height = (at: number) => ({ height: at, time: CHAIN_TIME / 1_000 + 300 * at })
    await poller.poll(l1With(paying(1_000_000), fees), height(0))
    expect(valuesOf(poller, 'weight_depleting')).toEqual({})
    // 3,000 in 300 s are 10 a second: 997,000 last 99,700 s, more than a day.
    poller.clock.now += 300_000
    await poller.poll(l1With(paying(997_000), fees), height(1))
    expect(valuesOf(poller, 'weight_depleting')).toEqual({ '1d': 0, '7d': 5, '30d': 5 })
    expect(success(poller)).toEqual([1])
  })

  test('remembers twenty of many balances for the price', async () => {
    const poller = pollerOf(alone, CHAIN_TIME)
    const many = numbered(Array.from({ length: 30 }, () => ({ weight: '1', balance: '1000' })))
    await poller.poll(l1With(many), { height: 1, time: CHAIN_TIME / 1_000 })
    const { memory } = poller.memories.load('subnet/fuji/my-l1') as { memory: { tracks: object } }
    expect(Object.keys(memory.tracks)).toHaveLength(20)
  })

  test.each<[string, (string | undefined)[], number]>([
    ['everybody is inactive', ['0'], 0],
    ['no validator has a balance', [undefined], 0],
    ['one has', ['0', '1'], 1],
  ])('asks for blocks only where a validator pays: %s', async (_, balances, calls) => {
    const poller = pollerOf(yaml, CHAIN_TIME)
    await poller.poll(l1With(numbered(balances.map((balance) => ({ weight: '1', balance })))))
    const asked = poller.asked.map(({ operation }) => operation)
    expect(asked.filter((operation) => operation === 'list-latest-primary-network-blocks')).toHaveLength(calls)
  })
})
