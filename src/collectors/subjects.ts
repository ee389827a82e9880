// Subjects that several collectors share: subnets with the validators that are watched there.

import type { Network, Validator } from '../config/schema.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import type { Subject } from './define.ts'

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

/** The identity of a validator inside a run that covers a whole subnet: its configured name, else its id. */
export function validatorLabels(nodeId: string, tracked: readonly Validator[]): { node_id: string; validator: string } {
  return { node_id: nodeId, validator: tracked.find(({ node_id }) => node_id === nodeId)?.name ?? nodeId }
}
