import { describe, expect, test } from 'vitest'
import { listedL1s } from '../../../src/collectors/subnets/listed-l1s.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const RICH = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
/** An operator without a node. */
const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:2", network: fuji }
    subnets: [{ id: ${L1}, name: my-l1, validators: all }]
    validators: [{ node_id: ${RICH}, subnet: my-l1, name: rich }]
    l1_fee: { target: 10000, excess_constant: 51937021, min_price: 512 }
`

interface Member {
  id: string
  weight: number | string
  balance: number | string
  node?: string
  subnet?: string
}
const member = ({ id, weight, balance, node = `NodeID-${id}`, subnet = L1 }: Member) => ({
  validationId: id,
  nodeId: node,
  subnetId: subnet,
  weight,
  remainingBalance: balance,
})
/** As many as pay, one that is inactive, one that has left, and one of another L1. */
const MEMBERS: Member[] = [
  { id: 'rich', node: RICH, weight: 100, balance: 1_000_000_000 },
  { id: 'b', weight: '60', balance: '512000000' },
  { id: 'c', weight: 30, balance: 0 },
  { id: 'gone', weight: 0, balance: 5 },
  { id: 'other', weight: 7, balance: 5, subnet: 'other' },
]
const list = (members: readonly Member[], height?: string) => ({
  validators: members.map(member),
  ...(height === undefined ? {} : { blockHeight: height }),
})
/** Two blocks 100 s apart, 51,200 accrued in between: 512 a second. The newest, 1001, is of 1,700,000,000. */
const BLOCKS = fixture('data/list-latest-primary-network-blocks.fees')
const block = (height: string, blockTimestamp: number) => ({
  blockNumber: height,
  blockHash: `h${height}`,
  blockTimestamp,
  txCount: 0,
})
const NOW = 1_700_000_060_000

function upstream(
  listed: unknown,
  blocks: unknown = BLOCKS,
  one: unknown = new BaseError('not_found', 'no'),
): Upstream {
  return (operation) =>
    ({ 'list-l1-validators': listed, 'list-latest-primary-network-blocks': blocks, 'get-primary-network-block': one })[
      operation
    ]
}

const by = (label: string, metric: string, poller: Poller) => poller.values(`stakewatch_${metric}`, label)
const balances = (poller: Poller) => by('validator', 'l1_validator_listed_balance_tokens', poller)
const depletions = (poller: Poller) => by('validator', 'l1_validator_listed_depletion_timestamp_seconds', poller)
const weights = (poller: Poller) => by('of', 'l1_listed_weight', poller)
const next = (poller: Poller) => poller.value('stakewatch_l1_listed_next_depletion_timestamp_seconds')
const time = (poller: Poller) => poller.value('stakewatch_l1_listed_timestamp_seconds')
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

/** 160 of 190 have a balance; without `b`, whose balance is the least, 100 of 190. */
const WEIGHTS = { total: 190, active: 160, after_next_balance: 100 }
/** 1,000,000,000 / 512 = 1,953,125 s, and 512,000,000 / 512 = 1,000,000 s, from the block on. */
const from = (at: number) => ({ rich: at + 1_953_125, 'NodeID-b': at + 1_000_000 })

describe('listed-l1s (beyond document 1, list-l1-validators; operations 14 and 15)', () => {
  test('publishes balances, depletions and weights of an L1 without a node', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    await poller.poll(upstream(list(MEMBERS, '1001')))
    expect(balances(poller)).toEqual({ rich: 1, 'NodeID-b': 0.512, 'NodeID-c': 0 })
    expect(depletions(poller)).toEqual(from(1_700_000_000))
    expect(weights(poller)).toEqual(WEIGHTS)
    expect(next(poller)).toBe(1_701_000_000)
    expect(time(poller)).toBe(1_700_000_000)
    expect(success(poller)).toBe(1)
  })

  test('asks for the whole L1, inactive validators included, and reads all pages', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    const asked: unknown[] = []
    await poller.poll((operation, wire) => {
      if (operation !== 'list-l1-validators') return BLOCKS
      asked.push([wire.path, wire.query])
      const { pageToken } = wire.query
      // While pages are read a block comes: balances of two blocks, and one validator on both pages.
      return pageToken === undefined
        ? { ...list(MEMBERS.slice(0, 2), '1000'), nextPageToken: 'next' }
        : { ...list(MEMBERS.slice(1), '1001'), nextPageToken: '' }
    })
    const query = { subnetId: L1, includeInactiveL1Validators: 'true', pageSize: '100' }
    expect(asked).toEqual([
      ['/v1/networks/fuji/l1Validators', query],
      ['/v1/networks/fuji/l1Validators', { ...query, pageToken: 'next' }],
    ])
    expect(weights(poller)).toEqual(WEIGHTS)
    // The older of the two blocks: a depletion may be reported slightly too early, never too late.
    expect(depletions(poller)).toEqual(from(1_699_999_900))
  })

  test('publishes series of tracked validators alone, but weights of all, unless the whole L1 is watched', async () => {
    const poller = createPoller(yaml.replace(', validators: all', ''), listedL1s, NOW)
    await poller.poll(upstream(list(MEMBERS, '1001')))
    expect(balances(poller)).toEqual({ rich: 1 })
    expect(depletions(poller)).toEqual({ rich: 1_701_953_125 })
    expect(weights(poller)).toEqual(WEIGHTS)
    expect(next(poller)).toBe(1_701_000_000)
  })

  test.each<[string, string | undefined, unknown, object, number]>([
    ['one of the listed', '1000', BLOCKS, from(1_699_999_900), 1],
    [
      'one that came since the blocks were listed: the time of the newest of them',
      '1051',
      BLOCKS,
      from(1_700_000_000),
      1,
    ],
    ['far ahead of the listed: its own time', '1052', block('1052', 1_700_000_050), from(1_700_000_050), 1],
    ['older than the listed: its own time', '900', block('900', 1_699_990_000), from(1_699_990_000), 1],
    ['older, and the service has no such block', '900', new BaseError('not_found', 'no'), {}, 0],
    ['older, and the service cannot tell', '900', new BaseError('unsupported', 'no'), {}, 0],
    ['older, and the service gives another block', '900', block('901', 1_699_990_000), {}, 0],
    ['older, and dated in the future', '900', block('900', 1_800_000_000), {}, 0],
    ['unknown, as the service does not say', undefined, BLOCKS, {}, 0],
  ])('the block of the balances is %s', async (_, height, one, expected, isSuccess) => {
    const poller = createPoller(yaml, listedL1s, NOW)
    await poller.poll(upstream(list(MEMBERS, height), BLOCKS, one))
    expect(depletions(poller)).toEqual(expected)
    expect(balances(poller)).toEqual({ rich: 1, 'NodeID-b': 0.512, 'NodeID-c': 0 })
    expect(weights(poller)).toEqual(WEIGHTS)
    expect(success(poller)).toBe(isSuccess)
  })

  test('an old list keeps the time of its block, which is not requested again', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    let asked = 0
    const answers = upstream(list(MEMBERS, '900'), BLOCKS, block('900', 1_699_990_000))
    const counting: Upstream = (operation, ...rest) => {
      if (operation === 'get-primary-network-block') asked += 1
      return answers(operation, ...rest)
    }
    await poller.poll(counting)
    poller.clock.now += 300_000
    await poller.poll(counting)
    expect(time(poller)).toBe(1_699_990_000)
    expect(depletions(poller)).toEqual(from(1_699_990_000))
    expect(asked).toBe(1)
  })

  test('refuses a lagging replica and keeps the values', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    await poller.poll(upstream(list(MEMBERS, '1001')))
    poller.clock.now += 60_000
    await poller.poll(upstream(list([{ ...MEMBERS[0]!, balance: 7 }], '1000')))
    expect(balances(poller)).toEqual({ rich: 1, 'NodeID-b': 0.512, 'NodeID-c': 0 })
    expect(poller.reasons).toEqual(['older'])
    expect(success(poller)).toBe(0)
  })

  test('blocks without fees: takes the price from the fall of the balances', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    const poll = (height: string, at: number, balance: number) =>
      poller.poll(upstream(list([{ ...MEMBERS[0]!, balance }], height), { blocks: [block(height, at)] }))
    await poll('1000', 1_700_000_000, 1_000_000)
    expect(depletions(poller)).toEqual({})
    expect(success(poller)).toBe(1)
    poller.clock.now += 300_000
    // 60,000 in 60 s: 1,000 a second.
    await poll('1001', 1_700_000_060, 940_000)
    expect(depletions(poller)).toEqual({ rich: 1_700_000_060 + 940 })
  })

  test('publishes readable balances but no sums if a record is unreadable', async () => {
    const poller = createPoller(yaml, listedL1s, NOW)
    await poller.poll(upstream(list(MEMBERS, '1001')))
    poller.clock.now += 60_000
    const broken = list([MEMBERS[0]!, { ...MEMBERS[1]!, weight: -1 }], '1001')
    await poller.poll(upstream(broken))
    expect(balances(poller)).toEqual({ rich: 1 })
    expect(weights(poller)).toEqual(WEIGHTS)
    expect(next(poller)).toBe(1_701_000_000)
    expect(success(poller)).toBe(0)
    expect(poller.log).toMatchObject([{ code: 'bad_response' }])
  })

  test.each<[string, unknown, object, object, number]>([
    ['who is unlisted has no balance, not 0', list([], '1001'), {}, { total: 0, active: 0, after_next_balance: 0 }, 1],
    ['null is empty', { validators: null, blockHeight: '1001' }, {}, { total: 0, active: 0, after_next_balance: 0 }, 1],
    [
      'a failure takes nothing away that was known',
      new BaseError('network', 'refused'),
      { rich: 1 },
      { total: 100, active: 100, after_next_balance: 0 },
      0,
    ],
    ['nor another form', { validators: 'none' }, { rich: 1 }, { total: 100, active: 100, after_next_balance: 0 }, 0],
    [
      'a service without the list has nothing to say, and that is no failure',
      new BaseError('unsupported', 'no'),
      {},
      {},
      1,
    ],
  ])('%s', async (_, second, rich, sums, isSuccess) => {
    const poller = createPoller(yaml, listedL1s, NOW)
    await poller.poll(upstream(list([MEMBERS[0]!], '1001')))
    poller.clock.now += 60_000
    await poller.poll(upstream(second))
    expect(balances(poller)).toEqual(rich)
    expect(weights(poller)).toEqual(sums)
    expect(success(poller)).toBe(isSuccess)
  })
})
