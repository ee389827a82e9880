// validators: the stakes of the watched validators on the chain. platform.getCurrentValidators (document 2).

import { z } from 'zod'
import type { Facts } from '../../config/schema.ts'
import { delegationCapacity } from '../../judgements/stake.ts'
import { toRatio, toTokens } from '../../lib/units.ts'
import { ofValidator, type Sample } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { defineCollector } from '../define.ts'
import { askWatched, refusedIdsType } from '../answers/asked-validators.ts'
import {
  byNodeId,
  membersOf,
  noMembers,
  type SubnetSubject,
  type Tracked,
  validatorLabels,
  type ValidatorRecord,
  votingWeight,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'
import { declaredOf, expectationMet, expectationsOf } from './validator-expectations.ts'

const metrics = {
  inSet: ofValidator.gauge('stakewatch_validator_in_set', {
    help: 'Whether the tracked validator is in the current validator set of its subnet: 1 or 0 (platform.getCurrentValidators).',
  }),
  info: ofValidator.gauge('stakewatch_validator_info', {
    help: 'Kind of the validator (primary, elastic, permissioned or l1), with the validation id of an L1 validator, always 1.',
    labels: ['kind', 'validation_id'],
  }),
  weight: ofValidator.gauge('stakewatch_validator_weight', {
    help: 'Voting weight of the validator in its subnet (platform.getCurrentValidators).',
    details: 'Absent on the primary network while the delegated stake is unknown.',
  }),
  stake: ofValidator.gauge('stakewatch_validator_stake_tokens', {
    help: 'Own stake of the primary network validator (platform.getCurrentValidators).',
  }),
  delegated: ofValidator.gauge('stakewatch_validator_delegated_tokens', {
    help: 'Stake that others delegated to the primary network validator (platform.getCurrentValidators).',
  }),
  delegators: ofValidator.gauge('stakewatch_validator_delegators', {
    help: 'Number of delegations to the primary network validator (platform.getCurrentValidators).',
  }),
  fee: ofValidator.gauge('stakewatch_validator_delegation_fee_ratio', {
    is: 'share',
    help: "Share of the delegators' rewards that the validator keeps (platform.getCurrentValidators).",
  }),
  capacity: ofValidator.gauge('stakewatch_validator_delegation_capacity_tokens', {
    help: "How much more can be delegated to the validator within the network's limits; 0 when no further delegation fits.",
  }),
  potentialReward: ofValidator.gauge('stakewatch_validator_potential_reward_tokens', {
    help: 'Reward that the validation earns if the network grants it (platform.getCurrentValidators).',
  }),
  startTime: ofValidator.gauge('stakewatch_validator_start_timestamp_seconds', {
    is: 'past',
    help: 'When the validation began, or the current period of an auto-renewed one (platform.getCurrentValidators).',
  }),
  endTime: ofValidator.gauge('stakewatch_validator_end_timestamp_seconds', {
    is: 'end',
    help: 'When the validation ends, or the current period of an auto-renewed one; absent for L1 validators.',
  }),
  nextPeriod: ofValidator.gauge('stakewatch_validator_next_period_seconds', {
    help: 'Length of the next period of an auto-renewed validation; 0 if it leaves after this one, absent for a fixed term.',
    details: 'The validator also leaves if the reward of the current period is lost.',
  }),
}

const memory = z.object({
  /** Consecutive answers without members, for a subnet that had some before. */
  empty: z.number(),
  refused: refusedIdsType.optional(),
})
/** A set that had members counts as empty after this many consecutive empty answers: a single one may be a mistake. */
const CONFIRMED = 2

export const validators = defineCollector({
  name: 'validators',
  about: 'Stake, delegation, fee, capacity and times of the watched validators, and whether they meet expectations.',
  every: '1m',
  uses: [getCurrentValidators],
  isReserved: true,
  metrics: [...Object.values(metrics), expectationMet],
  memory,
  subjects: watchedSubnets,
  estimate: (subject) => ({ series: membersOf(subject) * (subject.isPrimary ? 11 : 4) + declaredOf(subject) }),
  async collect({ subject, network, memory: before, now, call, flawed }) {
    const { answer: asked, isWhole, refused } = await askWatched({ call, flawed, now }, subject, before?.refused)
    // None of the requested validators is there. The whole set shows whether they left or the set is empty.
    const isEnough = isWhole || asked.value.validators.length > 0
    const answer = isEnough ? asked : await call(getCurrentValidators, { subnetID: subject.id })
    const empty = answer.value.validators.length > 0 ? 0 : countEmpty(before)
    const records = watchedMembers(answer.value.validators, subject)
    const tracked = byNodeId(subject.tracked)
    const seen = { subject, tracked, network, at: answer.at.wall / 1_000 }
    const samples = records.flatMap((record) => samplesOf(record, seen))
    // A missing validator may be among the dropped items.
    if (asked.dropped === 0 && (empty === 0 || empty >= CONFIRMED)) {
      // The node says nothing about an id that it refuses.
      const known = new Set([...records.map(({ nodeID }) => nodeID), ...(refused?.ids ?? [])])
      const missing = subject.tracked.filter(({ node_id }) => !known.has(node_id))
      for (const { node_id, name } of missing) samples.push(metrics.inSet.sample({ node_id, validator: name }, 0))
    }
    const expectations = records.flatMap((record) => expectationsOf(record, subject, tracked))
    return { samples, memory: { empty, refused }, expectations }
  },
})

/** A node answers alike for an empty set and a subnet that does not exist: only an earlier answer makes the difference. */
function countEmpty(before: z.output<typeof memory> | undefined): number {
  if (!before) throw noMembers()
  return before.empty + 1
}

interface Seen {
  subject: SubnetSubject
  tracked: Tracked
  network: Facts
  /** When the node was asked, in Unix seconds. */
  at: number
}

function samplesOf(record: ValidatorRecord, { subject, tracked, network, at }: Seen): Sample[] {
  const labels = validatorLabels(record.nodeID, tracked)
  const samples = [
    ...(tracked.has(record.nodeID) ? [metrics.inSet.sample(labels, 1)] : []),
    metrics.info.sample({ ...labels, kind: kindOf(record, subject), validation_id: record.validationID ?? '' }, 1),
    ...metrics.weight.ifKnown(labels, votingWeight(record, subject)),
    ...metrics.startTime.ifKnown(labels, record.startTime),
    ...metrics.endTime.ifKnown(labels, record.endTime),
    ...metrics.nextPeriod.ifKnown(labels, record.nextPeriod),
  ]
  if (!subject.isPrimary) return samples
  return [
    ...samples,
    ...metrics.stake.ifKnown(labels, toTokens(record.weight)),
    ...metrics.delegated.ifKnown(labels, toTokens(record.delegatorWeight)),
    ...metrics.delegators.ifKnown(labels, record.delegatorCount),
    ...metrics.fee.ifKnown(labels, toRatio(record.delegationFee)),
    ...metrics.potentialReward.ifKnown(labels, toTokens(record.potentialReward)),
    ...metrics.capacity.ifKnown(labels, capacityOf(record, network, at)),
  ]
}

function capacityOf(
  { weight: own, delegatorWeight, endTime: end }: ValidatorRecord,
  { delegation }: Facts,
  at: number,
) {
  if (own === undefined || delegatorWeight === undefined || end === undefined) return undefined
  return delegationCapacity(
    { own: toTokens(own), delegated: toTokens(delegatorWeight), left: end - at },
    {
      factor: delegation.factor,
      maxStake: delegation.max_stake,
      minDuration: delegation.min_duration / 1_000,
      minDelegation: delegation.min_delegation,
    },
  )
}

/** From the fields that only one kind has: one answer can hold several kinds. */
function kindOf({ validationID, balance, potentialReward: reward }: ValidatorRecord, { isPrimary }: SubnetSubject) {
  if (validationID !== undefined || balance !== undefined) return 'l1'
  if (isPrimary) return 'primary'
  return reward === undefined ? 'permissioned' : 'elastic'
}
