// How validations go on by themselves, in the data service's words.

import type { Validator } from '../world/stakes.ts'
import type { Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'

/** Percent in millionths. */
const PERCENT = 10_000

/** Only running ones, as the simulated service forgets a validation at its end. */
export function autoRenewRecord({ renewal, weight, compounded, owner }: Validator) {
  if (!renewal) return undefined
  const { period, shares } = renewal
  return {
    state: period > 0 ? 'renewing' : 'exiting',
    nextPeriodSeconds: period,
    autoCompoundSharePercent: shares / PERCENT,
    compoundedWeight: String(weight),
    accruedValidationRewards: String(compounded),
    accruedDelegateeRewards: '0',
    validationRewardAddresses: [owner],
    delegationRewardAddresses: [owner],
    exitReason: null,
    endedAtTimestamp: null,
  }
}

/** What a transaction says of it. */
export function renewalFacts({ type, facts: { renewal, rewardAddresses = [] } }: Transaction) {
  const isFirst = type === 'AddAutoRenewedValidatorTx'
  return {
    period: renewal?.period,
    autoCompoundRewardShares: renewal?.shares,
    validatorAuthority: isFirst ? { addresses: [...rewardAddresses], threshold: 1 } : undefined,
  }
}

/** Of the validation that runs with this transaction. */
export function runningRenewal({ id, facts }: Transaction, { validators }: World) {
  const validator = validators.all.get(facts.nodeId ?? '')
  return validator?.txId === id ? autoRenewRecord(validator) : undefined
}

export function stakingTypeOf(txId: string, { ledger }: World): string {
  return ledger.find(txId)?.type === 'AddAutoRenewedValidatorTx' ? 'autoRenewed' : 'fixed'
}
