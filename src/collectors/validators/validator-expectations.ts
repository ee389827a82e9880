// What the configuration declares of a tracked validator, held against its record (document 2, Validator record).

import { atLeast, equal, sameMembers } from '../../judgements/expectations.ts'
import { bareAddress } from '../../lib/primary-network.ts'
import { toRatio, toTokens } from '../../lib/units.ts'
import { gauge } from '../../metrics/define.ts'
import type { Expectation } from '../define.ts'
import { type SubnetSubject, validatorLabels, type ValidatorRecord } from '../subjects/subnets.ts'

export const expectationMet = gauge({
  name: 'stakewatch_validator_expectation_met',
  help: 'Whether the validator is what the configuration declares: 1 or 0; absent while it cannot be told (platform.getCurrentValidators).',
  of: 'validator',
  labels: ['expectation'],
})

export function expectationsOf(record: ValidatorRecord, { tracked, isPrimary }: SubnetSubject): Expectation[] {
  const declared = tracked.find(({ node_id }) => node_id === record.nodeID)?.expect
  if (!declared) return []
  const { weight, delegationFee: fee, signer, remainingBalanceOwner } = record
  const rewarded = asWritten(declared.reward_addresses)
  const judged = [
    ...sameMembers('reward_addresses', rewarded, rewardedBy(record, rewarded)),
    ...equal('delegation_fee', declared.delegation_fee, fee === undefined ? undefined : toRatio(fee)),
    // The weight of other subnets is in no token of the network.
    ...atLeast('min_stake', declared.min_stake, isPrimary && weight !== undefined ? toTokens(weight) : undefined),
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
  const labels = validatorLabels(record.nodeID, tracked)
  return judged.map((one) => ({ metric: expectationMet, labels, ...one }))
}

/** How many series they are when all can be told. */
export function declaredOf({ tracked }: SubnetSubject): number {
  return tracked.reduce((sum, { expect }) => sum + Object.keys(expect).length, 0)
}

/** Of both kinds of reward. One that goes to somebody else is enough to tell, also where the other is not known. */
function rewardedBy(
  { validationRewardOwner, delegationRewardOwner }: ValidatorRecord,
  expected: readonly string[] = [],
): string[] | undefined {
  const lists = [validationRewardOwner, delegationRewardOwner].map((owner) => asWritten(owner?.addresses))
  const known = lists.flatMap((list) => list ?? [])
  const isTold = !lists.includes(undefined) || known.some((address) => !expected.includes(address))
  return isTold ? known : undefined
}

/** A record with an end and without a next period is one of a fixed term. */
function renewsItself({ nextPeriod, endTime }: ValidatorRecord): boolean | undefined {
  return nextPeriod === undefined && endTime === undefined ? undefined : (nextPeriod ?? 0n) > 0n
}

/** As nodes write addresses; in a configuration the prefix can be left out. */
function asWritten(addresses: readonly string[] | undefined): string[] | undefined {
  return addresses?.map((address) => `P-${bareAddress(address)}`)
}
