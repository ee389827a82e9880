import { describe, expect, test } from 'vitest'
import { validators } from '../../../src/collectors/validators/validators.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const OTHER = 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN'
const nodes = 'nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]'
const onPrimary = `
networks:
  - name: fuji
    ${nodes}
    validators: [{ node_id: ${ONE}, name: one }, { node_id: ${TWO}, name: two }]
    delegation: { min_duration: 14d, min_delegation: 25 }
`
const onSubnet = (watched: 'tracked' | 'all') => `
networks:
  - name: fuji
    ${nodes}
    subnets: [{ id: ${L1}, name: my-l1, validators: ${watched} }]
    validators: [{ node_id: ${ONE}, subnet: my-l1, name: one }, { node_id: ${TWO}, subnet: my-l1, name: two }]
`
const NOW = 1_705_000_000_000
/** From one poll to the next. */
const MINUTE = 60_000
type Item = Readonly<Record<string, unknown>>

const recorded = (name: string) =>
  (fixture(`node/platform.getCurrentValidators.${name}`) as { validators: readonly Item[] }).validators
const series = (metric: string, subnet: string, id: string, name: string, more = '') =>
  `stakewatch_validator_${metric}{network="fuji",subnet="${subnet}",node_id="${id}",validator="${name}"${more}}`

/** A node with these members: of the ids asked for, those that are not among them are left out (document 2). */
function nodeWith(members: readonly Item[]): Upstream {
  return (_, { body }) => {
    const ids = body['nodeIDs']
    return { validators: members.filter(({ nodeID }) => !Array.isArray(ids) || ids.includes(nodeID)) }
  }
}

const members = (...ids: string[]) => nodeWith(ids.map((nodeID) => ({ nodeID, weight: '1' })))
const late: Upstream = () => new BaseError('timeout', 'late')

/** 'one=1 two=0': the values of validator_in_set. */
function inSet(poller: Poller): string {
  const series = poller.series('stakewatch_validator_in_set')
  return series.map(({ labels, value }) => `${labels['validator']}=${value}`).join(' ')
}

/** Metrics of one validator, without prefix, and their values. */
function valuesOf(poller: Poller, id: string): Record<string, number> {
  const all = poller.series(/^stakewatch_validator_/, { node_id: id })
  return Object.fromEntries(all.map(({ name, value }) => [name.replace('stakewatch_validator_', ''), value]))
}

