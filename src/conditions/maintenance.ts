// Objects in maintenance: inside a window or its grace, or still down since one, about which StakewatchMaintenanceOverrun pages.

import type { Maintained } from '../alerts/rule.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Kind } from './board.ts'
import { machinesOf, nodesOf, OWN_READS, ownValidators } from './nodes.ts'
import type { View } from './view.ts'

/** The condition of what is still down after its window. */
export const OVERRUN = 'maintenance_overrun'

const metrics = {
  validator: 'stakewatch_validator_in_maintenance',
  node: 'stakewatch_node_in_maintenance',
  chain: 'stakewatch_chain_in_maintenance',
  subnet: 'stakewatch_subnet_in_maintenance',
  wallet: 'stakewatch_address_in_maintenance',
} as const satisfies Partial<Record<Kind, string>>

type Planned = keyof typeof metrics

/** For `quietFor`, which the judge heeds. */
export const WINDOW_READS: readonly string[] = Object.values(metrics)
/** Which nodes and validators are in maintenance. */
export const MAINTENANCE_READS = [metrics.validator, metrics.node, ...OWN_READS]

/** The windows over this object, open or not. */
export const windowsOver = (view: View) => view.all(metrics[view.thing.kind as Planned])

/** Whether a window over this object is open or in its grace. */
export const isPlanned = (view: View) => view.value(metrics[view.thing.kind as Planned]) === 1

export const validatorInMaintenance = (view: View): boolean => isPlanned(view) || view.hasFired(OVERRUN)

/** A window over a validator covers the node that runs it. */
export function nodeInMaintenance(view: View): boolean {
  if (isPlanned(view) || view.hasFired(OVERRUN)) return true
  return view.fact(ownValidators).some((one) => one.fact(validatorInMaintenance))
}

/** The names of the nodes in maintenance: a fact of the network, which asks each node once. */
export const nodesInMaintenance = (network: View): ReadonlySet<string> =>
  new Set(
    [...network.every('node')].filter((node) => node.fact(nodeInMaintenance)).map(({ labels }) => labels['source']!),
  )

/** Whether maintenance suppresses an alert with these labels. */
export function inMaintenance(maintained: Maintained, view: View, labels: Labels): boolean {
  switch (maintained) {
    case 'validator':
      return view.of('validator', labels).fact(validatorInMaintenance)
    case 'node':
      return view.of('node', labels).fact(nodeInMaintenance)
    case 'nodes':
      return view.of('network', labels).fact(allNodesInMaintenance)
    case 'machine': {
      const machine = view.of('network').fact(machinesOf).get(labels['node_id']!) ?? []
      return machine.some((one) => one.fact(validatorInMaintenance))
    }
    default:
      return isPlanned(view.of(maintained, labels))
  }
}

/** Whether all nodes of the network are in maintenance. */
export function allNodesInMaintenance(network: View): boolean {
  const nodes = network.fact(nodesOf)
  return nodes.length > 0 && nodes.every((node) => node.fact(nodeInMaintenance))
}
