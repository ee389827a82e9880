// Runs of collectors: which there are, and when they last succeeded at each upstream.

import type { View } from './view.ts'

const SUCCESS = 'stakewatch_collector_last_success_timestamp_seconds'

/** It has one while it is configured. */
export const INTERVAL = 'stakewatch_collector_interval_seconds'

export const RUN_READS = [SUCCESS]

const keyOf = (collector: string, source: string) => `${collector}\n${source}`

/** The last successes in the network, on any target. */
function successes(network: View): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  for (const run of network.every('run')) {
    const time = run.value(SUCCESS)
    const key = keyOf(run.labels['collector'] ?? '', run.labels['source'] ?? '')
    if (time !== undefined && time > (last.get(key) ?? -Infinity)) last.set(key, time)
  }
  return last
}

/**
 * When the collector last asked this node (seconds since the epoch). Ages are relative to that time, not to now: during an
 * outage of the node, what is known of it gets old, but the thing itself may not.
 */
export const askedAt = (node: View, collector: string): number | undefined =>
  node.of('network').fact(successes).get(keyOf(collector, node.labels['source']!))

/** The runs of one collector: a fact of the network. */
export const runsOf = (collector: string) => (network: View) => network.fact(runsByCollector).get(collector) ?? []

/** The collectors that run for the network. */
export const runningCollectors = (network: View): ReadonlySet<string> => new Set(network.fact(runsByCollector).keys())

const runsByCollector = (network: View): ReadonlyMap<string, readonly View[]> =>
  Map.groupBy(network.every('run'), ({ labels }) => labels['collector']!)