describe('records of the primary network (document 2, Validator record)', () => {
  test('in the form of the document', async () => {
    // Both stakes end 500,000 s from here; with a least delegation of a day there is time.
    const poller = createPoller(onPrimary.replace('min_duration: 14d', 'min_duration: 1d'), validators, 1_500_000_000)
    await poller.poll(nodeWith(recorded('primary')))
    const one = (metric: string, value: string, more?: string) =>
      `${series(metric, 'primary', ONE, 'one', more)} ${value}`
    const two = (metric: string, value: string, more?: string) =>
      `${series(metric, 'primary', TWO, 'two', more)} ${value}`
    const kind = ',kind="primary",validation_id=""'
    expect(poller.lines(/stakewatch_validator/)).toEqual([
      one('in_set', '1'),
      two('in_set', '1'),
      one('info', '1', kind),
      two('info', '1', kind),
      // Own stake and delegations: with both the network votes.
      one('weight', '2075000000000'),
      two('weight', '3000000000000'),
      one('stake_tokens', '2000'),
      two('stake_tokens', '3000'),
      one('delegated_tokens', '75'),
      two('delegated_tokens', '0'),
      one('delegators', '3'),
      two('delegators', '0'),
      one('delegation_fee_ratio', '0.02'),
      two('delegation_fee_ratio', '0.1'),
      // At most five times the own stake: 10,000 - 2,000 - 75, and 15,000 - 3,000.
      one('delegation_capacity_tokens', '7925'),
      two('delegation_capacity_tokens', '12000'),
      one('potential_reward_tokens', '79984.390135364'),
      two('potential_reward_tokens', '1e-7'),
      one('start_timestamp_seconds', '1000000'),
      two('start_timestamp_seconds', '1000000'),
      one('end_timestamp_seconds', '2000000'),
      two('end_timestamp_seconds', '2000000'),
    ])
  })

  test('reads the live form: auto-renewed, without signer, with unknown fields', async () => {
    const poller = createPoller(onPrimary, validators, NOW)
    await poller.poll(nodeWith(recorded('primary-live')))
    expect(valuesOf(poller, ONE)).toEqual({
      in_set: 1,
      info: 1,
      weight: 7_000_000_000_000,
      stake_tokens: 2_000,
      delegated_tokens: 5_000,
      delegators: 12,
      delegation_fee_ratio: 0.142,
      // 10,000 - 2,000 - 5,000; 5,000,000 s are left.
      delegation_capacity_tokens: 3_000,
      potential_reward_tokens: 80.123456789,
      start_timestamp_seconds: 1_700_000_000,
      end_timestamp_seconds: 1_710_000_000,
      next_period_seconds: 1_209_600,
    })
    expect(valuesOf(poller, TWO)).toEqual({
      in_set: 1,
      info: 1,
      weight: 2_999_980_000_000_000,
      stake_tokens: 700_000,
      delegated_tokens: 2_299_980,
      delegators: 412,
      delegation_fee_ratio: 0.02,
      // 3,000,000 - 700,000 - 2,299,980 leaves 20: less than the least delegation of 25.
      delegation_capacity_tokens: 0,
      // More units than a double counts one by one: 12,345,678,901,234,567.
      potential_reward_tokens: 12_345_678.901234567,
      start_timestamp_seconds: 1_690_000_000,
      end_timestamp_seconds: 1_715_000_000,
    })
  })

  test.each([
    ['as long as a least delegation of fourteen days fits', 14 * 86_400, 3_000],
    ['not a second longer', 14 * 86_400 - 1, 0],
  ])('there is capacity %s', async (_, left, expected) => {
    const poller = createPoller(onPrimary, validators, (1_710_000_000 - left) * 1_000)
    await poller.poll(nodeWith(recorded('primary-live')))
    expect(valuesOf(poller, ONE)).toMatchObject({ delegation_capacity_tokens: expected })
  })

  test.each<[string, Item, readonly string[], Record<string, number>]>([
    ['leaves at its end: the next period is 0', { nextPeriod: '0' }, [], { next_period_seconds: 0 }],
    ['a fee without the noise of a division', { delegationFee: '2.2000' }, [], { delegation_fee_ratio: 0.022 }],
    ['without end', { endTime: undefined }, ['end_timestamp_seconds', 'delegation_capacity_tokens'], {}],
    [
      'without what is delegated',
      { delegatorWeight: null },
      ['weight', 'delegated_tokens', 'delegation_capacity_tokens'],
      {},
    ],
    ['without weight', { weight: undefined }, ['weight', 'stake_tokens', 'delegation_capacity_tokens'], {}],
    [
      'without fee, reward, delegators and start',
      { delegationFee: undefined, potentialReward: null, delegatorCount: undefined, startTime: undefined },
      ['delegation_fee_ratio', 'potential_reward_tokens', 'delegators', 'start_timestamp_seconds'],
      {},
    ],
    ['bare numbers are read like strings', { weight: 2e12, delegatorCount: 12, delegationFee: 14.2 }, [], {}],
  ])('%s: missing fields have no series', async (_, change, missing, values) => {
    const [, record] = recorded('primary-live')
    const poller = createPoller(onPrimary, validators, NOW)
    await poller.poll(nodeWith([{ ...record }]))
    const expected = { ...valuesOf(poller, ONE), ...values }
    for (const name of missing) delete expected[name]
    poller.clock.now += MINUTE
    await poller.poll(nodeWith([{ ...record, ...change }]))
    expect(valuesOf(poller, ONE)).toEqual(expected)
  })
})

