// Upstreams that keep going down, and networks whose nodes all do at the same time.

import { MAINTENANCE_READS, nodeInMaintenance } from './maintenance.ts'
import { nodesOf } from './nodes.ts'
import { DAY, HOUR, MINUTE } from './time.ts'
import { falls, greatest, growth, mean } from './track.ts'
import { isRateLimited, isRefusing, UPSTREAM_READS, UPSTREAMS_REMEMBER } from './upstreams.ts'
import type { Remembered, View } from './view.ts'

const RESTARTS = 'stakewatch_node_restarts_total'

export const UNSTEADY_READS = [RESTARTS, ...UPSTREAM_READS, ...MAINTENANCE_READS]

/** Whether it answers. A node in maintenance counts as if it did, so that planned outages do not count. */
const unplannedUp = (upstream: View) =>
  upstream.fact(nodeInMaintenance) ? 1 : upstream.value('stakewatch_upstream_up')

/** Whether one of the nodes of the network answers. */
function isAnyUp(network: View): number | undefined {
  const values = network.fact(nodesOf).flatMap((node) => unplannedUp(node) ?? [])
  return values.length === 0 ? undefined : Math.max(...values)
}

const up: Remembered = { name: 'upstream_up_unplanned', of: 'node', for: DAY, read: unplannedUp }
/** Every node remembers it of its network, of which there may be no samples. */
const anyUp: Remembered = {
  name: 'any_node_up_unplanned',
  of: 'node',
  for: DAY,
  read: (node) => isAnyUp(node.of('network')),
}
const restarts: Remembered = { name: 'node_restarts', of: 'node', for: HOUR, read: (view) => view.value(RESTARTS) }
const maintained: Remembered = {
  name: 'node_in_maintenance',
  of: 'node',
  for: HOUR,
  read: (view) => Number(view.fact(nodeInMaintenance)),
}

export const UNSTEADY_REMEMBERS = [...UPSTREAMS_REMEMBER, up, anyUp, restarts, maintained]

/**
 * Share of the last hour, or else of the last day, without an answer. One restart or one long outage does not count: it takes
 * several outages, and for the day, one in the last three hours.
 */
function shareAway(upstream: View, remembered: Remembered): number | undefined {
  const [track, now] = [upstream.track(remembered), upstream.now]
  const { unsteadyHour, unsteadyDay, unsteadyOutages } = upstream.limits
  if (greatest(track, now, 15 * MINUTE) === 0) return undefined
  const away = (span: number) => 1 - (mean(track, now, span) ?? 1)
  const isOften = (span: number) => falls(track, now, span) >= unsteadyOutages
  if (away(HOUR) >= unsteadyHour && isOften(HOUR)) return away(HOUR)
  const isLate = falls(track, now, 3 * HOUR) > 0
  return away(DAY) >= unsteadyDay && isOften(DAY) && isLate ? away(DAY) : undefined
}

/** Starts of a node within an hour, if there are too many and none was planned. */
function startsOf(node: View): number | undefined {
  const count = growth(node.track(restarts), node.now, HOUR) ?? 0
  const wasMaintained = greatest(node.track(maintained), node.now, HOUR) === 1
  return count >= node.limits.nodeRestarts && !wasMaintained ? count : undefined
}

/** The upstream keeps going down, and neither refuses nor limits us. Below 1: share of the time. From 1 on: number of starts. */
function unsteadiness(upstream: View): number | undefined {
  const starts = startsOf(upstream)
  if (starts !== undefined) return starts
  return isRefusing(upstream) || isRateLimited(upstream) ? undefined : shareAway(upstream, up)
}
export const isUnsteady = (upstream: View) => unsteadiness(upstream) !== undefined

/** Share of the time in which no node of the network answered, if all keep going down. */
export function unsteadinessOfNodes(network: View): number | undefined {
  const [node] = network.fact(nodesOf)
  return node && shareAway(node, anyUp)
}
