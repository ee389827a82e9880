// Compares a tracked validator's record with the configured expectations (document 2, Validator record).

import { atLeast, equal, sameMembers } from '../../judgements/expectations.ts'
import { bareAddress } from '../../lib/primary-network.ts'
import { toRatio, toTokens } from '../../lib/units.ts'
import { ofValidator } from '../../metrics/define.ts'
import { asExpectations, type Expectation } from '../define.ts'
import { type SubnetSubject, type Tracked, validatorLabels, type ValidatorRecord } from '../subjects/subnets.ts'

export const expectationMet = ofValidator.gauge('stakewatch_validator_expectation_met', {
  help: 'Whether the validator meets the configured expectation: 1 or 0; absent while it cannot be judged (platform.getCurrentValidators).',
  labels: ['expectation'],
})

export function expectationsOf(record: ValidatorRecord, { isPrimary }: SubnetSubject, tracked: Tracked): Expectation[] {
  const declared = tracked.get(record.nodeID)?.expect
  if (!declared || Object.keys(declared).length === 0) return []
  const { weight, delegationFee: fee, signer, remainingBalanceOwner } = record
  const rewarded = asWritten(declared.reward_addresses)
  const judged = [
    ...sameMembers('reward_addresses', rewarded, rewardedBy(record, rewarded)),
    ...equal('delegation_fee', declared.delegation_fee, toRatio(fee)),
    // The weight in other subnets is not an amount of the network's token.
    ...atLeast('min_stake', declared.min_stake, toTokens(isPrimary ? weight : undefined)),
    ...equal(
      'bls_public_key',
      declared.bls_public_key?.toLowerCase(),
      (signer?.publicKey ?? record.publicKey)?.toLowerCase(),
    ),
    ...sameMembers(
      'remaining_balance_owner',
      asWritten(declared.remaining_balance_owner),
      asWritten(remainingBalanceOwner?.addresses),
    ),
    ...equal('auto_renew', declared.auto_renew, isPrimary ? renewsItself(record) : undefined),
  ]
  return asExpectations(expectationMet, judged, validatorLabels(record.nodeID, tracked))
}

/** The number of series if every declared expectation can be judged. */
export function declaredOf({ tracked }: SubnetSubject): number {
  return tracked.reduce((sum, { expect }) => sum + Object.keys(expect).length, 0)
}

/**
 * The addresses of both kinds of reward. Undefined if only one kind is known and all of its addresses are expected: the
 * other kind may go elsewhere.
 */
function rewardedBy(
  { validationRewardOwner, delegationRewardOwner }: ValidatorRecord,
  expected: readonly string[] = [],
): string[] | undefined {
  const lists = [validationRewardOwner, delegationRewardOwner].map((owner) => asWritten(owner?.addresses))
  const known = lists.flatMap((list) => list ?? [])
  const isKnown = !lists.includes(undefined) || known.some((address) => !expected.includes(address))
  return isKnown ? known : undefined
}

/** A record that has an end but no next period has a fixed term. */
function renewsItself({ nextPeriod, endTime }: ValidatorRecord): boolean | undefined {
  return nextPeriod === undefined && endTime === undefined ? undefined : (nextPeriod ?? 0n) > 0n
}

/** Addresses with the prefix that nodes write and that a configuration may omit. */
function asWritten(addresses: readonly string[] | undefined): string[] | undefined {
  return addresses?.map((address) => `P-${bareAddress(address)}`)
}
