// Warnings of check about expectations in a valid configuration that can never be met or observed.

import type { Config } from '../../config/schema.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { canTell, expectedIn } from '../../scheduler/expected.ts'
import type { Task } from '../../scheduler/plan.ts'
import { nameOf } from './live/expected.ts'

export function unjudgedWarnings(config: Config, tasks: readonly Task[]): string[] {
  return [...unobserved(config), ...unobservable(config, tasks)]
}

/** A node always counts itself as connected, so it cannot observe itself. */
function unobserved({ networks }: Config): string[] {
  return networks.flatMap(({ name: network, nodes, validators, subnets }) => {
    const primary = subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)?.name
    const alone = validators.filter(
      ({ subnet, node_id }) => subnet === primary && nodes.every((node) => node.node_id === node_id),
    )
    const why =
      nodes.length === 0
        ? 'no node is configured'
        : 'the only node is the validator itself, whose own view is no evidence'
    return alone.map(
      ({ name }) =>
        `${network}/${name}: no other node observes this validator: ${why}; its uptime, connection and reward stay unknown until another node is listed under nodes`,
    )
  })
}

function unobservable(config: Config, tasks: readonly Task[]): string[] {
  return expectedIn(config)
    .filter((one) => !tasks.some((task) => canTell(task, one)))
    .map((one) => `${nameOf(one)}: no configured source can check this`)
}
