// Subnets with the validators that are watched there, and their records in an answer of platform.getCurrentValidators
// (document 2, Validator record).

import type { Network, Validator } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import type { Subject } from '../define.ts'

export type ValidatorRecord = AnswerOf<typeof getCurrentValidators>['validators'][number]

export interface SubnetSubject extends Subject {
  id: string
  isPrimary: boolean
  /** Every member has series of its own, not only the tracked ones. */
  all: boolean
  tracked: readonly Validator[]
}

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

/** A set that is watched as a whole is as large as it happens to be: this is the size of a usual L1. */
const USUAL_SET = 20

/** How many validators will have series of their own: an estimate where all of a set are watched. */
export function membersOf({ all, tracked }: SubnetSubject): number {
  return all ? Math.max(USUAL_SET, tracked.length) : tracked.length
}

export function trackedOnPrimary(network: Network): readonly Validator[] {
  return allSubnets(network).find(({ isPrimary }) => isPrimary)?.tracked ?? []
}

/** The node ids to ask for; undefined asks for the whole set. */
export function nodeIdsOf({ all, tracked }: SubnetSubject): { nodeIDs?: string[] } {
  return all ? {} : { nodeIDs: tracked.map(({ node_id }) => node_id) }
}

/** Each node once, in the order of their ids: a node gives them in any order, and has one validation per subnet. */
export function members(records: readonly ValidatorRecord[]): ValidatorRecord[] {
  const byId = new Map(records.toReversed().map((record) => [record.nodeID, record]))
  return [...byId.values()].toSorted((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
}

/**
 * Members that have series of their own, the tracked ones first and as configured. Old nodes give the whole set whatever
 * ids they are asked for.
 */
export function watchedMembers(records: readonly ValidatorRecord[], { all, tracked }: SubnetSubject) {
  const found = new Map(members(records).map((record) => [record.nodeID, record]))
  const named = tracked.flatMap(({ node_id }) => found.get(node_id) ?? [])
  return all ? [...new Set([...named, ...found.values()])] : named
}

/** A node gives the same answer to both. */
export function noMembers(): BaseError {
  return new BaseError(
    'unsupported',
    'the node knows no validators of this subnet: it is empty, or there is no such subnet',
  )
}

/** The identity of a validator inside a run that covers a whole subnet: its configured name, else its id. */
export function validatorLabels(nodeId: string, tracked: readonly Validator[]): { node_id: string; validator: string } {
  return { node_id: nodeId, validator: tracked.find(({ node_id }) => node_id === nodeId)?.name ?? nodeId }
}
