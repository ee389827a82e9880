import { describe, expect, test } from 'vitest'
import { rewards } from '../../../src/collectors/wallets/rewards.ts'
import { pagesUnder } from '../../support/listing.ts'
import { withoutZeros } from '../../support/exposition.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'
import { FIRST, SECOND, STRANGER, TOKEN, walletRewards } from '../../support/wallet-answers.ts'

const yaml = `
networks:
  - name: fuji
    currency: eur
    data_api: { url: "http://127.0.0.1:1" }
    addresses: [{ name: treasury, addresses: [P-${FIRST}, ${SECOND}] }]
`
const wallet = 'network="fuji",address="treasury"'
const DAY = 86_400
const START = 1_700_010_000_000

/** The reward of a stake that ended at `end`: one token, without a price. */
const reward = (end: number, more: object = {}, paid: object = {}) => ({
  rewardTxHash: `tx-${end}`,
  utxoId: 'utxo',
  rewardType: 'DELEGATOR',
  endTimestamp: end,
  addresses: [FIRST],
  ...more,
  reward: { assetId: TOKEN, denomination: 9, amount: '1000000000', ...paid },
})
const price = (value: unknown, currencyCode: unknown = 'eur') => ({ historicalPrice: { currencyCode, value } })
const service = (...pages: readonly (readonly object[])[]) => pagesUnder('historicalRewards', ...pages)

const started = (text = yaml) => createPoller(text, rewards, START)
const OWN = /_rewards?_/
/** What is not 0, without the wallet: name and own labels to value. */
const published = (poller: Poller) =>
  withoutZeros(poller.table('stakewatch_', ['reward_type', 'currency'], { address: 'treasury' }))

describe('rewards (document 1, operation 9)', () => {
  const zeros = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']
  const none = [
    ...zeros.map((type) => `stakewatch_rewards_tokens_total{${wallet},reward_type="${type}"} 0`),
    ...zeros.map((type) => `stakewatch_rewards_value_total{${wallet},reward_type="${type}",currency="eur"} 0`),
    `stakewatch_rewards_unpriced{${wallet}} 0`,
  ]

  test('the first run does not count earlier rewards, and publishes the time of the last one', async () => {
    const poller = started()
    await poller.poll(() => walletRewards)
    expect(poller.asked.map(({ operation, path, query }) => [operation, path, query])).toEqual([
      [
        'list-historical-rewards',
        '/v1/networks/fuji/rewards',
        { addresses: `${FIRST},${SECOND}`, currency: 'eur', sortOrder: 'desc', pageSize: '100' },
      ],
    ])
    expect(poller.lines(OWN)).toEqual([
      ...none,
      `stakewatch_last_reward_timestamp_seconds{${wallet}} 1700000500`,
      `stakewatch_rewards_gaps_total{${wallet}} 0`,
    ])
  })

  test('a wallet without rewards publishes 0 and no last reward, and its first reward counts', async () => {
    const poller = started()
    await poller.poll(service([]))
    expect(poller.lines(OWN)).toEqual([...none, `stakewatch_rewards_gaps_total{${wallet}} 0`])
    await poller.poll(() => walletRewards)
    // 150.5 x 16.25 and 0.04 x 16.25; the delegation has no price yet.
    expect(published(poller)).toEqual({
      'rewards_tokens_total VALIDATOR': 150.5,
      'rewards_tokens_total DELEGATOR': 1.96,
      'rewards_tokens_total VALIDATOR_FEE': 0.04,
      'rewards_value_total VALIDATOR eur': 2_445.625,
      'rewards_value_total VALIDATOR_FEE eur': 0.65,
      rewards_unpriced: 1,
      last_reward_timestamp_seconds: 1_700_000_500,
    })
  })

  test('earlier rewards of an address that a reload adds do not count', async () => {
    const before = started(yaml.replace(`P-${FIRST}, `, ''))
    await before.poll(service([]))
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    await after.poll(service([reward(10), reward(9)]))
    expect(published(after)).toEqual({ last_reward_timestamp_seconds: 10 })
    await after.poll(service([reward(11), reward(10), reward(9)]))
    expect(published(after)).toEqual(counted(1, 11))
  })

  const counted = (count: number, end: number) => ({
    'rewards_tokens_total DELEGATOR': count,
    rewards_unpriced: count,
    last_reward_timestamp_seconds: end,
  })

  test.each<[string, object[][], object]>([
    ['two of one transaction', [[reward(12), reward(12, { utxoId: 'other' }), reward(10), reward(9)]], counted(2, 12)],
    ['of the same second as another', [[reward(10, { rewardTxHash: 'late' }), reward(10), reward(9)]], counted(1, 10)],
    ['next to an unreadable one', [[{ utxoId: 'utxo', endTimestamp: 12 }, reward(11), reward(9)]], counted(1, 11)],
    ['of strangers', [[reward(12, { addresses: [STRANGER] }), reward(11), reward(9)]], counted(1, 11)],
    ['that do not say whose they are', [[reward(11, { addresses: null }), reward(9)]], counted(1, 11)],
    ["in a subnet's own asset", [[reward(12, {}, { assetId: 'subnet-token' }), reward(11), reward(9)]], counted(1, 11)],
  ])('rewards %s', async (_, pages, expected) => {
    const poller = started()
    await poller.poll(service([reward(10), reward(9)]))
    await poller.poll(service(...pages))
    expect(published(poller)).toEqual(expected)
    await poller.poll(service(...pages))
    expect(published(poller)).toEqual(expected)
    expect(poller.success()).toEqual([1])
  })

  test.each([
    ['a type in small letters', { rewardType: 'delegator' }, {}, { 'rewards_tokens_total DELEGATOR': 1 }],
    ['a type that is new', { rewardType: 'BONUS' }, {}, { 'rewards_tokens_total BONUS': 1 }],
    ['no type', { rewardType: null }, {}, { 'rewards_tokens_total other': 1 }],
    ['a type that every object answers to', { rewardType: '__proto__' }, {}, { 'rewards_tokens_total other': 1 }],
    // The double next to 18,446,744,073.709551615.
    ['2^64 - 1', {}, { amount: '18446744073709551615' }, { 'rewards_tokens_total DELEGATOR': 18_446_744_073.709_553 }],
    ['nothing', {}, { amount: '0' }, {}],
  ])('%s', async (_, more, paid, expected) => {
    const poller = started()
    await poller.poll(service([reward(10)]))
    await poller.poll(service([reward(11, more, paid), reward(9)]))
    expect(published(poller)).toEqual({ ...expected, rewards_unpriced: 1, last_reward_timestamp_seconds: 11 })
  })

  test.each([
    ['an amount without its asset', reward(11, {}, { assetId: null })],
    ['a stake without its end', reward(11, { endTimestamp: null })],
  ])('leaves out and reports %s, and counts the others', async (_, bad) => {
    const poller = started()
    await poller.poll(service([reward(10)]))
    await poller.poll(service([bad, reward(12), reward(9)]))
    expect(published(poller)).toEqual(counted(1, 12))
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
  })

  test('5,000 types add no more than 33 of them, each with its value', async () => {
    const poller = started()
    await poller.poll(service([reward(10)]))
    await poller.poll(
      service([...Array.from({ length: 5_000 }, (_, at) => reward(11 + at, { rewardType: `t${at}` })), reward(9)]),
    )
    expect(poller.lines(/rewards_tokens_total/)).toHaveLength(33)
    expect(poller.lines(/rewards_value_total/)).toHaveLength(33)
    // Three types are known, 29 more get their own name.
    expect(published(poller)['rewards_tokens_total other']).toBe(5_000 - 29)
  })
})

