// What a valid configuration asks for and will never get: said by check, as no series and no alert would say it.

import type { Config } from '../../config/schema.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { canTell, expectedIn } from '../../scheduler/expected.ts'
import type { Task } from '../../scheduler/plan.ts'
import { nameOf, tellsBySeries } from './live/series.ts'

export function untoldWarnings(config: Config, tasks: readonly Task[]): string[] {
  return [...unobserved(config), ...untold(config, tasks)]
}

/** A node credits its own downtime to everyone and sees itself as always connected: it is no witness of itself. */
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
        `${network}/${name}: nobody observes this validator: ${why}; its uptime, connection and reward stay unknown until another node is listed under nodes`,
    )
  })
}

function untold(config: Config, tasks: readonly Task[]): string[] {
  return expectedIn(config)
    .filter((one) => !tasks.some((task) => canTell(task, one) || tellsBySeries(task, one)))
    .map((one) => `${nameOf(one)}: nothing that is configured can tell whether this is so`)
}
