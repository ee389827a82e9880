// Objects in maintenance, as other rules refer to them. maintenance.ts records them.

import type { Maintained } from './rule.ts'

/** By kind of object: its metric, the labels that name the object, and the recording rule of those in maintenance. */
export const kinds = {
  validator: { metric: 'stakewatch_validator_in_maintenance', labels: 'job, network, subnet, node_id' },
  node: { metric: 'stakewatch_node_in_maintenance', labels: 'job, network, source' },
  chain: { metric: 'stakewatch_chain_in_maintenance', labels: 'job, network, chain' },
  subnet: { metric: 'stakewatch_subnet_in_maintenance', labels: 'job, network, subnet' },
  wallet: { metric: 'stakewatch_address_in_maintenance', labels: 'job, network, address' },
} as const

export const quiet = (kind: keyof typeof kinds) => `maintenance:${kinds[kind].metric}:max`
/** Networks whose nodes are all in maintenance. */
export const ALL_NODES_IN = 'nodes:stakewatch_node_in_maintenance:min'

export function unlessMaintained(maintained: Maintained): string {
  if (maintained === 'nodes') return `unless on (job, network) ${ALL_NODES_IN}`
  if (maintained === 'machine') return `unless on (job, network, node_id) ${quiet('validator')}`
  return `unless on (${kinds[maintained].labels}) ${quiet(maintained)}`
}

/** The upstream answers, or is a node in maintenance, so that planned outages do not count. */
export const UNPLANNED = 'upstream:stakewatch_upstream_up:unplanned'
/** One of the nodes does. */
export const ALL_UNPLANNED = 'nodes:stakewatch_upstream_up:unplanned'
