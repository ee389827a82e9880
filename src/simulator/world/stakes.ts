// Stakes of the primary network: validations and the delegations to them.

import { bytesOf } from './bytes.ts'
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
