// What maintenance windows cover. A window over a machine covers all that runs on it: a validator covers its node and what else the
// node validates, and the other way round.

import type { Network } from '../config/schema.ts'
import type { MaintenanceWindow } from './window.ts'

export type Covered = ReturnType<typeof coveredBy>

/** Without a list, a window covers the whole network. */
export function isWhole({ validators, nodes, chains, subnets, wallets }: MaintenanceWindow): boolean {
  return [validators, nodes, chains, subnets, wallets].every((names) => names === undefined)
}

/** What a window covers, by the lists of the configuration. */
export function coveredBy(window: MaintenanceWindow, network: Network) {
  const { validators, nodes, chains, subnets, wallets } = window
  const isAll = isWhole(window)
  const among = (names: readonly string[] | undefined) => (isAll ? () => true : inSet(names))
  const isNamed = { validator: among(validators), node: among(nodes), subnet: among(subnets) }
  const machines = inSet([
    ...network.validators.filter(({ name }) => isNamed.validator(name)).map(({ node_id }) => node_id),
    ...network.nodes.filter(({ name }) => isNamed.node(name)).flatMap(({ node_id }) => node_id ?? []),
  ])
  return {
    validators: network.validators.filter(({ node_id, subnet }) => machines(node_id) || isNamed.subnet(subnet)),
    nodes: network.nodes.filter(({ name, node_id = '' }) => isNamed.node(name) || machines(node_id)),
    chains: network.chains.filter(({ name }) => among(chains)(name)),
    subnets: network.subnets.filter(({ name }) => isNamed.subnet(name)),
    wallets: network.addresses.filter(({ name }) => among(wallets)(name)),
  }
}

function inSet(names: readonly string[] = []): (name: string) => boolean {
  const set = new Set(names)
  return (name) => set.has(name)
}