describe('prices, which come a day later', () => {
  async function twoRuns(first: object, second: object) {
    const poller = started()
    await poller.poll(service([reward(10)]))
    await poller.poll(service([reward(11, {}, first), reward(10)]))
    await poller.poll(service([reward(11, {}, second), reward(10)]))
    return published(poller)
  }
  const unpriced = { 'rewards_tokens_total DELEGATOR': 1, rewards_unpriced: 1, last_reward_timestamp_seconds: 11 }
  const worth = (value: number) => ({
    'rewards_tokens_total DELEGATOR': 1,
    'rewards_value_total DELEGATOR eur': value,
    last_reward_timestamp_seconds: 11,
  })

  test.each([
    ['at once', price('2.5'), price('2.5'), worth(2.5)],
    ['later', {}, price('2.5'), worth(2.5)],
    ['as a number, as live services give it', {}, price(2.5), worth(2.5)],
    ['in capitals', {}, price('2.5', 'EUR'), worth(2.5)],
    ['without its currency: that which was asked for', {}, price('2.5', null), worth(2.5)],
    ['and changes: counted once', price('2.5'), price('3.5'), worth(2.5)],
    ['and goes again', price('2.5'), {}, worth(2.5)],
    ['in another currency: none', {}, price('2.5', 'usd'), unpriced],
    ['below zero: none', {}, price('-1'), unpriced],
    ['not at all', {}, {}, unpriced],
  ])('the price comes %s', async (_, first, second, expected) => {
    expect(await twoRuns(first, second)).toEqual(expected)
  })

  test('accepts a price of zero', async () => {
    expect(await twoRuns({}, price('0'))).toEqual({
      'rewards_tokens_total DELEGATOR': 1,
      last_reward_timestamp_seconds: 11,
    })
  })

  test('reads pages back to the oldest reward without a price, and no further', async () => {
    const poller = started()
    // Each run reads an hour more than it needs, for rewards that are listed late.
    const at = (hour: number, more = {}) => reward(hour * 3_600, {}, more)
    await poller.poll(service([at(10)]))
    const priced = (hour: number) => at(hour, price('1'))
    await poller.poll(service([priced(20), priced(15), at(11), at(10)]))
    const later = [[priced(21), priced(20), priced(15)], [at(11, price('2')), at(10)], [at(9)]]
    const read: unknown[] = []
    const reading: Upstream = (operation, wire, source) => {
      read.push(wire.query['pageToken'])
      return service(...later)(operation, wire, source)
    }
    await poller.poll(reading)
    expect(published(poller)).toMatchObject({
      'rewards_tokens_total DELEGATOR': 4,
      'rewards_value_total DELEGATOR eur': 5,
    })
    // 10 is older than what was looked for. In the next run nothing is, and 15 is older than what was counted last.
    expect(read).toEqual([undefined, '1'])
    await poller.poll(reading)
    expect(read).toEqual([undefined, '1', undefined])
  })

  test('looks for a price for a week, then leaves the reward unpriced', async () => {
    const poller = started()
    await poller.poll(service([reward(10)]))
    await poller.poll(service([reward(11), reward(10)]))
    const priced = service([reward(11, {}, price('2')), reward(10)])
    poller.clock.now = START + 7 * DAY * 1_000
    await poller.poll(service([reward(11), reward(10)]))
    await poller.poll(priced)
    expect(published(poller)).toEqual(unpriced)
    // One look is left after a pause, however long it was.
    const paused = started()
    await paused.poll(service([reward(10)]))
    await paused.poll(service([reward(11), reward(10)]))
    paused.clock.now = START + 30 * DAY * 1_000
    await paused.poll(priced)
    expect(published(paused)).toEqual(worth(2))
  })
})
