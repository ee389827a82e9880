// validators: the stakes of the watched validators, as the chain has them. platform.getCurrentValidators (document 2).

import { z } from 'zod'
import type { Network } from '../../config/schema.ts'
import { delegationCapacity } from '../../judgements/capacity.ts'
import { toRatio, toTokens } from '../../lib/units.ts'
import { gauge, type Sample, type Scalar } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import { defineCollector } from '../define.ts'
import {
  membersOf,
  nodeIdsOf,
  noMembers,
  type SubnetSubject,
  validatorLabels,
  type ValidatorRecord,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'
import { declaredOf, expectationMet, expectationsOf } from './validator-expectations.ts'

const of = 'validator'
const inSet = gauge({
  name: 'stakewatch_validator_in_set',
  help: 'Whether the tracked validator is in the current set of its subnet: 1 or 0 (platform.getCurrentValidators).',
  of,
})
const info = gauge({
  name: 'stakewatch_validator_info',
  help: 'What kind of validator it is: primary, elastic, permissioned or l1, with the validation id of an L1 validator. Always 1.',
  of,
  labels: ['kind', 'validation_id'],
})
const weight = gauge({
  name: 'stakewatch_validator_weight',
  help: 'Weight of the validator in its subnet: the smallest unit of stake on the primary network (platform.getCurrentValidators).',
  of,
})
const stake = gauge({
  name: 'stakewatch_validator_stake_tokens',
  help: 'Own stake of the primary network validator (platform.getCurrentValidators).',
  of,
})
const delegated = gauge({
  name: 'stakewatch_validator_delegated_tokens',
  help: 'Stake that others delegated to the primary network validator (platform.getCurrentValidators).',
  of,
})
const delegators = gauge({
  name: 'stakewatch_validator_delegators',
  help: 'Delegations to the primary network validator (platform.getCurrentValidators).',
  of,
})
const fee = gauge({
  name: 'stakewatch_validator_delegation_fee_ratio',
  help: "Share of the delegators' rewards that the validator keeps (platform.getCurrentValidators).",
  of,
})
const capacity = gauge({
  name: 'stakewatch_validator_delegation_capacity_tokens',
  help: 'How much more can be delegated to the validator, by the limits of the network; 0 when no delegation fits any more.',
  of,
})
const potentialReward = gauge({
  name: 'stakewatch_validator_potential_reward_tokens',
  help: 'What the validation will earn if it is rewarded (platform.getCurrentValidators).',
  of,
})
const startTime = gauge({
  name: 'stakewatch_validator_start_timestamp_seconds',
  help: 'When the validation began; of an auto-renewed one, its current period (platform.getCurrentValidators).',
  of,
})
const endTime = gauge({
  name: 'stakewatch_validator_end_timestamp_seconds',
  help: 'When the validation ends; of an auto-renewed one, its current period. L1 validators have no end.',
  of,
})
const nextPeriod = gauge({
  name: 'stakewatch_validator_next_period_seconds',
  help: 'How long the period after this one will be; 0 when the validator leaves at its end. Absent for a fixed term.',
  of,
})

/** Of a subnet that had members: how many answers in a row came without any since. */
const memory = z.object({ empty: z.number() })
/** Answers in a row without members that make a set empty which had some: one might be a node's bad moment. */
const CONFIRMED = 2

export const validators = defineCollector({
  name: 'validators',
  about:
    'Stake, delegation, fee, capacity and times of the watched validators of each subnet, and whether they are what was declared.',
  every: '1m',
  uses: [getCurrentValidators],
  observer: 'any',
  metrics: [
    inSet,
    info,
    weight,
    stake,
    delegated,
    delegators,
    fee,
    capacity,
    potentialReward,
    startTime,
    endTime,
    nextPeriod,
    expectationMet,
  ],
  memory,
  subjects: watchedSubnets,
  estimate: (subject) => ({
    calls: [{ operation: getCurrentValidators, times: 1 }],
    series: membersOf(subject) * (subject.isPrimary ? 11 : 4) + declaredOf(subject),
  }),
  async collect({ subject, network, memory: before, call }) {
    const asked = await call(getCurrentValidators, { subnetID: subject.id, ...nodeIdsOf(subject) })
    // None of them is there: the whole set tells whether they left or nobody is.
    const isWhole = subject.all || asked.value.validators.length > 0
    const answer = isWhole ? asked : await call(getCurrentValidators, { subnetID: subject.id })
    const empty = answer.value.validators.length > 0 ? 0 : oneMore(before)
    const records = watchedMembers(answer.value.validators, subject)
    const present = new Set(records.map(({ nodeID }) => nodeID))
    // Who is missing may be among the items that were dropped.
    const isMissingGone = asked.dropped === 0 && (empty === 0 || empty >= CONFIRMED)
    const membership = subject.tracked
      .filter(({ node_id }) => isMissingGone || present.has(node_id))
      .map(({ node_id, name }) => inSet.sample({ node_id, validator: name }, present.has(node_id) ? 1 : 0))
    const details = records.flatMap((record) => recordSamples(record, subject, network, answer.at / 1_000))
    const expectations = records.flatMap((record) => expectationsOf(record, subject))
    return { samples: [...membership, ...details], memory: { empty }, expectations }
  },
})

/** An empty set and a subnet that does not exist look alike: only what was seen before tells them apart. */
function oneMore(before: z.output<typeof memory> | undefined): number {
  if (!before) throw noMembers()
  return before.empty + 1
}

function recordSamples(record: ValidatorRecord, subject: SubnetSubject, network: Network, at: number): Sample[] {
  const labels = validatorLabels(record.nodeID, subject.tracked)
  const samples: Sample[] = [
    info.sample({ ...labels, kind: kindOf(record, subject), validation_id: record.validationID ?? '' }, 1),
  ]
  const put = (metric: Scalar<never>, value: number | bigint | undefined) => {
    if (value !== undefined) samples.push(metric.sample(labels, Number(value)))
  }
  put(weight, record.weight)
  put(startTime, record.startTime)
  put(endTime, record.endTime)
  put(nextPeriod, record.nextPeriod)
  if (!subject.isPrimary) return samples
  put(stake, tokens(record.weight))
  put(delegated, tokens(record.delegatorWeight))
  put(delegators, record.delegatorCount)
  put(fee, record.delegationFee === undefined ? undefined : toRatio(record.delegationFee))
  put(potentialReward, tokens(record.potentialReward))
  put(capacity, capacityOf(record, network, at))
  return samples
}

function capacityOf(
  { weight: own, delegatorWeight, endTime: end }: ValidatorRecord,
  { delegation }: Network,
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

function tokens(amount: bigint | undefined): number | undefined {
  return amount === undefined ? undefined : toTokens(amount)
}

/** By the fields that only one kind has: several kinds can stand in one answer. */
function kindOf({ validationID, balance, potentialReward: reward }: ValidatorRecord, { isPrimary }: SubnetSubject) {
  if (validationID !== undefined || balance !== undefined) return 'l1'
  if (isPrimary) return 'primary'
  return reward === undefined ? 'permissioned' : 'elastic'
}
