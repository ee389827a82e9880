// Counts the nodes that observe each tracked validator of the primary network. A node does not observe itself, and its answers
// say which node it is: so the number is known only when every node has answered or has a configured id.

import { trackedOnPrimary } from '../collectors/subjects/subnets.ts'
import type { Config, Network } from '../config/schema.ts'
import { NEVER } from '../lib/clock.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { ofValidator, type Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'

export const validatorObservers = ofValidator.gauge('stakewatch_validator_observers', {
  help: 'Number of configured nodes that can observe the validator, without the validator itself.',
  details: 'With 0 its uptime and connection are unknown; absent until each node has answered once.',
})

export type Observers = ReturnType<typeof createObservers>

const UNIT = 'observers'

export function createObservers(config: Config) {
  let watched: readonly Network[] = []
  /** By network and node. */
  let ids = new Map<string, string | undefined>()
  const keyOf = (network: string, node: string) => `${network}/${node}`
  let isPublished = false

  function replan({ networks }: Config, stays: (network: string, node: string) => boolean): void {
    const before = ids
    ids = new Map()
    watched = networks.filter((network) => network.nodes.length > 0 && trackedOnPrimary(network).length > 0)
    for (const { name: network, nodes } of networks) {
      for (const { name, node_id } of nodes) {
        const key = keyOf(network, name)
        if (node_id !== undefined) ids.set(key, node_id)
        else if (before.has(key) && stays(network, name)) ids.set(key, before.get(key))
      }
    }
    isPublished = false
  }

  replan(config, () => false)

  function samplesOf(network: Network): Sample[] {
    const keys = network.nodes.map(({ name }) => keyOf(network.name, name))
    if (!keys.every((key) => ids.has(key))) return []
    const subnet = network.subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)!.name
    return trackedOnPrimary(network).map(({ node_id, name: validator }) =>
      validatorObservers.sample(
        { network: network.name, subnet, node_id, validator },
        keys.filter((key) => ids.get(key) !== node_id).length,
      ),
    )
  }

  return {
    /** Replaces the configuration. Keeps the answered ids of nodes for which `stays` returns true. */
    replan,
    /** `nodeId`: from the answer, else as configured; undefined when neither has it. */
    answered(network: string, node: string, nodeId: string | undefined) {
      const key = keyOf(network, node)
      if (ids.has(key) && (nodeId === undefined || ids.get(key) === nodeId)) return
      ids.set(key, nodeId)
      isPublished = false
    },
    /** Publications since the last call. */
    changes(): Change[] {
      if (isPublished) return []
      isPublished = true
      const samples = watched.flatMap(samplesOf)
      return [{ kind: 'publish', key: UNIT, families: renderFamilies(samples), samples, expiresAt: NEVER }]
    },
  }
}
