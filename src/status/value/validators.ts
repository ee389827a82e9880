// The tracked validators, from their published metrics.

import type { Readings } from '../../conditions/board.ts'
import type { Network } from '../../config/schema.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { ofObserver, ofTurns, ofUpstream, ofValidator } from './metric-names.ts'
import {
  type Alerted,
  groupReadings,
  keyOf,
  type OwnReadings,
  type ValidatorVotes,
  votersIn,
  type Votes,
} from './readings.ts'
import type { Observer, Validator } from './status-schema.ts'
import { turnsIn } from './turns.ts'

export function validatorsOf({
  config: { networks },
  readings,
  turnsOf,
  votesOf,
  now,
  ...about
}: Alerted): Validator[] {
  const { alerts, maintenance } = about
  const metrics = [...Object.values(ofValidator), ...Object.values(ofObserver), ofTurns.turns]
  const readingsOf = groupReadings(readings, metrics, ['network', 'subnet', 'node_id'])
  const ids = nodeIdsOf(networks, readings)
  // Until it is known who does not vote, all do.
  const votes = votersIn(readings) ?? (() => true)
  return networks.flatMap((network) =>
    network.validators.map((one) => {
      const { node_id, subnet } = one
      const own = readingsOf(network.name, subnet, node_id)
      const observers = observersOf(network, one, own, { ids, votes })
      return {
        ...validatorOf(network, one, own, observers, votesOf({ network: network.name, subnet, node_id })),
        turns: turnsIn({ network, validator: one, own, readings, turnsOf, now }),
        maintenance: maintenance('validator', network.name, subnet, node_id),
        alerts: alerts(network.name, 'node_id', { node_id, subnet }),
      }
    }),
  )
}

type Configured = Network['validators'][number]

/** Node ids by network and node: the configured one, else the one that the node reports. */
function nodeIdsOf(networks: readonly Network[], readings: Readings): ReadonlyMap<string, string> {
  const reported = (readings.get(ofUpstream.node) ?? []).map(
    ({ labels: { network = '', source = '', id = '' } }) => [keyOf(network, source), id] as const,
  )
  const configured = networks.flatMap((network) =>
    network.nodes.flatMap(({ name, node_id: id }) =>
      id === undefined ? [] : [[keyOf(network.name, name), id] as const],
    ),
  )
  return new Map([...reported, ...configured])
}

function validatorOf(
  network: Network,
  { node_id, name, subnet, planned_end }: Configured,
  own: OwnReadings,
  observers: Observer[],
  { connected, budget }: ValidatorVotes,
): Omit<Validator, 'alerts' | 'maintenance' | 'turns'> {
  const kind = own.all(ofValidator.info)[0]?.labels['kind'] ?? null
  const balance = own.value(ofValidator.balance)
  const [start, end] = [own.value(ofValidator.start), own.value(ofValidator.end)]
  const voters = observers.filter(({ votes }) => votes)
  const required = voters.flatMap(({ required_uptime_ratio: one }) => one ?? [])
  const isAllowed = start !== null && end !== null && required.length > 0
  return {
    network: network.name,
    subnet,
    node_id,
    name,
    kind,
    state: stateOf(own, connected),
    observers,
    stake_tokens: own.value(ofValidator.stake),
    weight: own.value(ofValidator.weight),
    start_timestamp_seconds: start,
    end_timestamp_seconds: end,
    planned_end_timestamp_seconds: planned_end ?? null,
    next_period_seconds: own.value(ofValidator.nextPeriod),
    downtime_budget_seconds: budget ?? null,
    // The lowest requirement of any observer, as in the alert rule.
    downtime_allowed_seconds: isAllowed ? toMillis((1 - Math.min(...required)) * (end - start)) : null,
    active: activeOf(own),
    balance_tokens: balance ?? own.value(ofValidator.listedBalance),
    // The end of another balance would contradict it.
    depletion_timestamp_seconds:
      own.value(ofValidator.depletion) ?? (balance === null ? own.value(ofValidator.listedDepletion) : null),
    expectations: own
      .all(ofValidator.expectationMet)
      .map(({ labels, value }) => ({ expectation: labels['expectation'] ?? '', met: value === 1 })),
  }
}

/** What it can still lose by waiting; infinite where that is unknown, or lost already. */
export function secondsLeft(one: Omit<Validator, 'alerts'>, now: number): number {
  const { downtime_budget_seconds: budget, depletion_timestamp_seconds: depletion } = one
  const left = [budget ?? 0, depletion === null ? 0 : depletion - now].filter((seconds) => seconds > 0)
  return Math.min(Infinity, ...left)
}

/** Without a report from a node, the list of the data service counts. */
export function activeOf(own: OwnReadings): boolean | null {
  const active = own.flag(ofValidator.active)
  const listed = own.value(ofValidator.listedBalance)
  return active ?? (listed === null ? null : listed > 0)
}

/** `connected`: the share of the votes. */
function stateOf(own: OwnReadings, connected: number | undefined): Validator['state'] {
  const isInSet = own.flag(ofValidator.inSet)
  if (isInSet === false) return 'not_in_set'
  if (activeOf(own) === false) return 'inactive'
  if (isInSet === null) return 'unknown'
  if (connected === undefined) return 'in_set'
  return connected === 1 ? 'connected' : connected === 0 ? 'disconnected' : 'disputed'
}

/** No node may have this name. */
const DATA_SERVICE = 'data-api'

/**
 * On the primary network: every node that can observe the validator, even if it reports nothing right now. In other subnets, and
 * for services: only the sources that report something.
 */
function observersOf(
  { name: network, nodes, subnets }: Network,
  { node_id, subnet }: Configured,
  own: OwnReadings,
  { ids, votes }: { ids: ReadonlyMap<string, string>; votes: Votes },
): Observer[] {
  const isPrimary = subnets.some(({ id, name }) => id === PRIMARY_NETWORK_ID && name === subnet)
  const expected = isPrimary ? nodes.filter(({ name }) => ids.get(keyOf(network, name)) !== node_id) : []
  const reporting = Object.values(ofObserver).flatMap((metric) =>
    own.all(metric).flatMap(({ labels }) => labels['source'] ?? []),
  )
  return [...new Set([...expected.map(({ name }) => name), ...reporting])].map((source) => ({
    ...observerOf(source, own),
    votes: source !== DATA_SERVICE && votes(network, source),
  }))
}

function observerOf(source: string, own: OwnReadings): Omit<Observer, 'votes'> {
  const value = (metric: string) => own.value(metric, 'source', source)
  const flag = (metric: string) => own.flag(metric, 'source', source)
  const reward = own.all(ofObserver.reward).find(({ labels, value: flag }) => labels['source'] === source && flag === 1)
  return {
    source,
    uptime_ratio: value(ofObserver.uptime) ?? value(ofObserver.l1Uptime) ?? value(ofObserver.listedUptime),
    required_uptime_ratio: value(ofObserver.required),
    connected: flag(ofObserver.connected) ?? flag(ofObserver.l1Connected),
    downtime_budget_seconds: value(ofObserver.budget),
    reward_state: reward?.labels['state'] ?? null,
    reachable_ratio: value(ofObserver.reachable),
  }
}

/** Rounded like the budgets, to hide floating point errors. */
function toMillis(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}
