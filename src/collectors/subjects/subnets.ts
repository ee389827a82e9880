// Subnets with their watched validators, and the validators' records in an answer of platform.getCurrentValidators
// (document 2, Validator record).

import type { Network, Validator } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { totalOf } from '../../judgements/stake.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import type { Subject } from '../define.ts'

export type ValidatorRecord = AnswerOf<typeof getCurrentValidators>['validators'][number]

export interface SubnetSubject extends Subject {
  id: string
  isPrimary: boolean
  /** All members have their own series, not only the tracked ones. */
  all: boolean
  tracked: readonly Validator[]
}

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

/** Members of a usual L1, as the size of a set that is watched as a whole is unknown beforehand. */
const USUAL_SET = 20

/** How many validators have their own series: an estimate where the whole set is watched. */
export function membersOf({ all, tracked }: SubnetSubject): number {
  return all ? Math.max(USUAL_SET, tracked.length) : tracked.length
}

export function trackedOnPrimary(network: Network): readonly Validator[] {
  return allSubnets(network).find(({ isPrimary }) => isPrimary)?.tracked ?? []
}

/** The same as subjects of runs of their own. */
export function validatorsOnPrimary(network: Network) {
  return trackedOnPrimary(network).map(({ name, node_id }) => {
    return { name, nodeId: node_id, labels: { subnet: 'primary', node_id, validator: name } }
  })
}

/** Built once per run: a large set has many records, and each needs its configured name. */
export function byNodeId(tracked: readonly Validator[]): Tracked {
  return new Map(tracked.map((validator) => [validator.node_id, validator]))
}

/** The node ids to ask for; without ids a node returns the whole set. */
export function nodeIdsOf({ all, tracked }: SubnetSubject): { nodeIDs?: string[] } {
  return all ? {} : { nodeIDs: tracked.map(({ node_id }) => node_id) }
}

/** Each validator once, ordered by node id, as nodes list them in any order. A validator has one record in a subnet. */
export function members(records: readonly ValidatorRecord[]): ValidatorRecord[] {
  return [...byId(records).values()].toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
}

/** The first record wins. */
function byId(records: readonly ValidatorRecord[]): Map<string, ValidatorRecord> {
  const found = new Map<string, ValidatorRecord>()
  for (const record of records) if (!found.has(record.nodeID)) found.set(record.nodeID, record)
  return found
}

/**
 * Members with their own series: the tracked ones first, in the order of the configuration. Old nodes ignore the
 * requested ids and return the whole set.
 */
export function watchedMembers(
  records: readonly ValidatorRecord[],
  { all, tracked }: SubnetSubject,
): ValidatorRecord[] {
  const found = byId(records)
  const named = tracked.flatMap(({ node_id }) => found.get(node_id) ?? [])
  return all ? [...new Set([...named, ...members(records)])] : named
}

/** A node returns an empty list in both cases. */
export function noMembers(): BaseError {
  return new BaseError('unsupported', 'the node knows no validators of this subnet: it is empty or does not exist')
}

/** The labels of a validator in a run that covers a whole subnet: `validator` is its configured name, else its id. */
export function validatorLabels(nodeId: string, tracked: Tracked): { node_id: string; validator: string } {
  return { node_id: nodeId, validator: tracked.get(nodeId)?.name ?? nodeId }
}

/**
 * The voting weight of a validator: own and delegated stake on the primary network, the weight of the record in other
 * subnets. Undefined if a part of it is unknown.
 */
export function votingWeight(
  { weight, delegatorWeight }: ValidatorRecord,
  { isPrimary }: Pick<SubnetSubject, 'isPrimary'>,
): bigint | undefined {
  return isPrimary ? totalOf([weight, delegatorWeight]) : weight
}