describe('records of other subnets', () => {
  const kinds = (poller: Poller) =>
    poller
      .series('stakewatch_validator_info')
      .map(({ labels }) => `${labels['validator']} ${labels['kind']} ${labels['validation_id']}`.trim())

  test('reads an L1 with an active, an inactive and a legacy validator', async () => {
    const poller = createPoller(onSubnet('all'), validators, NOW)
    await poller.poll(nodeWith(recorded('l1')))
    expect(kinds(poller)).toEqual([
      'one l1 9FAftNgNBrzHUMMApsSyV6RcFiL9UmCbvsCu28xdLV2mQ7CMo',
      'two l1 29Qyng1jJXXLQBSTX9LVqPxCQG4dYqrFoGmoTiZa6LBWjXKykD',
      // It has no configured name.
      `${OTHER} permissioned`,
    ])
    expect(valuesOf(poller, ONE)).toEqual({ in_set: 1, info: 1, weight: 100, start_timestamp_seconds: 1_690_000_000 })
    // Out of balance, and still a member.
    expect(valuesOf(poller, TWO)).toEqual({ in_set: 1, info: 1, weight: 20, start_timestamp_seconds: 1_690_000_000 })
    expect(valuesOf(poller, OTHER)).toEqual({
      info: 1,
      weight: 50,
      start_timestamp_seconds: 1_680_000_000,
      end_timestamp_seconds: 1_790_000_000,
    })
  })

  test('an elastic subnet publishes no stake in tokens of the network', async () => {
    const poller = createPoller(onSubnet('tracked'), validators, NOW)
    await poller.poll(nodeWith(recorded('elastic')))
    expect(kinds(poller)).toEqual(['one elastic'])
    expect(valuesOf(poller, ONE)).toEqual({
      in_set: 1,
      info: 1,
      weight: 1_000,
      start_timestamp_seconds: 1_700_000_000,
      end_timestamp_seconds: 1_710_000_000,
    })
  })

  test.each([
    ['a balance alone makes an L1 validator', { balance: '0' }, 'one l1'],
    ['nothing but the node id', {}, 'one permissioned'],
    ['a weight beyond what a double counts', { weight: '18446744073709551615' }, 'one permissioned'],
  ])('%s', async (_, fields, kind) => {
    const poller = createPoller(onSubnet('tracked'), validators, NOW)
    await poller.poll(nodeWith([{ nodeID: ONE, ...fields }]))
    expect(kinds(poller)).toEqual([kind])
    expect(valuesOf(poller, ONE)).toEqual({
      in_set: 1,
      info: 1,
      // The nearest double of 2^64 - 1 is 2^64.
      ...('weight' in fields ? { weight: 2 ** 64 } : {}),
    })
  })
})

describe('what a node may do to the list', () => {
  test('orders validators as configured, then by id', async () => {
    const set = [OTHER, TWO, 'NodeID-A', ONE]
    for (const ids of [set, set.toReversed()]) {
      const poller = createPoller(onSubnet('all'), validators, NOW)
      await poller.poll(members(...ids))
      const order = poller.series(/_validator_weight/).map(({ labels }) => labels['node_id'])
      expect(order).toEqual([ONE, TWO, 'NodeID-A', OTHER])
    }
  })

  test('a node named twice counts once', async () => {
    const poller = createPoller(onSubnet('all'), validators, NOW)
    const [record] = recorded('l1')
    await poller.poll(nodeWith([record!, { ...record, validationID: 'another', weight: '7' }]))
    expect(poller.list(/_validator_(info|weight)/)).toEqual([1, 100])
    expect(poller.dropped()).toBe(0)
  })

  test('a node that returns the whole set adds no series', async () => {
    const poller = createPoller(onSubnet('tracked'), validators, NOW)
    await poller.poll(() => ({ validators: recorded('l1') }))
    expect(poller.lines(/_validator_weight/)).toEqual([
      `${series('weight', 'my-l1', ONE, 'one')} 100`,
      `${series('weight', 'my-l1', TWO, 'two')} 20`,
    ])
  })
})

describe('questions', () => {
  test.each<[string, string, readonly string[], readonly Item[]]>([
    ['the tracked ones', onSubnet('tracked'), [ONE], [{ subnetID: L1, nodeIDs: [ONE, TWO] }]],
    ['the whole set where all are watched', onSubnet('all'), [OTHER], [{ subnetID: L1 }]],
    ['it once, also when it is empty', onSubnet('all'), [], [{ subnetID: L1 }]],
    [
      'the whole set when none of the tracked is there',
      onSubnet('tracked'),
      [OTHER],
      [{ subnetID: L1, nodeIDs: [ONE, TWO] }, { subnetID: L1 }],
    ],
  ])('are for %s, and none for the primary network without watched validators', async (_, yaml, ids, expected) => {
    const poller = createPoller(yaml, validators, NOW)
    await poller.poll(members(...ids))
    expect(poller.asked.map(({ body }) => body)).toEqual(expected)
  })
})

