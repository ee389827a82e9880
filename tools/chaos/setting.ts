// What is watched: one simulated network, seen through as many networks of the configuration as there are proxies for.

import { parse, stringify } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { configFor } from '../../src/simulator/demo-config.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'

export interface Budget {
  per_minute: number
  per_day: number
}

/** What may happen to a network of the configuration. */
export interface NetworkRole {
  name: string
  /** Request units of its data service. */
  budget: Budget
  /** `healthy` is never touched; `honest` is broken, but what looks like an answer is the truth; `lying` is not. */
  role: 'healthy' | 'honest' | 'lying'
}

export interface Upstream {
  network: string
  /** Label `source`. */
  source: string
  service: 'node' | 'data' | 'metrics'
  /** Where it is in truth. */
  target: string
}

export function upstreamsOf(simulator: Simulator, network: string): Upstream[] {
  return [
    ...simulator.nodes.map(({ name, url }) => ({ network, source: name, service: 'node' as const, target: url })),
    { network, source: 'data-api', service: 'data', target: simulator.dataUrl },
    { network, source: 'metrics-api', service: 'metrics', target: simulator.metricsUrl },
  ]
}

/** How often each collector runs, in seconds: short, so that there are many requests to break. */
export interface Pace {
  usual: number
  unusual: Readonly<Record<string, number>>
}

/** More than what a network costs, also in its first minute. */
export const AMPLE: Budget = { per_minute: 6_000, per_day: 8_000_000 }
/** Less than what it costs: it is asked less often than configured. */
export const TIGHT: Budget = { per_minute: 1_800, per_day: 8_000_000 }

/** The text of the configuration file. `urlOf` gives the proxy of an upstream. */
export function configText(
  simulator: Simulator,
  networks: readonly NetworkRole[],
  urlOf: (network: string, source: string) => string,
  { pace, timeout }: { pace: Pace; timeout: string },
): string {
  const names = collectors.map(({ name }) => name)
  const all = networks.map(({ name, budget }) => {
    const nodes = simulator.nodes.map((node) => ({ ...node, url: urlOf(name, node.name) }))
    const services = { dataUrl: urlOf(name, 'data-api'), metricsUrl: urlOf(name, 'metrics-api') }
    const { networks: [only] = [] } = parse(configFor(nodes, services, simulator.world, names)) as {
      networks?: Record<string, object>[]
    }
    const data = { ...only!['data_api'], network: 'fuji', budget }
    return { ...only, name, network: 'fuji', data_api: data }
  })
  const settings = names.map((name) => [name, { enabled: true, every: `${pace.unusual[name] ?? pace.usual}s` }])
  return stringify({ networks: all, defaults: { timeout }, collectors: Object.fromEntries(settings) })
}
