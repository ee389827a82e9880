// Upstreams that are down.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { isShortageKnown } from '../validators/connections.ts'
import { MAINTENANCE_READS, nodeInMaintenance } from '../maintenance.ts'
import { HEALTH_READS, isUnhealthy } from '../health.ts'
import { isForeign, isIsolated, isOwn, isService, nodesOf, UP } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { areNodesDown, AWAY_READS, isRateLimited, isRefusing } from '../upstreams.ts'
import type { View } from '../view.ts'

/** Another replica or shard has asked it within minutes and it has answered. One that asks each hour has not noticed an outage yet. */
const ANSWERS = `${UP} == 1 and on (job, instance, network, source) increase(stakewatch_upstream_requests_total[3m]) > 0`

/** Every node that answers has lost its peers: it sees no validator. */
function areNodesIsolated(network: View): boolean {
  const answering = network.fact(nodesOf).filter((node) => node.value(UP) === 1)
  const isBlind = (node: View) => node.fact(isIsolated) && !isForeign(node) && !node.fact(isShortageKnown)
  return answering.length > 0 && answering.every(isBlind)
}

/** One of the nodes is a tracked validator with a page about it, which a maintenance window would quiet. */
const isOwnUnhealthy = (network: View) =>
  network.fact(nodesOf).some((node) => node.fact(isUnhealthy) && node.fact(isOwn) && !node.fact(nodeInMaintenance))

export const nodesDown: Condition = {
  alert: 'StakewatchNodesDown',
  panel: 'self: Upstreams',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'nodes',
  refutedBy: { on: ['job', 'network'], series: `stakewatch_node_votes == 1 and ${ANSWERS}` },
  reads: [...HEALTH_READS, ...MAINTENANCE_READS],
  judge: {
    network(view) {
      if (view.fact(nodesOf).length === 0) return NOT_APPLICABLE
      // If one of the nodes is a tracked validator, its own page covers lost peers.
      const isDown = view.fact(areNodesDown) || (areNodesIsolated(view) && !isOwnUnhealthy(view))
      return isDown ? problem(0) : OK
    },
  },
  title: '{{ $labels.network }}: no node is usable',
  summary: 'No node of the network is usable: stakewatch cannot see the validators.',
  action: 'Start the nodes of {{ $labels.network }} that are down, the validators first.',
  description:
    'Every node configured for {{ $labels.network }} is unreachable or has lost its peers. Its validators may run well: stakewatch cannot see them, and no other alert about them can fire.',
}

export const upstreamDown: Condition = {
  alert: 'StakewatchUpstreamDown',
  panel: 'self: Upstreams',
  severity: 'warning',
  for: 15 * MINUTE,
  quietFor: 'node',
  refutedBy: { on: ['job', 'network', 'source'], series: ANSWERS },
  reads: AWAY_READS,
  judge: {
    node(view) {
      if (!view.has(UP)) return NOT_APPLICABLE
      if (view.value(UP) !== 0) return OK
      // StakewatchNodesDown covers all nodes; other alerts cover upstreams that reject or rate limit us.
      if (!isService(view) && view.of('network').fact(areNodesDown)) return OK
      return isRefusing(view) || isRateLimited(view) ? OK : problem(0)
    },
  },
  title: '{{ $labels.source }} does not answer',
  summary: 'A node, the data service or the metrics service is down.',
  action:
    'Check that {{ $labels.source }} runs, by its status page if it is a service, and that stakewatch reaches its port.',
  description:
    '{{ $labels.source }} on {{ $labels.network }} does not answer stakewatch. Everything that only it reports is missing.',
}
