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
export function validationFacts({ fee, signer: bls }: Validator): Facts {
  return { delegationFee: fee, ...(bls ? { bls } : {}) }
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

export function rewardFacts(nodeId: string, { txId, start, end }: Stake, rewards: readonly Reward[]): Facts {
  const rewardAddresses = rewards.map(({ owner }) => owner)
  return { nodeId, subnetId: PRIMARY_NETWORK_ID, start, end, stakingTxId: txId, rewardAddresses }
}

export function payment({ owner, amount, type }: Reward): Output {
  return { owner, amount, rewardType: type }
}
