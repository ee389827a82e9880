// What stakes earn: one reward for a validation; of a delegation one for the delegator and one for the validator.

import { type Delegation, feeOf, type Stake, type Validator } from './stakes.ts'

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
