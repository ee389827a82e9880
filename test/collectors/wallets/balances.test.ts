import { describe, expect, test } from 'vitest'
import { balances } from '../../../src/collectors/wallets/balances.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Poller } from '../../support/poll.ts'

const FIRST = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const walletsOf = (...wallets: readonly string[]) => `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: p-chain, name: platform }]
    addresses:
${wallets.map((one) => `      - { ${one} }`).join('\n')}
`
const yaml = walletsOf(`name: treasury, addresses: [P-${FIRST}], min_balance: 1.5`)
const wallet = 'network="fuji",address="treasury"'

/** State to tokens. */
const tokens = (poller: Poller) => poller.values('stakewatch_address_balance_tokens', 'state')
const answer = (balances: object, chainInfo: object = { chainName: 'p-chain', network: 'fuji' }) => ({
  balances: balances,
  chainInfo,
})
const avax = (amount: string) => ({ assetId: TOKEN, amount })
/** All that the document has. */
const none = {
  unlockedUnstaked: [],
  unlockedStaked: [],
  lockedPlatform: [],
  lockedStakeable: [],
  lockedStaked: [],
  pendingStaked: [],
  atomicMemoryUnlocked: [],
  atomicMemoryLocked: [],
}
const zeros = {
  unlocked_unstaked: 0,
  unlocked_staked: 0,
  locked_platform: 0,
  locked_stakeable: 0,
  locked_staked: 0,
  pending_staked: 0,
  atomic_memory_unlocked: 0,
  atomic_memory_locked: 0,
}

describe('balances (document 1, operation 6)', () => {
  test('publishes staking tokens by state and the number of other assets on the P-Chain', async () => {
    const poller = createPoller(yaml, balances, 0)
    await poller.poll(() => fixture('data/get-balances.wallet'))
    const asked = poller.asked.map(({ operation, path, query }) => [operation, path, query])
    expect(asked).toEqual([['get-balances', '/v1/networks/fuji/blockchains/p-chain/balances', { addresses: FIRST }]])
    const state = (name: string) =>
      `stakewatch_address_balance_tokens{${wallet},chain="platform",state="${name}",asset="AVAX"}`
    expect(poller.lines(/_address_|mismatch/)).toEqual([
      `${state('unlocked_unstaked')} 1.500000001`,
      `${state('unlocked_staked')} 2000`,
      `${state('locked_platform')} 1e-9`,
      `${state('locked_stakeable')} 30`,
      `${state('locked_staked')} 40`,
      `${state('pending_staked')} 0`,
      // From the X-Chain 0.25, from the C-Chain 0.5.
      `${state('atomic_memory_unlocked')} 0.75`,
      `${state('atomic_memory_locked')} 0`,
      // Of a validator that has staked rewards again: in no list of outputs.
      `${state('restaked_rewards')} 0.125`,
      `stakewatch_address_other_assets{${wallet},chain="platform"} 2`,
      `stakewatch_address_balance_expectation_met{${wallet},chain="platform",expectation="min_balance"} 1`,
      `stakewatch_balances_chain_mismatch{${wallet},chain="platform"} 0`,
    ])
    expect(poller.list('stakewatch_collector_series')).toEqual([balances.estimate(poller.tasks[0]!.subject).series])
  })

  test.each([
    ['nothing at all', {}, {}, []],
    ['only states that are null', { unlockedUnstaked: null, lockedStaked: null }, {}, []],
    ['states without any entry: 0 is known', none, zeros, [0]],
    // Other assets may be in the missing states.
    ['one state alone', { unlockedUnstaked: [] }, { unlocked_unstaked: 0 }, []],
    [
      '2^64 - 1 and 1',
      { ...none, unlockedUnstaked: [avax('18446744073709551615'), avax('1')] },
      { ...zeros, unlocked_unstaked: Number('18446744073.709551616') },
      [0],
    ],
    // What has no asset may be the token: that state is unknown, the others are not, and assets cannot be counted.
    [
      'an amount without an asset',
      { unlockedUnstaked: [avax('5'), { amount: '7' }], unlockedStaked: [] },
      { unlocked_staked: 0 },
      [],
    ],
    ['only what is of another asset', { ...none, lockedStakeable: [{ assetId: 'a', amount: '7' }] }, zeros, [1]],
    [
      'both words of the X-Chain and of the document',
      { ...none, unlocked: [avax('7000000000')], unlockedUnstaked: [avax('7000000000')] },
      { ...zeros, unlocked_unstaked: 7 },
      [0],
    ],
  ])('%s', async (_, states, expected, others) => {
    const poller = createPoller(yaml, balances, 0)
    await poller.poll(() => answer(states))
    expect(tokens(poller)).toEqual(expected)
    expect(poller.list(/other_assets$/)).toEqual(others)
    expect(poller.success()).toEqual([1])
  })

  test.each([
    ['is not declared', `name: treasury, addresses: [P-${FIRST}]`, { unlockedUnstaked: [avax('1')] }],
    ['cannot be judged', `name: treasury, addresses: [P-${FIRST}], min_balance: 1`, { unlockedStaked: [avax('1')] }],
    [
      'is for the X-Chain, where all addresses are',
      `name: treasury, addresses: [X-${FIRST}], min_balance: 1`,
      { unlockedUnstaked: [avax('1')] },
    ],
  ])('a min_balance that %s has no series', async (_, one, states) => {
    const poller = createPoller(walletsOf(one), balances, 0)
    await poller.poll((__, { path }) => (path.includes('p-chain') ? answer(states) : new BaseError('timeout', 'late')))
    expect(poller.lines(/expectation_met/)).toEqual([])
  })

  test('publishes nothing from an answer about another chain, and drops previous values', async () => {
    const poller = createPoller(yaml, balances, 0)
    await poller.poll(() => fixture('data/get-balances.wallet'))
    poller.clock.now += 1_000
    await poller.poll(() => answer({ unlockedUnstaked: [avax('5')] }, { chainName: 'x-chain', network: 'fuji' }))
    expect(poller.lines(/_address_|mismatch/)).toEqual([
      `stakewatch_balances_chain_mismatch{${wallet},chain="platform"} 1`,
    ])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
    expect(poller.success()).toEqual([0])
  })
})
