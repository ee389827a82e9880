// Selectors of our metrics, narrowed by every variable of the dashboard that is a label of theirs.

import { collectors } from '../../src/collectors/index.ts'
import { daemonMetrics } from '../../src/metrics/daemon.ts'
import { createSelf } from '../../src/metrics/self.ts'
import { trackedMetrics } from '../../src/scheduler/tracked.ts'

/** In the order in which they stand on the dashboard: each narrows those after it. */
export const narrowing = ['job', 'instance', 'network', 'subnet', 'validator', 'chain'] as const

const catalogue = new Map(
  [...collectors.flatMap(({ metrics }) => metrics), ...daemonMetrics, ...trackedMetrics, ...createSelf('').metrics].map(
    (metric) => [metric.name, metric],
  ),
)

/** A selector of `name`; `matchers` narrow it further. */
export function select(name: string, ...matchers: readonly string[]): string {
  const metric = catalogue.get(name) ?? catalogue.get(name.replace(/_(bucket|sum|count)$/, ''))
  if (metric === undefined) throw new Error(`no such metric: ${name}`)
  const labels = new Set(['job', 'instance', ...metric.labels])
  const all = [...narrowing.filter((label) => labels.has(label)).map((label) => `${label}=~"$${label}"`), ...matchers]
  return `${name}{${all.join(', ')}}`
}

/** One series per object also where several instances of stakewatch watch the same. */
export function one(by: string, name: string, ...matchers: readonly string[]): string {
  return `max by (${by}) (${select(name, ...matchers)})`
}

/** The objects whose labels make a series. */
export const VALIDATOR = 'network, subnet, node_id, validator'
export const SUBNET = 'network, subnet'
export const CHAIN = 'network, chain'
export const RUN = 'network, collector, source, target'