describe('membership', () => {
  /** What a poll is answered: the members, by their initials, or one of these. */
  const said: Readonly<Record<string, Upstream>> = {
    none: members(),
    late,
    second: (_, { body }) => (body['nodeIDs'] ? { validators: [] } : new BaseError('timeout', 'late')),
    better: (_, { body }) => ({ validators: body['nodeIDs'] ? [] : [{ nodeID: ONE }] }),
  }
  const initials: Readonly<Record<string, string>> = { '1': ONE, '2': TWO, o: OTHER }

  test.each(
    rowsOf(`
      leaves, and comes back                                           | 12o 2o o 12o      | one=1,two=1 two=1,one=0 one=0,two=0 one=1,two=1
      was never there, but others are                                  | o                 | one=0,two=0
      a set that is empty is unknown until another answer says the same | o none none none 1 | one=0,two=0 - one=0,two=0 one=0,two=0 one=1,two=0
      an answer with members in between restarts the count             | 1 none 1 none     | one=1,two=0 - one=1,two=0 -
      a failed call says nothing: neither gone nor confirmed           | 12 late none late none | one=1,two=1 one=1,two=1 - - one=0,two=0
      the second question failing is a failure                         | 12 second         | one=1,two=1 one=1,two=1
      a replica that knows better in the second answer is believed     | better            | one=1,two=0
    `),
  )('%s', async (_, polls, expected) => {
    const poller = createPoller(onSubnet('tracked'), validators, NOW)
    const seen: string[] = []
    for (const answer of polls.split(' ')) {
      poller.clock.now += MINUTE
      await poller.poll(said[answer] ?? members(...answer.split('').map((initial) => initials[initial]!)))
      seen.push(inSet(poller).replace(' ', ',') || '-')
    }
    expect(seen.join(' ')).toBe(expected)
  })

  test('treats a subnet that never had members as unsupported', async () => {
    const poller = createPoller(onSubnet('tracked'), validators, NOW)
    await poller.poll(members())
    await poller.poll(members())
    expect(poller.lines(/stakewatch_validator/)).toEqual([])
    expect(poller.success()).toEqual([1])
    expect(poller.lines(/runs_total.*unsupported"} 2$/)).toHaveLength(1)
    expect(poller.memories.load(poller.tasks[0]!.key)).toBeUndefined()
  })
})

describe('expectations of a tracked validator', () => {
  const OWNER = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
  const SECOND = 'fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946'
  const owner = (...addresses: string[]) => ({ locktime: '0', threshold: '1', addresses })
  const KEY = '0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d'
  const OTHER_KEY = `0x${'ab'.repeat(48)}`
  const declaring = (yaml: string, expect: string) => yaml.replace('name: one', `name: one, expect: { ${expect} }`)

  /** 'reward_addresses=1 ...' of the first validator, in the order of exposition. */
  async function met(yaml: string, records: readonly Item[]) {
    const poller = createPoller(yaml, validators, NOW)
    await poller.poll(nodeWith(records))
    return poller
      .lines(/expectation_met/)
      .map((line) => line.replace(/.*expectation="(.*)"} (.*)/, '$1=$2'))
      .join(' ')
  }

  test('publishes one series for each declared expectation', async () => {
    const all = `reward_addresses: [P-${OWNER}], delegation_fee: 0.142, min_stake: 2000.5, bls_public_key: "${KEY}", auto_renew: true`
    const poller = createPoller(declaring(onPrimary, all), validators, NOW)
    await poller.poll(nodeWith(recorded('primary-live')))
    const one = (expectation: string, value: number) =>
      `${series('expectation_met', 'primary', ONE, 'one', `,expectation="${expectation}"`)} ${value}`
    expect(poller.lines(/expectation_met/)).toEqual([
      one('reward_addresses', 1),
      one('delegation_fee', 1),
      // It has 2,000.
      one('min_stake', 0),
      one('bls_public_key', 1),
      one('auto_renew', 1),
    ])
  })

  test.each<[string, string, Item, string]>([
    ['rewards go elsewhere', `reward_addresses: [P-${SECOND}]`, {}, 'reward_addresses=0'],
    ['the prefix may be left out', `reward_addresses: [${OWNER}]`, {}, 'reward_addresses=1'],
    [
      'rewards of both kinds together go to those that are declared',
      `reward_addresses: [P-${SECOND}, P-${OWNER}]`,
      { delegationRewardOwner: owner(`P-${SECOND}`) },
      'reward_addresses=1',
    ],
    [
      'delegation rewards also go to another address',
      `reward_addresses: [P-${OWNER}]`,
      { delegationRewardOwner: owner(`P-${OWNER}`, `P-${SECOND}`) },
      'reward_addresses=0',
    ],
    ['one of those declared gets nothing', `reward_addresses: [P-${SECOND}, P-${OWNER}]`, {}, 'reward_addresses=0'],
    ['one owner is missing', `reward_addresses: [P-${OWNER}]`, { delegationRewardOwner: undefined }, ''],
    [
      'an owner without addresses counts as missing',
      `reward_addresses: [P-${OWNER}]`,
      { validationRewardOwner: {} },
      '',
    ],
    [
      'one owner is missing, and the other is another address',
      `reward_addresses: [P-${SECOND}]`,
      { delegationRewardOwner: undefined },
      'reward_addresses=0',
    ],
    ['a fee', 'delegation_fee: 0.02', {}, 'delegation_fee=1'],
    ['a fee without the noise of a division', 'delegation_fee: 0.022', { delegationFee: '2.2000' }, 'delegation_fee=1'],
    ['another fee', 'delegation_fee: 0.02', { delegationFee: '2.0001' }, 'delegation_fee=0'],
    ['no fee is a fee', 'delegation_fee: 0', { delegationFee: '0.0000' }, 'delegation_fee=1'],
    ['a missing fee', 'delegation_fee: 0.02', { delegationFee: null }, ''],
    ['as much stake as declared', 'min_stake: 2000', {}, 'min_stake=1'],
    ['one unit less', 'min_stake: 2000', { weight: '1999999999999' }, 'min_stake=0'],
    ['more', 'min_stake: 2000', { weight: '2000000000001' }, 'min_stake=1'],
    ['missing stake', 'min_stake: 2000', { weight: undefined }, ''],
    ['another key', `bls_public_key: "${OTHER_KEY}"`, {}, 'bls_public_key=0'],
    [
      'the key in capitals',
      `bls_public_key: "${OTHER_KEY}"`,
      { signer: { publicKey: OTHER_KEY.toUpperCase().replace('X', 'x') } },
      'bls_public_key=1',
    ],
    ['a validator without a key', `bls_public_key: "${KEY}"`, { signer: undefined }, ''],
    ['a fixed term', 'auto_renew: true', {}, 'auto_renew=0'],
    ['a fixed term, as declared', 'auto_renew: false', {}, 'auto_renew=1'],
    ['it leaves at its end', 'auto_renew: true', { nextPeriod: '0' }, 'auto_renew=0'],
    ['it renews itself', 'auto_renew: true', { nextPeriod: '1209600' }, 'auto_renew=1'],
    ['it renews itself, and should not', 'auto_renew: false', { nextPeriod: '1209600' }, 'auto_renew=0'],
    ['both end and next period are missing', 'auto_renew: false', { endTime: undefined }, ''],
  ])('%s', async (_, declared, change, expected) => {
    const [record] = recorded('primary')
    expect(await met(declaring(onPrimary, declared), [{ ...record, ...change }])).toBe(expected)
  })

  test.each<[string, string, Item, string]>([
    ['the owner of what is left', `remaining_balance_owner: [P-${OWNER}]`, {}, 'remaining_balance_owner=1'],
    ['another owner', `remaining_balance_owner: [P-${SECOND}]`, {}, 'remaining_balance_owner=0'],
    [
      'one more owner',
      `remaining_balance_owner: [P-${OWNER}]`,
      { remainingBalanceOwner: owner(`P-${SECOND}`, `P-${OWNER}`) },
      'remaining_balance_owner=0',
    ],
    ['a missing owner', `remaining_balance_owner: [P-${OWNER}]`, { remainingBalanceOwner: null }, ''],
    ['the key, from another field', `bls_public_key: "${KEY}"`, {}, 'bls_public_key=1'],
  ])('of an L1: %s', async (_, declared, change, expected) => {
    const [record] = recorded('l1')
    expect(await met(declaring(onSubnet('tracked'), declared), [{ ...record, ...change }])).toBe(expected)
  })

  test("does not judge stake and renewal by weight and end of another subnet's member", async () => {
    const [record] = recorded('elastic')
    expect(await met(declaring(onSubnet('all'), 'min_stake: 0, auto_renew: false'), [record!])).toBe('')
  })
})

describe('items that do not fit', () => {
  const good = { nodeID: ONE, weight: '1' }
  test.each<[string, readonly unknown[], string]>([
    ['a tracked validator with a bad field is unknown, not gone', [good, { nodeID: TWO, weight: '-1' }], 'one=1'],
    ['so is one that may be the item without an id', [good, { weight: '1' }], 'one=1'],
    ['so is one that may be the item that is no record', [good, 'TWO'], 'one=1'],
    ['with a good record next to the bad one it is there', [good, { nodeID: ONE, weight: 'x' }], 'one=1'],
    ['nothing dropped, nothing unknown', [good, { nodeID: OTHER, laterField: [] }], 'one=1 two=0'],
  ])('%s', async (_, items, expected) => {
    for (const watched of ['tracked', 'all'] as const) {
      const poller = createPoller(onSubnet(watched), validators, NOW)
      await poller.poll(() => ({ validators: items }))
      expect(inSet(poller)).toBe(expected)
      expect(poller.success()).toEqual([1])
    }
  })
})
