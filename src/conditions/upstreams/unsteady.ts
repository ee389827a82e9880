// Upstreams that keep going down, and networks whose nodes all do.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { MAINTENANCE_READS, nodeInMaintenance } from '../maintenance.ts'
import { isNode, isOwn, nodesOf, UP } from '../nodes.ts'
import { DAY, HOUR, MINUTE } from '../../lib/seconds.ts'
import { falls, greatest, growth, mean, type Track } from '../track.ts'
import { AWAY_READS, isRateLimited, isRefusing } from '../upstreams.ts'
import type { Remembered, View } from '../view.ts'

const RESTARTS = 'stakewatch_node_restarts_total'

/** Whether it answers; planned outages do not count. */
const unplannedUp = (upstream: View) => (upstream.fact(nodeInMaintenance) ? 1 : upstream.value(UP))

const steadiness: Remembered = { name: 'upstream_unplanned_up', of: 'node', for: DAY, every: MINUTE, read: unplannedUp }

/** Whether one of the nodes answers. */
const steadinessOfNodes: Remembered = {
  name: 'nodes_unplanned_up',
  of: 'network',
  for: DAY,
  every: MINUTE,
  read(network) {
    const up = network.fact(nodesOf).flatMap((node) => unplannedUp(node) ?? [])
    return up.length === 0 ? undefined : Math.max(...up)
  },
}

const maintained: Remembered = {
  name: 'node_in_maintenance',
  of: 'node',
  for: HOUR,
  read: (view) => (view.fact(nodeInMaintenance) ? 1 : 0),
}

const restartCount: Remembered = { name: 'node_restarts', of: 'node', for: HOUR, read: (view) => view.value(RESTARTS) }

const remembered = [steadiness, steadinessOfNodes, maintained, restartCount]
export const UNSTEADY_READS = [...AWAY_READS, ...MAINTENANCE_READS, RESTARTS, ...remembered]

/**
 * Share of the last hour, or else of the last day, without an answer. One restart or one long outage does not count: it takes
 * several outages, and for the day, one in the last three hours.
 */
function shareAway(track: Track, { now, limits }: View): number | undefined {
  if (greatest(track, now, 15 * MINUTE) === 0) return undefined
  const within = (span: number, least: number) => {
    const away = 1 - (mean(track, now, span) ?? 1)
    return away >= least && falls(track, now, span) >= limits.unsteadyOutages ? away : undefined
  }
  const ofHour = within(HOUR, limits.unsteadyHour)
  if (ofHour !== undefined) return ofHour
  return falls(track, now, 3 * HOUR) > 0 ? within(DAY, limits.unsteadyDay) : undefined
}

/** Starts of a node within an hour, if there are too many. */
function restarts(node: View): number | undefined {
  const count = growth(node.track(restartCount), node.now, HOUR) ?? 0
  const isPlanned = greatest(node.track(maintained), node.now, HOUR) === 1
  return count >= node.limits.nodeRestarts && !isPlanned ? count : undefined
}

/** Below 1: share of the time without an answer. From 1 on: number of starts. Undefined if the upstream is steady. */
function unsteadiness(upstream: View): number | undefined {
  const starts = restarts(upstream)
  if (starts !== undefined) return starts
  return isRefusing(upstream) || isRateLimited(upstream) ? undefined : shareAway(upstream.track(steadiness), upstream)
}

export const isUnsteady = (upstream: View): boolean => unsteadiness(upstream) !== undefined

/** Share of the time in which no node of the network answered, if that happens again and again. */
export const unsteadinessOfNodes = (network: View): number | undefined =>
  shareAway(network.track(steadinessOfNodes), network)

const text =
  '{{ if lt $value 1.0 }}{{ $labels.source }} on {{ $labels.network }} did not answer stakewatch for {{ humanizePercentage $value }} of the last hour or day, in several outages.{{ else }}Node {{ $labels.source }} on {{ $labels.network }} started {{ if eq $value 1.0 }}once{{ else }}{{ $value }} times{{ end }} within an hour.{{ end }}'

const common = {
  panel: 'self: Upstreams',
  for: 2 * MINUTE,
  reads: UNSTEADY_READS,
} as const

const problemIf = (value: number | undefined) => (value === undefined ? OK : problem(value))

export const nodesUnsteady: Condition = {
  ...common,
  reads: [UP, ...MAINTENANCE_READS, steadinessOfNodes],
  alert: 'StakewatchNodesUnsteady',
  severity: 'critical',
  quietFor: 'nodes',
  judge: {
    network: (view) => (view.fact(nodesOf).length === 0 ? NOT_APPLICABLE : problemIf(unsteadinessOfNodes(view))),
  },
  title: '{{ $labels.network }}: all nodes unsteady',
  summary: 'All nodes of the network keep going down at the same time.',
  action: 'Check the line or proxy between stakewatch and the nodes of {{ $labels.network }}.',
  description:
    'No node of {{ $labels.network }} answered stakewatch for {{ humanizePercentage $value }} of the last hour or day, in several outages. During that time stakewatch could not see the validators.',
}

export const ownNodeUnsteady: Condition = {
  ...common,
  alert: 'StakewatchOwnNodeUnsteady',
  severity: 'critical',
  quietFor: 'node',
  explainedBy: ['nodes_unsteady'],
  judge: {
    node: (view) => (isNode(view) && view.fact(isOwn) ? problemIf(unsteadiness(view)) : NOT_APPLICABLE),
  },
  title: '{{ $labels.source }} keeps going down',
  summary: 'A node that is a tracked validator keeps going down.',
  action: 'Look in the log and the kernel log of {{ $labels.source }} for memory or disk that runs out.',
  description: `${text} It is a tracked validator.`,
}

export const upstreamUnsteady: Condition = {
  ...common,
  alert: 'StakewatchUpstreamUnsteady',
  severity: 'warning',
  quietFor: 'node',
  judge: {
    node(view) {
      if (view.fact(isOwn)) return NOT_APPLICABLE
      // The nodes of a network have one alert; a service is not one of them.
      if (isNode(view) && unsteadinessOfNodes(view.of('network')) !== undefined) return OK
      return problemIf(unsteadiness(view))
    },
  },
  title: '{{ $labels.source }} is unsteady',
  summary: 'A node or a service keeps going down.',
  action: 'Look at the log of {{ $labels.source }}, or at its status page if it is a service.',
  description: text,
}
