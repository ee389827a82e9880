// List staking transactions (document 1, operation 5): those of the stakes that run now.

import { describe, expect, test } from 'vitest'
import type { World } from '../../src/simulator/world/world.ts'
import { EPOCH, type Network, networkOfFile, networkOfTest } from './network.ts'

const LATEST = '/v1/networks/fuji/blockchains/p-chain/transactions'
const STAKING = `${LATEST}:listStaking`
const P = '11111111111111111111111111111111LpoYY'
const BEGIN = EPOCH - 3_600
const DAY = 86_400
/** The sixth validator goes on by itself, and the delegations to it end, ten minutes after the network was handed over. */
const RENEWAL = EPOCH + 600
const AVAX_ID = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const avax = (amount: bigint) => [
  { assetId: AVAX_ID, name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1', amount: String(amount) },
]
const hex = (bytes: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`)) as string

interface Transaction {
  txHash: string
  txType: string
  blockTimestamp: number
  consumedUtxos: { amount: string }[]
}

async function list(network: Network, query = '', path = STAKING): Promise<Transaction[]> {
  const { status, body } = await network.askLater(`${path}?pageSize=100&${query}`)
  expect(status).toBe(200)
  return (body as { transactions: Transaction[] }).transactions
}
const hashes = (found: readonly { txHash: string }[]) => found.map(({ txHash }) => txHash)
const validators = ({ validators: { all } }: World) => [...all.values()]
const network = await networkOfFile({ speed: 0 })

// In this network the twelfth validation is over on the second day, and followed by the next one.
const own = await networkOfFile({ speed: 0, seed: 19 })
own.world.advance(EPOCH + 98_400)

describe('in the form of the document', () => {
  const nothing = { amountL1ValidatorBalanceBurned: [] }
  interface Stake {
    txId: string
    owner: string
    start: number
    end: number
    weight: bigint
    reward: bigint
  }
  /** What a stake with a node says, of a validator or a delegator. */
  const facts = ({ txId, owner, start, end, weight, reward }: Stake, nodeId: string) => ({
    ...nothing,
    txHash: txId,
    amountStaked: avax(weight),
    startTimestamp: start,
    endTimestamp: end,
    estimatedReward: String(reward),
    rewardAddresses: [owner],
    nodeId,
    subnetId: P,
  })
  const stakeUtxo = ({ txId, owner, start, end, weight }: Stake) =>
    expect.objectContaining({
      addresses: [owner],
      amount: String(weight),
      txHash: txId,
      staked: true,
      utxoType: 'STAKE',
      utxoStartTimestamp: start,
      utxoEndTimestamp: end,
    }) as object
  const first = () => ({
    blockTimestamp: BEGIN,
    blockNumber: '0',
    blockHash: own.world.chains.P.block(0)!.hash,
    consumedUtxos: [],
    amountBurned: [],
  })
  const recordOf = async (owner: string, txHash: string) =>
    (await list(own, `addresses=P-${owner}`)).filter((one) => one.txHash === txHash)

  test('of validators from before the first block', async () => {
    const [fixed, renewing] = [validators(own.world)[12]!, validators(own.world)[15]!]
    const of = (stake: Stake & { nodeId: string; fee: number }) => ({
      ...facts(stake, stake.nodeId),
      ...first(),
      emittedUtxos: [stakeUtxo(stake)],
      value: avax(stake.weight),
      delegationFeePercent: String(stake.fee),
    })
    expect(await recordOf(fixed.owner, fixed.txId)).toEqual([{ ...of(fixed), txType: 'AddValidatorTx' }])
    expect(await recordOf(renewing.owner, renewing.txId)).toEqual([
      {
        ...of(renewing),
        txType: 'AddAutoRenewedValidatorTx',
        blsCredentials: { publicKey: hex(48), proofOfPossession: hex(96) },
      },
    ])
  })

  test('of a delegator from before the first block, with the rest of the wallet', async () => {
    const { ledger } = own.world
    const [validator, delegation] = validators(own.world)
      .flatMap((one) => one.delegations.map((stake) => [one, stake] as const))
      .find(([, { txId, delegator }]) => delegator >= 10 && ledger.find(txId)!.type === 'AddDelegatorTx')!
    // A delegator has 2,001 tokens.
    const all = 2_001_000_000_000n
    expect(await recordOf(delegation.owner, delegation.txId)).toEqual([
      {
        ...facts(delegation, validator.nodeId),
        ...first(),
        txType: 'AddDelegatorTx',
        emittedUtxos: [stakeUtxo(delegation), expect.objectContaining({ amount: String(all - delegation.weight) })],
        value: avax(all),
      },
    ])
  })
})

test('the live service has the same form of the P-Chain, and says how validations renew themselves', async () => {
  const live = await networkOfTest({ speed: 0, dialect: 'live' })
  const [, , , , , sixth] = validators(live.world)
  const { txId, owner, weight, end, reward } = { ...sixth! }
  const before = await list(live)
  const listed = await list(network)
  const renewal = {
    period: 30 * DAY,
    autoCompoundRewardShares: 500_000,
    validatorAuthority: { addresses: [owner], threshold: 1 },
  }
  const autoRenew = {
    state: 'renewing',
    nextPeriodSeconds: 30 * DAY,
    autoCompoundSharePercent: 50,
    compoundedWeight: String(weight),
    accruedValidationRewards: '0',
    accruedDelegateeRewards: '0',
    validationRewardAddresses: [owner],
    delegationRewardAddresses: [owner],
    exitReason: null,
    endedAtTimestamp: null,
  }
  expect(before.find(({ txHash }) => txHash === txId)).toMatchObject({ ...renewal, autoRenew })
  expect(before.map(({ txHash }) => txHash)).toEqual(listed.map(({ txHash }) => txHash))
  expect(before.filter((one) => 'autoRenew' in one)).toHaveLength(2)
  expect(listed.filter((one) => 'autoRenew' in one || 'period' in one)).toEqual([])

  // Half of the reward is staked again, and no output has it.
  live.world.advance(end + 60)
  const half = reward / 2n
  const after = (await list(live)).find(({ txHash }) => txHash === txId)!
  expect(after).toMatchObject({
    ...renewal,
    endTimestamp: end + 30 * DAY,
    autoRenew: {
      ...autoRenew,
      compoundedWeight: String(weight + half),
      accruedValidationRewards: String(half),
    },
  })
  const asked = `/v1/networks/fuji/blockchains/p-chain/balances?addresses=${owner}`
  const balances = async (more = '') => ((await live.askLater(asked + more)).body as { balances: object }).balances
  expect(await balances()).toMatchObject({
    unlockedStaked: [{ amount: String(weight) }],
    restakedRewards: String(half),
  })
  expect(await balances('&blockTimestamp=0')).toHaveProperty('restakedRewards')
  expect(await balances(`&blockTimestamp=${end}`)).not.toHaveProperty('restakedRewards')
})

describe('of those who are asked for', () => {
  test('of some types, from one time to another, either way', async () => {
    const own = await networkOfTest({ speed: 0 })
    own.world.advance(RENEWAL + 60)
    const all = await list(own, 'sortOrder=asc')
    const times = all.map(({ blockTimestamp }) => blockTimestamp)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(hashes(await list(own))).toEqual(hashes(all).toReversed())
    expect(hashes(await list(own, 'sortOrder=desc'))).toEqual(hashes(all).toReversed())
    const late = all.filter(({ blockTimestamp }) => blockTimestamp > RENEWAL)
    expect(new Set(late.map(({ txType }) => txType))).toEqual(new Set(['AddPermissionlessDelegatorTx']))
    const [{ blockTimestamp: since }] = late as [Transaction]
    expect(hashes(await list(own, `sortOrder=asc&startTimestamp=${since}`))).toEqual(hashes(late))
    expect(hashes(await list(own, `sortOrder=asc&endTimestamp=${since - 1}`))).toEqual(
      hashes(all.filter(({ blockTimestamp }) => blockTimestamp < since)),
    )
    const types = ['AddValidatorTx', 'AddAutoRenewedValidatorTx']
    const typed = all.filter(({ txType }) => types.includes(txType))
    expect(typed).toHaveLength(20)
    for (const query of [`txTypes=${types.join(',')}`, types.map((type) => `txTypes=${type}`).join('&')]) {
      expect(hashes(await list(own, `sortOrder=asc&${query}`))).toEqual(hashes(typed))
    }
    expect(await list(own, `startTimestamp=${since}&txTypes=AddValidatorTx`)).toEqual([])
  })
})
