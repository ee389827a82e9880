// Validators on which the nodes disagree, which none of them watches, or which do not answer the data service.

import { named, validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem } from '../condition.ts'
import { connectedShare, CONNECTION_READS, isTracked, L1_CONNECTION_READS, l1ConnectedShare } from './connections.ts'
import { machinesBy } from '../machines.ts'
import { lostShare, REWARD_READS } from '../validator-votes.ts'
import { INTERVAL, runsOf } from '../runs.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { AWAY_READS, FAILING_READS, isAnyNodeAway, isFailing } from '../upstreams.ts'
import type { View } from '../view.ts'
import { IN_SET, TRACKED } from '../nodes.ts'

const OBSERVERS = 'stakewatch_validator_observers'
const L1_CONNECTED = 'stakewatch_l1_validator_connected'
const L1_CHAIN = 'stakewatch_l1_chain_state'
const BLOCKCHAINS = 'stakewatch_subnet_blockchains'
const REACHABLE = 'stakewatch_validator_listed_reachable_ratio'

export const observersDisagree: Condition = {
  alert: 'StakewatchObserversDisagree',
  panel: 'validator: Connection by observer',
  severity: 'warning',
  for: 25 * MINUTE,
  quietFor: 'validator',
  reads: [...CONNECTION_READS, ...L1_CONNECTION_READS, ...REWARD_READS],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      // A majority is covered by other conditions, and a minority is outvoted.
      const isTied = [connectedShare, l1ConnectedShare, lostShare].some((share) => view.fact(share) === 0.5)
      return isTied ? problem(0.5) : OK
    },
  },
  title: '{{ $labels.validator }}: observers are split',
  summary: 'Half of the nodes that watch the validator report it as disconnected or its reward as lost.',
  action: 'Check /ext/health of {{ $labels.validator }}, then the network of the nodes that report it as away.',
  description: `Half of the nodes that watch validator ${validator} report that it is disconnected or that its reward is lost; the other half does not. A tie does not page: check the validator, and add a node to get a majority.`,
}

/** Machines that are the only configured node of their network. */
const aloneMachines = (network: View) => network.fact(observedMachines).filter(({ value }) => value === 0)
const observedMachines = machinesBy(OBSERVERS)

/** Subnets whose validators the nodes are asked about. */
const watchedSubnets = (network: View): ReadonlySet<string> =>
  new Set(
    network
      .fact(livenessRuns)
      .filter((run) => run.has(INTERVAL))
      .map(({ labels }) => labels['target']!),
  )
const livenessRuns = runsOf('l1-liveness')

/**
 * The subnet has no chain yet. Or a node bootstraps its chain, failed to run it or could not be asked: that is an alert of its
 * own.
 */
function isExcused(subnet: View): boolean {
  if (subnet.value(BLOCKCHAINS) === 0) return true
  const isStuck = subnet
    .all(L1_CHAIN)
    .some(({ labels, value }) => value === 1 && ['bootstrapping', 'dead', 'failed'].includes(labels['state']!))
  return isStuck || isFailing(subnet.of('network'), (target) => target === subnet.labels['subnet'])
}

/** A tracked validator of a subnet whose connection no node reports, although nodes are asked for it. */
function isUnwatched(view: View): boolean {
  if (!isTracked(view) || view.value(IN_SET) !== 1 || view.has(L1_CONNECTED)) return false
  return view.of('network').fact(watchedSubnets).has(view.labels['subnet']!) && !view.of('subnet').fact(isExcused)
}

const unwatched = (network: View) =>
  network.fact(isAnyNodeAway) ? [] : [...network.every('validator')].filter(isUnwatched)

export const validatorUnobserved: Condition = {
  alert: 'StakewatchValidatorUnobserved',
  panel: 'fleet: Tracked validators',
  severity: 'warning',
  for: 15 * MINUTE,
  quietFor: 'machine',
  parts: ['subnet', 'node_id', 'validator'],
  reads: [TRACKED, IN_SET, OBSERVERS, L1_CONNECTED, L1_CHAIN, BLOCKCHAINS, INTERVAL, ...FAILING_READS, ...AWAY_READS],
  judge: {
    // A validator of several subnets is one machine, so one alert.
    network(network) {
      const alone = network.fact(aloneMachines)
      const ids = new Set(alone.map(({ labels }) => labels['node_id']))
      return onlyParts([
        ...alone.map(({ labels }) => ({ labels, verdict: problem(0) })),
        ...unwatched(network).flatMap(({ labels: { subnet = '', node_id = '', validator = '' } }) =>
          ids.has(node_id) ? [] : { labels: { subnet, node_id, validator }, verdict: problem(1) },
        ),
      ])
    },
  },
  title: '{{ $labels.validator }} has no observer',
  summary: 'No other node watches the validator: its uptime is unknown.',
  action: 'Add another node that watches {{ $labels.validator }} to `nodes`, and reload.',
  description: `{{ if $labels.subnet }}Apart from validator ${named} itself, no configured node runs the chain of {{ $labels.network }}/{{ $labels.subnet }}: stakewatch cannot see whether it is connected. Add another node of that L1.{{ else }}Validator ${named} is the only configured node of {{ $labels.network }}, and a node does not count its own uptime: stakewatch cannot see whether it is connected or whether its reward is safe. Add another node.{{ end }}`,
}

export const validatorUnreachable: Condition = {
  alert: 'StakewatchValidatorUnreachable',
  panel: 'validator: Answers to the data service',
  severity: 'warning',
  for: 25 * MINUTE,
  quietFor: 'validator',
  reads: [REACHABLE, ...CONNECTION_READS],
  judge: {
    validator(view) {
      const reachable = view.value(REACHABLE)
      if (reachable === undefined) return NOT_APPLICABLE
      if (reachable >= view.limits.reachable) return OK
      // The data service has no vote: if half of our nodes or more are disconnected, other conditions apply.
      const connected = view.fact(connectedShare)
      return connected !== undefined && connected <= 0.5 ? OK : problem(reachable)
    },
  },
  title: '{{ $labels.validator }} is hardly reachable',
  summary: "The validator answers few or none of the data service's requests.",
  action:
    'Open the staking port of {{ $labels.validator }} to everybody, and check the public address that it announces.',
  description: `Validator ${validator} answers {{ humanizePercentage $value }} of the requests from the data service's own node. Other validators may have the same problem with it, and they vote on its reward.`,
}
