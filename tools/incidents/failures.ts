// Collectors that fail although nothing in the incident explains it: defects that no alert has to notice.

import { alertingMetrics } from '../../src/alerts/rules.ts'
import { collectors } from '../../src/collectors/index.ts'
import type { Incident, Order } from './incident.ts'
import type { Scenery } from './stage.ts'

interface Failing {
  collector: string
  /** The node that it asks, of an opinion. */
  source: string | undefined
  labels: string
  /** Minutes of the incident. */
  from: number
  until: number
}

interface Faulty {
  minute: number
  server: string
  operation?: string
}

const alerting = alertingMetrics().metrics
const SERVICES: readonly string[] = ['data', 'metrics']

/** Nodes that are asked, by the scenery. */
const nodesOf = ({ nodes = 2 }: Scenery): readonly string[] =>
  nodes === 'bystander' ? ['node-c'] : ['node-a', 'node-b', 'node-c'].slice(0, nodes)

/**
 * Whether what the collector asks was broken before it failed, its own node or all of them. It may be repaired by then: an
 * hourly collector shows its failure until it runs again.
 */
function isExplained(
  { collector, source, from }: Failing,
  orders: readonly Faulty[],
  nodes: readonly string[],
): boolean {
  const uses = collectors.find(({ name }) => name === collector)?.uses ?? []
  const isBroken = (server: string) =>
    orders.some((order) => {
      const service = SERVICES.includes(server) ? server : 'node'
      const asked = uses.filter((one) => one.service === service)
      const isIt = order.server === server && order.minute <= from
      return isIt && asked.some(({ name }) => order.operation === undefined || name === order.operation)
    })
  return SERVICES.some(isBroken) || (source === undefined ? nodes.every(isBroken) : isBroken(source))
}

/** Faults of servers, and actions that change a node. */
const faultsOf = (orders: Readonly<Record<number, readonly Order[]>>): Faulty[] =>
  Object.entries(orders).flatMap(([minute, some]) =>
    some.flatMap((order) => {
      const body = ('body' in order ? (order.body ?? {}) : {}) as Partial<Faulty & { node: string }>
      const { server = body.node, operation } = body
      return server === undefined ? [] : [{ minute: Number(minute), server, ...(operation && { operation }) }]
    }),
  )

/** Watches one play. */
export function createFailures(
  { fails = [], scenery = {} }: Incident,
  orders: Readonly<Record<number, readonly Order[]>>,
) {
  const failing = new Map<string, Failing>()
  const miscounts: string[] = []
  // A budget that the scene sets is too small from the beginning.
  const overBudget = scenery.budget === undefined ? [] : [{ minute: -Infinity, server: 'data' }]
  const faults = [...overBudget, ...faultsOf(orders)]
  const label = (name: string, labels: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1]

  return {
    /** What a scrape said in a minute. */
    see({ name, labels, value }: { name: string; labels: string; value: number }, minute: number): void {
      if (name !== 'stakewatch_collector_success' || value !== 0) return
      const known = failing.get(labels)
      if (known) known.until = minute
      else {
        const collector = label('collector', labels)!
        failing.set(labels, {
          collector,
          source: label('source', labels) || undefined,
          labels,
          from: minute,
          until: minute,
        })
      }
    },
    /** Holds what the daemon says of the series that rules read against the scrape itself. */
    count(lines: readonly string[], minute: number): void {
      const said = lines.find((line) => line.startsWith('stakewatch_alerting_series{'))?.split(' ')[1]
      const served = lines.filter((line) => alerting.has(line.slice(0, line.search(/[{ ]/)))).length
      if (said !== undefined && Number(said) !== served) {
        miscounts.push(`minute ${minute}: ${said} series are said to be read by rules, ${served} are served`)
      }
    },
    unexplained: () => [
      ...miscounts,
      ...[...failing.values()]
        .filter((one) => !fails.includes(one.collector) && !isExplained(one, faults, nodesOf(scenery)))
        .map(({ labels, from, until }) => `a collector fails in minutes ${from} to ${until}: {${labels}}`),
    ],
  }
}
