// Stakes of the primary network: validations and the delegations to them.

import { bytesOf } from './ids.ts'
import type { View } from './views.ts'

export interface Stake {
  /** Of the transaction that it began with. */
  txId: string
  start: number
  end: number
  weight: bigint
  reward: bigint
  owner: string
}

export interface Delegation extends Stake {
  /** The number of the person whose it is, and whose the next one will be. */
  delegator: number
}

/** How a validator goes on by itself at the end of its period. */
export interface Renewal {
  /** Seconds of the next period; 0 when it leaves instead. */
  period: number
  /** Millionths of its reward that are staked again. */
  shares: number
}

export interface Validator extends Stake {
  nodeId: string
  /** Percent. */
  fee: number
  /** What it has kept of the rewards of delegations that ended in this period. */
  accrued: bigint
  /** The rewards that it has staked again: a part of its weight, of which there are no UTXOs until it leaves. */
  compounded: bigint
  /** Its BLS key and the proof that it has it; those that were added long ago have none. */
  signer: { publicKey: string; proofOfPossession: string } | undefined
  delegations: Delegation[]
  /** It goes on by itself. */
  renewal: Renewal | undefined
  /** It is not staked again at its end. */
  isLast: boolean
  /** What each observer has seen, by its node id. */
  views: Map<string, View>
}

/** Own and delegated stake: what counts in consensus. */
export function wholeStake({ weight, delegations }: Pick<Validator, 'weight' | 'delegations'>): bigint {
  return delegations.reduce((sum, one) => sum + one.weight, weight)
}

/** A BLS public key has 48 bytes, a signature 96. */
export function signerOf(name: string): Validator['signer'] {
  return {
    publicKey: `0x${bytesOf(`key of ${name}`, 48)}`,
    proofOfPossession: `0x${bytesOf(`proof of ${name}`, 96)}`,
  }
}

/** What the validator keeps of a delegation's reward. */
export function feeOf({ fee }: Validator, { reward }: Stake): bigint {
  return (reward * BigInt(fee)) / 100n
}

// What stakes earn: one reward for a validation; of a delegation one for the delegator and one for the validator.

export type RewardType = 'VALIDATOR' | 'VALIDATOR_FEE' | 'DELEGATOR'

export interface Reward {
  type: RewardType
  nodeId: string
  stake: Stake
  /** To whom it is paid. */
  owner: string
  amount: bigint
}

export function ofValidation({ nodeId }: Validator, stake: Stake): Reward {
  return { type: 'VALIDATOR', nodeId, stake, owner: stake.owner, amount: stake.reward }
}

export function ofDelegation(validator: Validator, stake: Stake): Reward[] {
  const { nodeId, owner } = validator
  const fee = feeOf(validator, stake)
  return [
    { type: 'DELEGATOR', nodeId, stake, owner: stake.owner, amount: stake.reward - fee },
    { type: 'VALIDATOR_FEE', nodeId, stake, owner, amount: fee },
  ]
}

/** What a validator and its delegators will get for the stakes that run now. */
export function pendingOf(validator: Validator): Reward[] {
  const { txId, start, end, weight, reward, owner, delegations } = validator
  // A copy: it stays what it is when the validation is renewed.
  const stake = { txId, start, end, weight, reward, owner }
  return [ofValidation(validator, stake), ...delegations.flatMap((one) => ofDelegation(validator, one))]
}

export function isDelegation(stake: Stake): stake is Delegation {
  return 'delegator' in stake
}
