// The transactions of a stake: the one that begins it, and the one that pays its rewards.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { Draft } from './ledger.ts'
import type { Reward } from './rewards.ts'
import type { Facts, Output } from './transactions.ts'
import type { Stake, Validator } from './stakes.ts'

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
