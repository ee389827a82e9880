import { describe, expect, test } from 'vitest'
import { pendingRewards } from '../../../src/collectors/wallets/pending-rewards.ts'
import { withoutZeros } from '../../support/exposition.ts'
import { createPoller, fixture, type Poller } from '../../support/poll.ts'
import { FIRST, SECOND, STRANGER, TOKEN } from '../../support/wallet-answers.ts'

const NODE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const MAINNET_TOKEN = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'
const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    validators: [{ node_id: ${NODE}, name: one }]
    addresses: [{ name: treasury, addresses: [P-${FIRST}, ${SECOND}] }]
`
const wallet = 'network="fuji",address="treasury"'
const validator = `network="fuji",subnet="primary",node_id="${NODE}",validator="one"`
const shown = 'network="fuji",subnet="primary",validator="one"'

/** A reward of the wallet, of one token by default. */
const reward = (more: object = {}, estimated: object = {}) => ({
  txHash: 'tx',
  rewardType: 'DELEGATOR',
  endTimestamp: 2_000,
  ...more,
  estimatedReward: { assetId: TOKEN, denomination: 9, amount: '1000000000', ...estimated },
})
const answer = (...pendingRewards: readonly object[]) => ({ pendingRewards })
/** Before all that ends, and not by more than any stake lasts. */
const START = 1_700_000_000_000
const started = () => createPoller(yaml, pendingRewards, START)
/** What is known about the wallet: type of reward to tokens and count, and the next end. */
const published = (poller: Poller) => withoutZeros(poller.table('stakewatch_address_pending_', ['reward_type']))

describe('pending-rewards (document 1, operation 10)', () => {
  test("counts all rewards of a wallet, but only a validator's own", async () => {
    const poller = started()
    await poller.poll(() => fixture('data/list-pending-rewards.document'))
    expect(poller.asked.map(({ operation, path, query }) => [operation, path, query])).toEqual([
      [
        'list-pending-rewards',
        '/v1/networks/fuji/rewards:listPending',
        { addresses: [FIRST, SECOND].map((one) => one.replace('P-', '')).join(','), pageSize: '100' },
      ],
      ['list-pending-rewards', '/v1/networks/fuji/rewards:listPending', { nodeIds: NODE, pageSize: '100' }],
    ])
    // Fees: 0.04 + 0.08. The delegation of a stranger ends first, at 1,710,000,000.
    expect(poller.lines(/_pending_/)).toEqual([
      `stakewatch_address_pending_reward_tokens{${wallet},reward_type="VALIDATOR"} 150.5`,
      `stakewatch_address_pending_reward_tokens{${wallet},reward_type="DELEGATOR"} 1.96`,
      `stakewatch_address_pending_reward_tokens{${wallet},reward_type="VALIDATOR_FEE"} 0.12`,
      `stakewatch_address_pending_rewards{${wallet},reward_type="VALIDATOR"} 1`,
      `stakewatch_address_pending_rewards{${wallet},reward_type="DELEGATOR"} 1`,
      `stakewatch_address_pending_rewards{${wallet},reward_type="VALIDATOR_FEE"} 2`,
      `stakewatch_address_pending_reward_next_end_timestamp_seconds{${wallet}} 1710000000`,
      `stakewatch_address_pending_rewards_other_assets{${wallet}} 0`,
      `stakewatch_validator_pending_reward_tokens{${validator},reward_type="VALIDATOR"} 150.5`,
      `stakewatch_validator_pending_reward_tokens{${validator},reward_type="VALIDATOR_FEE"} 0.12`,
      `stakewatch_validator_pending_rewards{${shown},reward_type="VALIDATOR"} 1`,
      `stakewatch_validator_pending_rewards{${shown},reward_type="VALIDATOR_FEE"} 2`,
      `stakewatch_validator_pending_reward_next_end_timestamp_seconds{${shown}} 1715000000`,
    ])
  })

  test('without rewards all types are 0 and there is no next end', async () => {
    const poller = started()
    await poller.poll(() => answer())
    const values = poller.lines(/_pending_/).map((line) => line.replace(/.*\{.*,(reward_type=.*)\} /, '$1 '))
    const zero = (...types: string[]) => types.map((type) => `reward_type="${type}" 0`)
    const [ofWallet, ofValidator] = [
      zero('VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'),
      zero('VALIDATOR', 'VALIDATOR_FEE'),
    ]
    const ofOtherAssets = `stakewatch_address_pending_rewards_other_assets{${wallet}} 0`
    expect(values).toEqual([...ofWallet, ...ofWallet, ofOtherAssets, ...ofValidator, ...ofValidator])
  })

  test.each([
    ['one that is repeated, its progress moved on', [reward({ progress: 0.1 }), reward({ progress: 0.2 })], 1],
    ['rewards of two transactions', [reward({ txHash: 'a' }), reward({ txHash: 'b' })], 2],
    // The fees of a validator might all name its own transaction: they differ in what was delegated and for how long.
    ['one transaction, other stakes', [reward({ amountStaked: '25' }), reward({ amountStaked: '26' })], 2],
    ['one transaction, other ends', [reward({ endTimestamp: 2_000 }), reward({ endTimestamp: 2_001 })], 2],
    ['one transaction, other starts', [reward({ startTimestamp: 1 }), reward({ startTimestamp: 2 })], 2],
    ['one transaction, other nodes', [reward({ nodeId: 'a' }), reward({ nodeId: 'b' })], 2],
    ['a wallet that both sides of a delegation go to', [reward(), reward({ rewardType: 'VALIDATOR_FEE' })], 1],
  ])('%s', async (_, rewards, count) => {
    // On one page and on two of them, the first one short and the last one with an empty token.
    for (const twoPages of [false, true]) {
      const poller = started()
      await poller.poll((__, { query }) => {
        if (!twoPages) return answer(...rewards)
        return query['pageToken'] === 'next'
          ? { ...answer(...rewards.slice(1)), nextPageToken: '' }
          : { ...answer(...rewards.slice(0, 1)), nextPageToken: 'next' }
      })
      expect(published(poller)['rewards DELEGATOR']).toBe(count)
      expect(published(poller)['reward_tokens DELEGATOR']).toBe(count)
    }
  })

  const of = (type: string, count: number, tokens = count) => ({
    [`reward_tokens ${type}`]: tokens,
    [`rewards ${type}`]: count,
  })
  const GREATEST = '18446744073709551615'
  test.each([
    ['small letters', [reward({ rewardType: 'delegator' })], of('DELEGATOR', 1)],
    ['a type that is new', [reward({ rewardType: 'BONUS' })], of('BONUS', 1)],
    ['no type', [reward({ rewardType: undefined })], of('other', 1)],
    [
      'a type that every object answers to',
      [reward({ rewardType: '__proto__' }), reward({ rewardType: 'constructor', txHash: 'b' })],
      of('other', 2),
    ],
    // The double next to it is 1.5.
    ['18 decimal places', [reward({}, { denomination: 18, amount: '1500000000000000001' })], of('DELEGATOR', 1, 1.5)],
    ['no decimal places', [reward({}, { denomination: undefined, amount: '5' })], of('DELEGATOR', 1, 5e-9)],
    [
      'decimal places that no token can have, which are as good as missing',
      [reward({}, { denomination: -1 }), reward({ txHash: 'b' }, { denomination: 1e9 })],
      of('DELEGATOR', 2),
    ],
    [
      '2^64 - 1 twice, added up without loss',
      ['a', 'b'].map((txHash) => reward({ txHash }, { amount: GREATEST })),
      of('DELEGATOR', 2, Number('36893488147.41910323')),
    ],
    [
      'nothing but what must be there, as null',
      [reward(), reward({ txHash: 'b', addresses: null, nodeId: null, rewardType: null, endTimestamp: null })],
      { ...of('DELEGATOR', 1), ...of('other', 1) },
    ],
    [
      'leaves out a reward of strangers next to those of the wallet, and its end',
      [reward({ addresses: [`P-${SECOND}`] }), reward({ addresses: [STRANGER], endTimestamp: 1 })],
      of('DELEGATOR', 1),
    ],
    [
      "leaves out another asset next to the network's, and its end",
      [reward(), reward({ endTimestamp: 1 }, { assetId: 'subnet-token', denomination: 18 })],
      { ...of('DELEGATOR', 1), rewards_other_assets: 1 },
    ],
    [
      "another asset that has the name of the network's, and the token of another network",
      [
        reward(),
        reward({ endTimestamp: 1 }, { assetId: 'fake', symbol: 'AVAX', name: 'Avalanche' }),
        reward({ endTimestamp: 1 }, { assetId: MAINNET_TOKEN }),
      ],
      { ...of('DELEGATOR', 1), rewards_other_assets: 2 },
    ],
    [
      'a reward that does not say its asset: the sum of its type is unknown, the others are not',
      [
        reward(),
        reward({ txHash: 'b' }, { assetId: undefined }),
        reward({ txHash: 'c', rewardType: 'VALIDATOR' }, { amount: '2000000000' }),
      ],
      { 'reward_tokens VALIDATOR': 2, 'rewards VALIDATOR': 1, 'rewards DELEGATOR': 2 },
    ],
  ])('%s', async (_, rewards, expected) => {
    const poller = started()
    await poller.poll(() => answer(...rewards))
    expect(published(poller)).toEqual({ ...expected, reward_next_end_timestamp_seconds: 2_000 })
  })

  test('5,000 types and 5,000 assets add no more than 33 series of a kind', async () => {
    const poller = started()
    const types = Array.from({ length: 5_000 }, (_, at) => reward({ rewardType: `t${at}` }))
    const assets = Array.from({ length: 5_000 }, (_, at) => reward({ txHash: `a${at}` }, { assetId: `asset-${at}` }))
    await poller.poll(() => answer(...types, ...assets))
    expect(poller.lines(/address_pending_rewards\{/)).toHaveLength(33)
    expect(poller.lines(/validator_pending_rewards/)).toHaveLength(2)
    // Three types are known, 29 more get their own name.
    expect(published(poller)['rewards other']).toBe(5_000 - 29)
  })

  test('keeps wallets and validators apart by name, even if the service mixes them', async () => {
    const OTHER = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
    const poller = createPoller(
      `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    validators: [{ node_id: ${NODE}, name: one }, { node_id: ${OTHER}, name: two }]
    addresses: [{ name: one, addresses: [${FIRST}, ${SECOND}] }, { name: two, addresses: [${STRANGER}] }]
`,
      pendingRewards,
      0,
    )
    const own = (tokens: number, address: string, nodeId: string) =>
      reward(
        { txHash: address, addresses: [`P-${address}`], nodeId, rewardType: 'VALIDATOR' },
        { amount: `${tokens}000000000` },
      )
    await poller.poll(() => answer(own(1, FIRST, NODE), own(2, SECOND, NODE), own(4, STRANGER, OTHER)))
    const values = (of: string) => poller.list(`stakewatch_${of}_pending_reward_tokens`, { reward_type: 'VALIDATOR' })
    expect([values('address'), values('validator')]).toEqual([
      [3, 4],
      [3, 4],
    ])
  })
})
