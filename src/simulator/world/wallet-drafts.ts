// The transactions of wallets that trade and stake: what goes in comes out, less the fee.

import type { Inclusion } from './blocks.ts'
import { type Asset, AVAX } from './fixed-ids.ts'
import type { Draft, Ledger } from './ledger.ts'
import { type Facts, isFree, type Output, type Utxo } from './transactions.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { Reward, Stake, Validator } from './stakes.ts'

/** Burned in the smallest unit by a transaction of each chain, and by one that makes an asset. */
export const FEES = { P: 40_000n, X: 1_000_000n, C: 350_000n } as const
export const CREATION_FEE = 10_000_000n

interface Spending {
  chain: 'P' | 'X'
  owner: string
  type: string
  /** What others or other chains get, paid from the owner's UTXOs. */
  outputs: readonly Output[]
  fee?: bigint
  facts?: Facts
}

/** Undefined where the owner has not the funds. What is left over goes back to the owner. */
export function spending(ledger: Ledger, { time }: Inclusion, asked: Spending): Draft | undefined {
  const { chain, owner, type, outputs, fee = FEES[chain], facts = {} } = asked
  const needs = new Map<Asset, bigint>([[AVAX, fee]])
  for (const { asset = AVAX, amount } of outputs) needs.set(asset, (needs.get(asset) ?? 0n) + amount)
  const consumed: Utxo[] = []
  const change: Output[] = []
  for (const [asset, need] of needs) {
    const coins = coinsOf(ledger.unspentOf(owner), asset, need, (utxo) => isFree(utxo, chain, time))
    if (!coins) return undefined
    consumed.push(...coins)
    const rest = sumOf(coins) - need
    if (rest > 0n) change.push({ owner, amount: rest, asset })
  }
  return { type, consumed, outputs: [...outputs, ...change], facts }
}

/** More coins than this of one asset a trader does not keep. */
const COINS = 40

/** The oldest; at least two where there are two, so that small change does not pile up. */
function coinsOf(unspent: Iterable<Utxo>, asset: Asset, need: bigint, isUsable: (utxo: Utxo) => boolean) {
  const usable = [...unspent].filter((utxo) => utxo.asset.id === asset.id && isUsable(utxo))
  const coins: Utxo[] = []
  let sum = 0n
  for (const utxo of usable) {
    coins.push(utxo)
    sum += utxo.amount
    if (sum >= need && coins.length > 1 && usable.length - coins.length <= COINS) return coins
  }
  return sum >= need ? coins : undefined
}

export function sumOf(utxos: readonly Utxo[]): bigint {
  return utxos.reduce((sum, { amount }) => sum + amount, 0n)
}

// The transactions of a stake: the one that begins it, and the one that pays its rewards.

export function stakeFacts({ nodeId }: Validator, { start, end, reward, owner }: Stake): Facts {
  const subnetId = PRIMARY_NETWORK_ID
  return { nodeId, subnetId, start, end, estimatedReward: reward, rewardAddresses: [owner] }
}

/** Only a validation has them; the old type of transaction has no key. */
export function validationFacts({ fee, signer: bls, renewal }: Validator): Facts {
  return { delegationFee: fee, ...(bls ? { bls } : {}), ...(renewal ? { renewal: { ...renewal } } : {}) }
}

/** All rewards are of one stake. */
export function rewardDraft(rewards: readonly Reward[]): Draft {
  const [{ nodeId, stake }] = rewards as [Reward]
  return {
    type: 'RewardValidatorTx',
    consumed: [],
    outputs: rewards.map(payment),
    facts: rewardFacts(nodeId, stake, rewards),
  }
}

/** The end of a period of a validator that goes on by itself, or that leaves with what it had staked again. */
export function renewalDraft(validator: Validator, rewards: readonly Reward[]): Draft {
  const { nodeId, owner, compounded } = validator
  const returned = compounded > 0n ? [{ owner, amount: compounded }] : []
  return {
    type: 'RewardAutoRenewedValidatorTx',
    consumed: [],
    outputs: [...rewards.map(payment), ...returned],
    facts: rewardFacts(nodeId, validator, rewards),
  }
}

function rewardFacts(nodeId: string, { txId, start, end }: Stake, rewards: readonly Reward[]): Facts {
  const rewardAddresses = rewards.map(({ owner }) => owner)
  return { nodeId, subnetId: PRIMARY_NETWORK_ID, start, end, stakingTxId: txId, rewardAddresses }
}

function payment({ owner, amount, type }: Reward): Output {
  return { owner, amount, rewardType: type }
}
