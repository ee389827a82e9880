// consensus-weight: the weight of each subnet in consensus, whether validator records agree with it, and the minimum
// stakes. platform.getTotalStake, platform.getMinStake and platform.getValidatorsAt, compared with
// platform.getCurrentValidators (document 2, Validator record).

import { totalOf } from '../../judgements/stake.ts'
import { toTokens } from '../../lib/units.ts'
import { ofShownValidator, ofSubnet, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getCurrentValidators, getValidatorsAt } from '../../operations/node/platform-validators.ts'
import { getMinStake, getTotalStake } from '../../operations/node/platform-subnets.ts'
import { ifNotFound } from '../answers/not-found.ts'
import { type Ask, type Attempt, defineCollector, FAILED, type Part, type Run } from '../define.ts'
import {
  allSubnets,
  byNodeId,
  members,
  membersOf,
  type SubnetSubject,
  validatorLabels,
  type ValidatorRecord,
  votingWeight,
  watchedMembers,
} from '../subjects/subnets.ts'
import { askWatched, type RefusedIds, refusedIdsType } from '../answers/asked-validators.ts'

const totalWeight = ofSubnet.gauge('stakewatch_subnet_total_weight', {
  help: "Total weight of the subnet's validators as stated by the node (platform.getTotalStake).",
  details: 'Inactive L1 validators are included.',
})
const minValidatorStake = ofSubnet.gauge('stakewatch_subnet_min_validator_stake_tokens', {
  help: 'Minimum stake of a validator of the subnet; absent without a staking token (platform.getMinStake).',
})
const minDelegatorStake = ofSubnet.gauge('stakewatch_subnet_min_delegator_stake_tokens', {
  help: 'Minimum stake of a delegator to a validator of the subnet; absent without a staking token (platform.getMinStake).',
})
const difference = ofShownValidator.gauge('stakewatch_validator_weight_difference', {
  help: "Weight in the watched validator's record minus its weight in consensus at the proposed height (platform.getCurrentValidators, platform.getValidatorsAt).",
  details:
    'The record of an inactive L1 validator counts as 0; after a change the proposed height lags for some minutes.',
})
const inactiveDifference = ofSubnet.gauge('stakewatch_subnet_inactive_weight_difference', {
  help: 'Weight of L1 validators without balance minus the weight that consensus assigns to no node (platform.getCurrentValidators, platform.getValidatorsAt).',
  details: 'After a change the proposed height lags for some minutes.',
})

/** Consensus counts the weight of all inactive L1 validators under this id. */
const INACTIVE = 'NodeID-111111111111111111116DBWJs'

/** Records may be slightly older than the weights, as the proposed height lags too. */
const RECORDS = { maxAge: '1m' }

type Weights = AnswerOf<typeof getValidatorsAt>

/** The records and the weights in consensus, from the same node. */
interface Both {
  records: readonly ValidatorRecord[]
  isWhole: boolean
  /** Undefined if the answers are from two nodes, of which one may lag. */
  weights: Weights | undefined
  refused: RefusedIds | undefined
}

const isWatched = (subject: SubnetSubject) => membersOf(subject) > 0

export const consensusWeight = defineCollector({
  name: 'consensus-weight',
  about: 'Weight of each subnet in consensus, whether validator records agree with it, and the minimum stakes.',
  every: '5m',
  uses: [getTotalStake, getMinStake, getValidatorsAt, getCurrentValidators],
  metrics: [totalWeight, minValidatorStake, minDelegatorStake, difference, inactiveDifference],
  memory: refusedIdsType,
  subjects: allSubnets,
  estimate: (subject) => ({
    calls: [
      getTotalStake,
      // A subnet without a staking token is asked once an hour.
      { operation: getMinStake, times: subject.isPrimary ? 1 : 0 },
      { operation: getValidatorsAt, times: isWatched(subject) ? 1 : 0 },
      { operation: getCurrentValidators, times: isWatched(subject) ? 1 : 0 },
    ],
    series: 2 + membersOf(subject) + (subject.isPrimary ? 1 : 0),
  }),
  async collect({ subject, memory, now, attempt, flawed }) {
    const { id } = subject
    const total = await attempt((ask) => ask.call(getTotalStake, { subnetID: id }))
    const least = await attempt((ask) => ask.call(getMinStake, { subnetID: id }).catch(ifNotFound))
    const both = isWatched(subject)
      ? await attempt(({ call }) => askBoth({ call, flawed, now }, subject, memory))
      : undefined
    const refused = both?.value ? both.value.refused : memory
    return {
      samples: [],
      ...(refused && { memory: refused }),
      parts: [
        // A node answers 0 for a subnet without validators and for an unknown one.
        { name: 'total', of: [total], samples: totalWeight.ifKnown({}, total.value?.value.weight || undefined) },
        {
          name: 'least stake',
          of: [least],
          samples: [
            ...minValidatorStake.ifKnown({}, toTokens(least.value?.value.minValidatorStake)),
            ...minDelegatorStake.ifKnown({}, toTokens(least.value?.value.minDelegatorStake)),
          ],
        },
        ...(both ? [differencePart(subject, both)] : []),
      ],
    }
  },
})

/**
 * Consensus sums up the inactive validators of an L1, so all its records are needed; the primary network has no
 * inactive validators.
 */
async function askBoth(
  {
    call,
    ...run
  }: Pick<Run<typeof getCurrentValidators | typeof getValidatorsAt, never, never>, 'call' | 'flawed' | 'now'>,
  subject: SubnetSubject,
  before: RefusedIds | undefined,
): Promise<Both> {
  const { value: weights, source } = await call(getValidatorsAt, { height: 'proposed', subnetID: subject.id })
  const recent: Ask<typeof getCurrentValidators>['call'] = (operation, params) => call(operation, params, RECORDS)
  const { answer, refused } = subject.isPrimary
    ? await askWatched({ call: recent, ...run }, subject, before)
    : { answer: await recent(getCurrentValidators, { subnetID: subject.id }), refused: undefined }
  return {
    records: answer.value.validators,
    isWhole: answer.dropped === 0,
    weights: answer.source === source ? weights : undefined,
    refused,
  }
}

function differencePart(subject: SubnetSubject, both: Attempt<Both>): Part {
  const name = 'difference'
  if (!both.value) return { name, of: [both], samples: [] }
  const { weights } = both.value
  if (!weights) return { name, of: [FAILED], samples: [] }
  // Consensus has no validators of a subnet that the node does not know.
  const isKnown = Object.keys(weights).length > 0
  return { name, of: [both], samples: isKnown ? differenceSamples(subject, both.value, weights) : [] }
}

function differenceSamples(subject: SubnetSubject, { records, isWhole }: Both, weights: Weights): Sample[] {
  const tracked = byNodeId(subject.tracked)
  const counted = (nodeId: string) => (nodeId in weights ? weights[nodeId]?.weight : 0n)
  const samples = watchedMembers(records, subject).flatMap((record) => {
    const own = isInactive(record) ? 0n : votingWeight(record, subject)
    const there = counted(record.nodeID)
    if (own === undefined || there === undefined) return []
    return [difference.sample(validatorLabels(record.nodeID, tracked), Number(own - there))]
  })
  const inactive = members(records).filter(isInactive)
  const inactiveWeight = counted(INACTIVE)
  const sum = totalOf(inactive.map(({ weight }) => weight))
  if (subject.isPrimary || !isWhole || inactiveWeight === undefined || sum === undefined) return samples
  return [...samples, inactiveDifference.sample({}, sum - inactiveWeight)]
}

function isInactive({ balance }: ValidatorRecord): boolean {
  return balance === 0n
}
