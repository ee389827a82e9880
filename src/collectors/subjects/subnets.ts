// Subnets with the validators that are watched there, and their records in an answer of platform.getCurrentValidators
// (document 2, Validator record).

import type { Network, Validator } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { totalOf } from '../../judgements/concentration.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import type { Subject } from '../define.ts'

export type ValidatorRecord = AnswerOf<typeof getCurrentValidators>['validators'][number]

export interface SubnetSubject extends Subject {
  id: string
  isPrimary: boolean
  /** Every member has its own series, not only the tracked ones. */
  all: boolean
  tracked: readonly Validator[]
}

/** The validators that the configuration names, by node id. */
export type Tracked = ReadonlyMap<string, Validator>

export function allSubnets({ subnets, validators }: Network): SubnetSubject[] {
  return subnets.map((subnet) => ({
    id: subnet.id,
    name: subnet.name,
    labels: { subnet: subnet.name },
    isPrimary: subnet.id === PRIMARY_NETWORK_ID,
    all: subnet.validators === 'all',
    tracked: validators.filter((validator) => validator.subnet === subnet.name),
  }))
}

/** Subnets in which single validators are watched. */
export function watchedSubnets(network: Network): SubnetSubject[] {
  return allSubnets(network).filter(({ all, tracked }) => all || tracked.length > 0)
}

/** How many validators a usual L1 has: nobody knows beforehand how large a set is that is watched as a whole. */
const USUAL_SET = 20

/** How many validators will have their own series: an estimate where the whole set is watched. */
export function membersOf({ all, tracked }: SubnetSubject): number {
  return all ? Math.max(USUAL_SET, tracked.length) : tracked.length
}

export function trackedOnPrimary(network: Network): readonly Validator[] {
  return allSubnets(network).find(({ isPrimary }) => isPrimary)?.tracked ?? []
}

/** Built once in a run: a large set has a record for each of its validators, and each record needs its configured name. */
export function byNodeId(tracked: readonly Validator[]): Tracked {
  return new Map(tracked.map((validator) => [validator.node_id, validator]))
}

/** The node ids to ask for; without them a node gives the whole set. */
export function nodeIdsOf({ all, tracked }: SubnetSubject): { nodeIDs?: string[] } {
  return all ? {} : { nodeIDs: tracked.map(({ node_id }) => node_id) }
}

/** Each validator once, ordered by node id: nodes list them in any order. A validator has one record in a subnet. */
export function members(records: readonly ValidatorRecord[]): ValidatorRecord[] {
  return [...byId(records).values()].toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
}

/** The first record counts. */
function byId(records: readonly ValidatorRecord[]): Map<string, ValidatorRecord> {
  const found = new Map<string, ValidatorRecord>()
  for (const record of records) if (!found.has(record.nodeID)) found.set(record.nodeID, record)
  return found
}

/**
 * Members that have their own series: the tracked ones first, in the order of the configuration. Old nodes ignore the ids
 * that they are asked for and give the whole set.
 */
export function watchedMembers(
  records: readonly ValidatorRecord[],
  { all, tracked }: SubnetSubject,
): ValidatorRecord[] {
  const found = byId(records)
  const named = tracked.flatMap(({ node_id }) => found.get(node_id) ?? [])
  return all ? [...new Set([...named, ...members(records)])] : named
}

/** A node answers with an empty list in both cases. */
export function noMembers(): BaseError {
  return new BaseError(
    'unsupported',
    'the node knows no validators of this subnet: it is empty, or there is no such subnet',
  )
}

/** The labels of a validator in a run that covers a whole subnet: `validator` is its configured name, else its id. */
export function validatorLabels(nodeId: string, tracked: Tracked): { node_id: string; validator: string } {
  return { node_id: nodeId, validator: tracked.get(nodeId)?.name ?? nodeId }
}

/**
 * The weight with which the validator votes. On the primary network that is its own stake and what is delegated to it;
 * in every other subnet it is the weight of the record. Undefined when a part of it is unknown.
 */
export function votingWeight(
  { weight, delegatorWeight }: ValidatorRecord,
  { isPrimary }: Pick<SubnetSubject, 'isPrimary'>,
): bigint | undefined {
  return isPrimary ? totalOf([weight, delegatorWeight]) : weight
}
