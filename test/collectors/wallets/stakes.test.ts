import { describe, expect, test } from 'vitest'
import { stakes } from '../../../src/collectors/wallets/stakes.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, type Poller } from '../../support/poll.ts'
import { FIRST, SECOND, STRANGER, TOKEN, walletStakes } from '../../support/wallet-answers.ts'

const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    addresses: [{ name: treasury, addresses: [P-${FIRST}, ${SECOND}] }]
`
const wallet = 'network="fuji",address="treasury"'

const amounts = (amount: string, assetId: string | null = TOKEN) => [{ assetId, amount }]
/** A stake of two tokens of the wallet that will earn one. */
const stake = (more: object = {}) => ({
  txHash: 'tx',
  txType: 'AddPermissionlessDelegatorTx',
  endTimestamp: 2_000,
  amountStaked: amounts('2000000000'),
  estimatedReward: '1000000000',
  ...more,
})
const ownedBy = (...addresses: string[]) => [
  { utxoId: 'stake', staked: true, addresses },
  { utxoId: 'change', staked: false, addresses: [FIRST] },
]
const service = (...pages: readonly (readonly object[])[]) => pagesUnder('transactions', ...pages)

/** Before all that ends, and not by more than any stake lasts. */
const START = 1_700_000_000_000
const started = (text = yaml) => createPoller(text, stakes, START)
const OWN = /^stakewatch_(address|stakes)_/
/** Name and type to value; types without a stake are left out. */
function published(poller: Poller) {
  const values = Object.entries(poller.table('stakewatch_address_', ['tx_type', 'lacks']))
  return Object.fromEntries(values.filter(([name, value]) => value !== 0 || !name.startsWith('stakes')))
}

describe('stakes (document 1, operation 5)', () => {
  test('publishes number, tokens, reward and next end of current stakes', async () => {
    const poller = started()
    await poller.poll(() => walletStakes)
    expect(poller.asked.map(({ operation, path, query }) => [operation, path, query])).toEqual([
      [
        'list-staking-transactions',
        '/v1/networks/fuji/blockchains/p-chain/transactions:listStaking',
        { addresses: `${FIRST},${SECOND}`, pageSize: '100' },
      ],
    ])
    // 2,000.5 + 25 and 150.500000004 + 1.96; the delegation ends first.
    expect(poller.lines(OWN)).toEqual([
      `stakewatch_address_stakes{${wallet},tx_type="AddValidatorTx"} 0`,
      `stakewatch_address_stakes{${wallet},tx_type="AddDelegatorTx"} 1`,
      `stakewatch_address_stakes{${wallet},tx_type="AddPermissionlessValidatorTx"} 1`,
      `stakewatch_address_stakes{${wallet},tx_type="AddPermissionlessDelegatorTx"} 0`,
      `stakewatch_address_stakes{${wallet},tx_type="AddAutoRenewedValidatorTx"} 0`,
      `stakewatch_address_staked_tokens{${wallet}} 2025.5`,
      `stakewatch_address_estimated_reward_tokens{${wallet}} 152.460000004`,
      `stakewatch_address_stakes_incomplete{${wallet},lacks="reward"} 0`,
      `stakewatch_address_stakes_incomplete{${wallet},lacks="end"} 0`,
      `stakewatch_address_stakes_renewing{${wallet}} 0`,
      `stakewatch_address_stake_next_end_timestamp_seconds{${wallet}} 1710000000`,
      `stakewatch_stakes_chain_mismatch{${wallet}} 0`,
    ])
  })

  test('without stakes all is 0 and there is no next end', async () => {
    const poller = started()
    await poller.poll(service([]))
    expect(poller.lines(OWN)).toHaveLength(10)
    expect(published(poller)).toEqual({ staked_tokens: 0, estimated_reward_tokens: 0 })
    expect(poller.success()).toEqual([1])
  })

  const DELEGATIONS = 'stakes AddPermissionlessDelegatorTx'
  const one = {
    [DELEGATIONS]: 1,
    staked_tokens: 2,
    estimated_reward_tokens: 1,
    stake_next_end_timestamp_seconds: 2_000,
  }
  const two = { ...one, [DELEGATIONS]: 2, staked_tokens: 4, estimated_reward_tokens: 2 }
  const withoutReward = { ...two, estimated_reward_tokens: 1, 'stakes_incomplete reward': 1 }
  const { staked_tokens: _, ...withoutAmount } = withoutReward
  const { stake_next_end_timestamp_seconds: __, ...withoutEnd } = one
  const { [DELEGATIONS]: ___, ...ofNone } = one
  test.each<[string, object[][], object]>([
    ['on several pages, a short and an empty one', [[stake()], [], [stake({ txHash: 'b' })]], two],
    ['that is repeated on the next page', [[stake()], [stake()]], one],
    [
      'of a type in capitals',
      [[stake({ txType: 'ADDPERMISSIONLESSDELEGATORTX' })]],
      { ...ofNone, 'stakes AddPermissionlessDelegatorTx': 1 },
    ],
    ['of a type that is new', [[stake({ txType: 'NewTx' })]], { ...ofNone, 'stakes NewTx': 1 }],
    ['of no type', [[stake({ txType: null })]], { ...ofNone, 'stakes other': 1 }],
    [
      'without an amount',
      [[stake(), stake({ txHash: 'b', amountStaked: null, estimatedReward: null })]],
      withoutAmount,
    ],
    ['without an amount, the reward known', [[stake(), stake({ txHash: 'b', amountStaked: null })]], withoutAmount],
    [
      'of an unnamed asset',
      [[stake({ amountStaked: amounts('5', null) })]],
      {
        [DELEGATIONS]: 1,
        'stakes_incomplete reward': 1,
        stake_next_end_timestamp_seconds: 2_000,
      },
    ],
    ['without an estimate', [[stake(), stake({ txHash: 'b', estimatedReward: null })]], withoutReward],
    [
      'without an estimate that can be read',
      [[stake(), stake({ txHash: 'b', estimatedReward: 'soon' })]],
      withoutReward,
    ],
    ['without an end', [[stake(), stake({ txHash: 'b', endTimestamp: null })]], { ...two, 'stakes_incomplete end': 1 }],
    ['without an end, alone', [[stake({ endTimestamp: null })]], { ...withoutEnd, 'stakes_incomplete end': 1 }],
    [
      'that stakes nothing, and earns nothing',
      [[stake(), stake({ txHash: 'b', amountStaked: [], estimatedReward: null })]],
      { ...one, [DELEGATIONS]: 2 },
    ],
    [
      "of a subnet's own asset",
      [[stake(), stake({ txHash: 'b', amountStaked: amounts('7000000000', 'subnet-token') })]],
      { ...one, [DELEGATIONS]: 2 },
    ],
    ['of the wallet', [[stake({ emittedUtxos: ownedBy(`P-${SECOND}`), rewardAddresses: [FIRST] })]], one],
    [
      'of a stranger in favour of the wallet',
      [[stake({ emittedUtxos: ownedBy(STRANGER), rewardAddresses: [FIRST] })]],
      { ...one, staked_tokens: 0 },
    ],
    [
      'of the wallet in favour of a stranger',
      [[stake({ emittedUtxos: ownedBy(FIRST), rewardAddresses: [STRANGER] })]],
      { ...one, estimated_reward_tokens: 0 },
    ],
    [
      "that is a stranger's altogether",
      [[stake(), stake({ txHash: 'b', emittedUtxos: ownedBy(STRANGER), rewardAddresses: [STRANGER] })]],
      one,
    ],
  ])('a stake %s', async (_case, pages, expected) => {
    const poller = started()
    await poller.poll(service(...pages))
    expect(published(poller)).toEqual(expected)
  })

  // It has staked two tokens and half of a token of its rewards.
  const compounding = (autoRenew: object | null) =>
    stake({ txHash: 'c', txType: 'AddAutoRenewedValidatorTx', endTimestamp: 1_000, autoRenew })
  const AUTO_RENEWED = 'stakes AddAutoRenewedValidatorTx'
  const both = { ...two, [DELEGATIONS]: 1, [AUTO_RENEWED]: 1 }
  test.each<[string, object[], object]>([
    [
      'goes on after its period, which is not its end',
      [stake(), compounding({ nextPeriodSeconds: 86_400, compoundedWeight: '2500000000' })],
      { ...both, staked_tokens: 4.5, stakes_renewing: 1 },
    ],
    [
      'is the only one',
      [compounding({ nextPeriodSeconds: 86_400, compoundedWeight: '2500000000' })],
      { [AUTO_RENEWED]: 1, staked_tokens: 2.5, estimated_reward_tokens: 1, stakes_renewing: 1 },
    ],
    [
      'leaves after its period',
      [stake(), compounding({ nextPeriodSeconds: 0, compoundedWeight: '2500000000' })],
      { ...both, staked_tokens: 4.5, stake_next_end_timestamp_seconds: 1_000 },
    ],
    [
      'does not state its weight',
      [stake(), compounding({ nextPeriodSeconds: 86_400 })],
      { ...both, staked_tokens: 4, stakes_renewing: 1 },
    ],
    [
      'is listed by a service that does not say so',
      [stake(), compounding(null)],
      { ...both, 'stakes_incomplete end': 1 },
    ],
  ])('a stake that renews itself: it %s', async (_case, listed, expected) => {
    const poller = started()
    await poller.poll(service(listed))
    expect(published(poller)).toEqual(expected)
    // It is unknown how many renew themselves as soon as it is unknown of one.
    const isUnknown = 'stakes_incomplete end' in expected
    expect(poller.list('stakewatch_address_stakes_renewing')).toHaveLength(isUnknown ? 0 : 1)
  })

  test('unknown types add at most 32 series', async () => {
    const poller = started()
    const invented = Array.from({ length: 5_000 }, (_case, at) => stake({ txHash: `t${at}`, txType: `T${at}` }))
    await poller.poll(service(invented))
    expect(poller.lines(/address_stakes\{/)).toHaveLength(33)
    // Five types are known, 27 more get their own name.
    expect(published(poller)['stakes other']).toBe(5_000 - 27)
  })

  const good = service([stake()])
  test('withholds and reports an answer about another chain', async () => {
    const poller = started()
    await poller.poll(good)
    await poller.poll(() => ({ transactions: [stake()], chainInfo: { chainName: 'x-chain', network: 'fuji' } }))
    expect(poller.lines(OWN)).toEqual([`stakewatch_stakes_chain_mismatch{${wallet}} 1`])
    expect(poller.log).toMatchObject([{ code: 'bad_response' }])
  })
})
