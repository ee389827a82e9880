// What maintenance windows cover, and the series that say so. A window over a machine covers all that runs on it: a validator
// covers its node and what else the node validates, and the other way round.

import type { MaintenanceWindow } from '../config/maintenance.ts'
import type { Config, Network, Validator } from '../config/schema.ts'
import { type Phase, phaseOf } from '../judgements/maintenance.ts'
import { ofAddress, ofChain, ofSubnet, ofUpstream, ofValidator, ofWindow, type Sample } from '../metrics/define.ts'
import { least } from '../lib/extremes.ts'

const active = ofWindow.gauge('stakewatch_maintenance_active', {
  help: 'Whether the maintenance window of the configuration is open (1) or not (0).',
})
const start = ofWindow.gauge('stakewatch_maintenance_start_timestamp_seconds', {
  help: 'Start of the open maintenance window, else of the next one; absent if there is none.',
})
const end = ofWindow.gauge('stakewatch_maintenance_end_timestamp_seconds', {
  help: 'End of the open maintenance window, else of the next one; absent if there is none.',
})

const inMaintenance = (thing: string) => ({
  help: `Whether a maintenance window suppresses alerts about the ${thing}, until its grace has passed: 1 or 0.`,
  labels: ['window'] as const,
})
const validatorIn = ofValidator.gauge('stakewatch_validator_in_maintenance', inMaintenance('validator'))
const nodeIn = ofUpstream.gauge('stakewatch_node_in_maintenance', inMaintenance('node'))
const chainIn = ofChain.gauge('stakewatch_chain_in_maintenance', inMaintenance('chain'))
const subnetIn = ofSubnet.gauge('stakewatch_subnet_in_maintenance', inMaintenance('subnet'))
const walletIn = ofAddress.gauge('stakewatch_address_in_maintenance', inMaintenance('wallet'))
const planned = ofValidator.gauge('stakewatch_maintenance_validator_down', {
  help: 'Always 1: the validator may be down when this window starts, because of it or of one that is then open.',
  labels: ['window'],
})

export const maintenanceMetrics = [active, start, end, validatorIn, nodeIn, chainIn, subnetIn, walletIn, planned]

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

/** Its samples hold until `until`, unless the clock is set back before `since` (milliseconds since the epoch). */
export function maintenanceAt({ networks }: Pick<Config, 'networks'>, now: number) {
  const all = networks.map((network) => ({ network, windows: plannedIn(network, now) }))
  return {
    samples: all.flatMap(({ network, windows }) => networkSamples(network, windows)),
    since: now,
    until: least(all.flatMap(({ windows }) => windows.map(({ phase }) => phase.until))),
  }
}

interface Planned {
  window: MaintenanceWindow
  phase: Phase
  covered: Covered
}

const plannedIn = (network: Network, now: number): Planned[] =>
  network.maintenance.map((window) => ({ window, phase: phaseOf(window, now), covered: coveredBy(window, network) }))

function networkSamples(network: Network, all: readonly Planned[]): Sample[] {
  // Of several shards, only the one that has the subnets reports on the windows themselves.
  const isOwn = network.subnets.length > 0
  return all.flatMap((one) => [
    ...(isOwn ? windowSamples(network.name, one) : []),
    ...coveredSamples(network.name, one),
    ...downAtStart(one, all).map(({ node_id, name, subnet }) =>
      planned.sample({ network: network.name, subnet, node_id, validator: name, window: one.window.name }, 1),
    ),
  ])
}

function windowSamples(network: string, { window, phase: { isOpen, occurrence } }: Planned): Sample[] {
  const labels = { network, window: window.name }
  return [
    active.sample(labels, isOpen ? 1 : 0),
    ...(occurrence ? [start.sample(labels, occurrence.start / 1_000), end.sample(labels, occurrence.end / 1_000)] : []),
  ]
}

function coveredSamples(network: string, { window, phase, covered }: Planned): Sample[] {
  const labels = { network, window: window.name }
  const value = phase.isQuiet ? 1 : 0
  const { validators, nodes, chains, subnets, wallets } = covered
  return [
    ...validators.map(({ node_id, name, subnet }) =>
      validatorIn.sample({ ...labels, subnet, node_id, validator: name }, value),
    ),
    ...nodes.map(({ name }) => nodeIn.sample({ ...labels, source: name }, value)),
    ...chains.map(({ name }) => chainIn.sample({ ...labels, chain: name }, value)),
    ...subnets.map(({ name }) => subnetIn.sample({ ...labels, subnet: name }, value)),
    ...wallets.map(({ name }) => walletIn.sample({ ...labels, address: name }, value)),
  ]
}

/** Validators of the window, and of those that are open when it starts. */
function downAtStart({ phase: { occurrence }, covered }: Planned, all: readonly Planned[]): Validator[] {
  if (!occurrence) return []
  const others = all.filter(({ phase }) => {
    const { start: from = Infinity, end: to = 0 } = phase.occurrence ?? {}
    return from <= occurrence.start && occurrence.start < to
  })
  return [...new Set([...covered.validators, ...others.flatMap((one) => one.covered.validators)])]
}
