// The series that say when maintenance windows are open, and about what they suppress alerts.

import { type Covered, coveredBy } from './coverage.ts'
import type { MaintenanceWindow } from './window.ts'
import type { Config, Network, Validator } from '../config/schema.ts'
import { occurrencesFrom, type Phase, phaseOf } from './schedule.ts'
import { ofAddress, ofChain, ofSubnet, ofUpstream, ofValidator, ofWindow, type Sample } from '../metrics/define.ts'
import { least } from '../lib/statistics.ts'

/** Of the window that is open, else of the next one. */
export const windowMetrics = {
  active: ofWindow.gauge('stakewatch_maintenance_active', {
    help: 'Whether the maintenance window of the configuration is open (1) or not (0).',
  }),
  start: ofWindow.gauge('stakewatch_maintenance_start_timestamp_seconds', {
    help: 'Start of the open maintenance window, else of the next one; absent if there is none.',
  }),
  end: ofWindow.gauge('stakewatch_maintenance_end_timestamp_seconds', {
    help: 'End of the open maintenance window, else of the next one; absent if there is none.',
  }),
}

const inMaintenance = (thing: string) => ({
  help: `Whether a maintenance window suppresses alerts about the ${thing}, until its grace has passed: 1 or 0.`,
  labels: ['window'] as const,
})
/** By kind of object. */
export const suppressionMetrics = {
  validator: ofValidator.gauge('stakewatch_validator_in_maintenance', inMaintenance('validator')),
  node: ofUpstream.gauge('stakewatch_node_in_maintenance', inMaintenance('node')),
  chain: ofChain.gauge('stakewatch_chain_in_maintenance', inMaintenance('chain')),
  subnet: ofSubnet.gauge('stakewatch_subnet_in_maintenance', inMaintenance('subnet')),
  wallet: ofAddress.gauge('stakewatch_address_in_maintenance', inMaintenance('wallet')),
}
const planned = ofValidator.gauge('stakewatch_maintenance_validator_down', {
  help: 'Always 1: the validator may be down when this window starts, because of it or of one that is then open.',
  labels: ['window'],
})

export const maintenanceMetrics = [...Object.values(windowMetrics), ...Object.values(suppressionMetrics), planned]

/**
 * What `own`, the part of the configuration that a shard polls, publishes. It holds until `until`, unless the clock is set back before
 * `since` (milliseconds since the epoch). `judged` has the nodes of other shards as well, which ask the same ones.
 */
export function maintenanceAt({ networks }: Networks, now: number, own: Networks = { networks }) {
  const plans = (some: readonly Network[]) => some.map((network) => ({ network, windows: plannedIn(network, now) }))
  const all = plans(own.networks)
  const samples = all.flatMap(({ network, windows }) => networkSamples(network, windows))
  const others = own.networks === networks ? [] : plans(networks)
  return {
    samples,
    judged: [
      ...samples,
      ...others.flatMap(({ network, windows }) => windows.flatMap((one) => nodeSamples(network.name, one))),
    ],
    since: now,
    until: least(all.flatMap(({ windows }) => windows.map(({ phase }) => phase.until))),
  }
}

type Networks = Pick<Config, 'networks'>

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
    windowMetrics.active.sample(labels, isOpen),
    ...windowMetrics.start.ifKnown(labels, occurrence && occurrence.start / 1_000),
    ...windowMetrics.end.ifKnown(labels, occurrence && occurrence.end / 1_000),
  ]
}

function coveredSamples(network: string, { window, phase, covered }: Planned): Sample[] {
  const labels = { network, window: window.name }
  const value = phase.isQuiet
  const { validators, chains, subnets, wallets } = covered
  return [
    ...validators.map(({ node_id, name, subnet }) =>
      suppressionMetrics.validator.sample({ ...labels, subnet, node_id, validator: name }, value),
    ),
    ...nodeSamples(network, { window, phase, covered }),
    ...chains.map(({ name }) => suppressionMetrics.chain.sample({ ...labels, chain: name }, value)),
    ...subnets.map(({ name }) => suppressionMetrics.subnet.sample({ ...labels, subnet: name }, value)),
    ...wallets.map(({ name }) => suppressionMetrics.wallet.sample({ ...labels, address: name }, value)),
  ]
}

function nodeSamples(network: string, { window, phase, covered: { nodes } }: Planned): Sample[] {
  return nodes.map(({ name }) =>
    suppressionMetrics.node.sample({ network, window: window.name, source: name }, phase.isQuiet),
  )
}

/** Validators of the window, and of those that are open when it starts, though they may open and close again before that. */
function downAtStart({ phase: { occurrence }, covered }: Planned, all: readonly Planned[]): Validator[] {
  if (!occurrence) return []
  const others = all.filter(({ window }) => {
    const [then] = occurrencesFrom(window, occurrence.start)
    return then !== undefined && then.start <= occurrence.start
  })
  return [...new Set([...covered.validators, ...others.flatMap((one) => one.covered.validators)])]
}
