// The maintenance windows and what they cover, from the configuration and their published metrics.

import type { Readings } from '../../conditions/board.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Config, Network } from '../../config/schema.ts'
import { coveredBy, isWhole } from '../../maintenance/coverage.ts'
import { median } from '../../lib/statistics.ts'
import { suppressionMetrics, windowMetrics } from '../../maintenance/metrics.ts'
import { MAY_STOP, ofValidator } from './metric-names.ts'
import { groupReadings, keyOf, type MaintainedKind, type OwnReadings, type Votes, votersIn } from './readings.ts'
import type { Maintenance } from './status-schema.ts'

interface Input {
  config: Pick<Config, 'networks'>
  readings: Readings
  /** In seconds. */
  now: number
}

type Kind = Exclude<MaintainedKind, 'machine'>

/** The labels that name an object of each kind. */
const names: Readonly<Record<Kind, readonly string[]>> = {
  validator: ['subnet', 'node_id'],
  node: ['source'],
  chain: ['chain'],
  subnet: ['subnet'],
  wallet: ['address'],
}

/** Finds the window that suppresses alerts about an object, as the rules do; null if none does. */
export function inMaintenance(readings: Readings) {
  const windows = new Map<string, string>()
  for (const [kind, labels] of Object.entries(names) as [Kind, readonly string[]][]) {
    for (const { labels: of, value } of readings.get(suppressionMetrics[kind].name) ?? []) {
      const name = labels.map((label) => of[label] ?? '')
      if (value !== 1) continue
      const [network, window] = [of['network'] ?? '', of['window'] ?? '']
      windows.set(keyOf(kind, network, ...name), window)
      if (kind === 'validator') windows.set(keyOf('machine', network, of['node_id'] ?? ''), window)
    }
  }
  // A machine is named by its node id: what runs on it is in maintenance with each of its validators.
  return (kind: MaintainedKind, network: string, ...name: readonly string[]): string | null =>
    windows.get(keyOf(kind, network, ...name)) ?? null
}

const ofWindow = [...Object.values(suppressionMetrics), ...Object.values(windowMetrics)].map(({ name }) => name)

/** The open windows first, then those that are next; those that never open again come last. */
export function maintenanceOf({ config, readings, now }: Input): Maintenance[] {
  const windowOf = groupReadings(readings, ofWindow, ['network', 'window'])
  const costs = [MAY_STOP, ofValidator.end]
  const validatorOf = groupReadings(readings, costs, ['network', 'subnet', 'node_id'])
  const votes = votersIn(readings) ?? (() => true)
  const all = config.networks.flatMap((network) =>
    network.maintenance.map((window) => {
      const own = windowOf(network.name, window.name)
      const times = timesOf(own, now)
      return {
        ...times,
        ...coverageOf(network, window, (...key) =>
          mayStopFor(validatorOf(...key), votes, times.start_timestamp_seconds),
        ),
      }
    }),
  )
  const start = (one: Maintenance) => one.start_timestamp_seconds ?? Infinity
  return all.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state) || start(a) - start(b))
}

const states: readonly Maintenance['state'][] = ['open', 'recovering', 'next', 'unknown', 'over']

type Times = Pick<Maintenance, 'state' | 'start_timestamp_seconds' | 'end_timestamp_seconds' | 'left_seconds'>

function timesOf(own: OwnReadings, now: number): Times {
  const [start, end] = [own.value(windowMetrics.start.name), own.value(windowMetrics.end.name)]
  return {
    state: stateOf(own, start),
    start_timestamp_seconds: start,
    end_timestamp_seconds: end,
    left_seconds: start === null || end === null ? null : Math.max(0, end - Math.max(start, now)),
  }
}

function stateOf(own: OwnReadings, start: number | null): Maintenance['state'] {
  const isOpen = own.flag(windowMetrics.active.name)
  if (isOpen === null) return 'unknown'
  if (isOpen) return 'open'
  const isQuiet = Object.values(suppressionMetrics).some(({ name }) => own.all(name).some(({ value }) => value === 1))
  if (isQuiet) return 'recovering'
  return start === null ? 'over' : 'next'
}

function coverageOf<Cost>(
  network: Network,
  window: MaintenanceWindow,
  cost: (...key: readonly [string, string, string]) => Cost,
) {
  const { validators, nodes, chains, subnets, wallets } = coveredBy(window, network)
  const namesOf = (things: readonly { name: string }[]) => things.map(({ name }) => name)
  return {
    network: network.name,
    window: window.name,
    whole_network: isWhole(window),
    validators: validators.map(({ name, subnet, node_id }) => ({
      name,
      subnet,
      node_id,
      may_stop_seconds: cost(network.name, subnet, node_id),
    })),
    nodes: namesOf(nodes),
    chains: namesOf(chains),
    subnets: namesOf(subnets),
    wallets: namesOf(wallets),
  }
}

/** The nodes that vote decide, all where none does, as in the alert rule. What is left of a period says nothing about the next. */
function mayStopFor(own: OwnReadings, votes: Votes, start: number | null): number | null {
  const end = own.value(ofValidator.end)
  if (end !== null && start !== null && end <= start) return null
  const all = own.all(MAY_STOP)
  const voting = all.filter(({ labels }) => votes(labels['network'] ?? '', labels['source'] ?? ''))
  return median((voting.length > 0 ? voting : all).map(({ value }) => value))
}
