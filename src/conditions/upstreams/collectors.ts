// Collectors that fail although their upstreams answer.

import { collectorsByService } from '../../alerts/collectors-by-service.ts'
import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { HEALTH_READS, isUnhealthy } from '../health.ts'
import { allNodesInMaintenance } from '../maintenance.ts'
import { isService, nodesOf } from '../nodes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { changedAt, greatest } from '../track.ts'
import { isUnsteady, unsteadinessOfNodes, UNSTEADY_READS } from './unsteady.ts'
import { areNodesUnready, isLimitedWithin, isOverBudget, UPSTREAM_READS, wasAway } from '../upstreams.ts'
import type { Remembered, View } from '../view.ts'
import { INTERVAL } from '../runs.ts'

const LAST_SUCCESS = 'stakewatch_collector_last_success_timestamp_seconds'

/** Since when it has been configured. */
const configured: Remembered = {
  name: 'collector_configured',
  of: 'run',
  for: HOUR,
  read: (view) => (view.has(INTERVAL) ? 1 : undefined),
}

/** What the nodes of a network have in common. Every node remembers it, because there may be no samples of the network itself. */
const ofNetwork = (name: string, is: (network: View) => boolean): Remembered => ({
  name,
  of: 'node',
  for: HOUR,
  read: (node) => Number(node.of('network').fact(is)),
})
const allUnready = ofNetwork('all_nodes_unready', areNodesUnready)
const allMaintained = ofNetwork('all_nodes_in_maintenance', allNodesInMaintenance)
const remembered = [configured, allUnready, allMaintained]

const happenedTo = (node: View, remembered: Remembered) => greatest(node.track(remembered), node.now, HOUR) === 1

/** The node is unavailable or unhealthy, so that its reports are missing. */
const isNodeSilent = (node: View) =>
  wasAway(node) || isUnsteady(node) || isLimitedWithin(node, 15 * MINUTE) || isUnhealthy(node)

/** The service is unavailable, or was rate limited within the hour: hourly collectors may still be affected. */
const isServiceSilent = (service: View) =>
  wasAway(service) || isUnsteady(service) || isLimitedWithin(service, 15 * MINUTE) || isLimitedWithin(service, HOUR)

/** No node can be asked instead of another. */
const areNodesSilent = (network: View) =>
  unsteadinessOfNodes(network) !== undefined ||
  network
    .fact(nodesOf)
    .some(
      (node) =>
        happenedTo(node, allUnready) ||
        happenedTo(node, allMaintained) ||
        isLimitedWithin(node, 15 * MINUTE) ||
        isOverBudget(node),
    )

/** The collectors that ask nodes or one of the services. */
const asking = {
  node: new Set<string>(collectorsByService.node),
  data: new Set<string>(collectorsByService.data),
  metrics: new Set<string>(collectorsByService.metrics),
}
const services = { data: 'data-api', metrics: 'metrics-api' } as const

/** There are conditions about the upstreams that it asks. Problems of one node excuse only the collectors of that node. */
function isExcused(run: View): boolean {
  const { collector = '', source = '' } = run.labels
  const network = run.of('network')
  const node = run.of('node', { source })
  if (source === '' && asking.node.has(collector) && network.fact(areNodesSilent)) return true
  if (source !== '' && !isService(node) && node.fact(isNodeSilent)) return true
  return (['data', 'metrics'] as const).some(
    (kind) => asking[kind].has(collector) && run.of('node', { source: services[kind] }).fact(isServiceSilent),
  )
}

export const collectorFailing: Condition = {
  alert: 'StakewatchCollectorFailing',
  panel: 'self: Collectors',
  severity: 'warning',
  for: 2 * MINUTE,
  quietFor: 'node',
  reads: [INTERVAL, LAST_SUCCESS, ...remembered, ...UPSTREAM_READS, ...UNSTEADY_READS, ...HEALTH_READS],
  judge: {
    run(view) {
      const interval = view.value(INTERVAL)
      // The last success survives restarts. One that never succeeded counts from when it was configured.
      const since = view.value(LAST_SUCCESS) ?? changedAt(view.track(configured))
      if (interval === undefined || since === undefined) return NOT_APPLICABLE
      const age = view.now - since
      const { collectorIntervals, collectorFailing } = view.limits
      const isLate = age > Math.max(collectorIntervals * interval, collectorFailing)
      return isLate && !isExcused(view) ? problem(age) : OK
    },
  },
  title: '{{ $labels.collector }} fails: {{ $labels.target }}',
  summary: 'A collector has failed for several intervals.',
  action: 'Look for {{ $labels.collector }} in the log of stakewatch: it has the reason.',
  description:
    'Collector {{ $labels.collector }} for {{ $labels.network }}/{{ $labels.target }}{{ with $labels.source }} on {{ . }}{{ end }} has not succeeded for {{ humanizeDuration $value }}, although its upstream answers. Its series disappear when they get too old, and alerts that need them cannot fire.',
}
