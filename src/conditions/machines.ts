// One verdict for a machine that validates several subnets.

import type { Labels } from '../lib/label-text.ts'
import type { View } from './view.ts'

const PRIMARY = 'primary'

export interface Machine {
  /** Its node id, and the name of the validator. */
  labels: Labels
  /** The greatest of its validations. */
  value: number
}

/**
 * The machines that the metric reports on, under their names on the primary network: a fact of the network. A machine without one has
 * a verdict for each name in its L1s, because different teams may run them.
 */
export const machinesBy = (metric: string) => (network: View) => {
  const primary = new Map<string, Machine>()
  const others = new Map<string, Machine>()
  for (const one of network.every('validator')) {
    const value = one.value(metric)
    if (value === undefined) continue
    const { subnet, node_id = '', validator = '' } = one.labels
    const machines = subnet === PRIMARY ? primary : others
    const key = `${node_id}\n${validator}`
    const known = machines.get(key)
    if (known === undefined || known.value < value) machines.set(key, { labels: { node_id, validator }, value })
  }
  const named = new Set([...primary.values()].map(({ labels }) => labels['node_id']))
  return [...primary.values(), ...[...others.values()].filter(({ labels }) => !named.has(labels['node_id']))]
}
