// What prom-client measures of the process: memory, CPU and the event loop.

import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Metric } from '../metrics/define.ts'
import { type Family, line, renderLabels } from '../metrics/exposition.ts'

/**
 * How often prom-client samples the event loop (milliseconds), which is also the lag of an idle loop. Each sample wakes
 * the process: every 10 ms, the default, takes a third of the CPU of a small configuration.
 */
const LAG_PRECISION = 50

export function measureProcess() {
  const registry = createRegistry()
  return {
    // prom-client keeps the label names and the type as text, which its types do not declare.
    metrics: (registry.getMetricsAsArray() as unknown as Kept[]).map(metricOf),
    families: async () => withoutEmptyMonitor(await renderRegistry(registry)),
  }
}

type Kept = Metric & { labelNames: string[] }

function metricOf({ name, help, type, labelNames }: Kept): Metric {
  return { name, help, type, labels: labelNames }
}

function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION })
  // Gauges that end in _total, which promtool refuses, and others with the label `type`, which is not ours to use.
  const unfit = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('nodejs_active_'))
  for (const { name } of unfit) registry.removeSingleMetric(name)
  return registry
}

/** The families as prom-client itself renders them, sample lines alone. */
export async function renderRegistry(registry: Registry): Promise<Family[]> {
  const encoder = new TextEncoder()
  const families = await registry.getMetricsAsJSON()
  return families.map(({ name, values }) => {
    const lines = values.map((value) => {
      const { metricName = name } = value as { metricName?: string }
      return line(metricName, renderLabels(value.labels as Record<string, string | number>), value.value)
    })
    return { name, lines: [encoder.encode(lines.join(''))], series: lines.length }
  })
}

/** Until the monitor of the event loop has seen a turn, its mean is NaN and its minimum three centuries: unknown. */
function withoutEmptyMonitor(families: Family[]): Family[] {
  const mean = families.find(({ name }) => name === 'nodejs_eventloop_lag_mean_seconds')
  if (!mean || !Buffer.concat(mean.lines).includes('Nan')) return families
  return families.filter(({ name }) => !/^nodejs_eventloop_lag_.+_seconds$/.test(name))
}
