// The process about itself, by prom-client: a handful of series whose number does not depend on the configuration.

import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Metric } from './define.ts'
import { type Family, line, renderLabels } from './exposition.ts'

/**
 * How often the event loop is looked at (milliseconds), and what its lag comes to when nothing holds it up. Each look wakes the
 * process: every 10 ms, as prom-client does by default, they are a third of the CPU of a small configuration.
 */
const LAG_PRECISION = 50

/**
 * Why a connection was closed before its client did: the answer was not read in time, too many requests came at once, or
 * others needed the room.
 */
const cutReasons = ['unread', 'pipelined', 'crowded'] as const

export type CutReason = (typeof cutReasons)[number]

export interface Self {
  metrics: readonly Metric[]
  families(): Promise<Family[]>
  /** Unknown until the rules are loaded. */
  alertingSeries(count: number, list: string): void
  schedulerStalled(isStalled: boolean): void
  pollerRestarted(): void
  httpRequest(handler: string, code: number): void
  connectionCut(reason: CutReason): void
  configLoaded(at: number): void
  webConfigRead(isUsable: boolean): void
  configRefused(): void
}

/** Absent where there is no such file. */
const WEB_CONFIG = 'stakewatch_web_config_last_reload_successful'
const ALERTING_SERIES = 'stakewatch_alerting_series'

/** What alerts need of them is when the process began. */
const ofExporter = /^(process_(?!start_time_seconds$)|nodejs_|stakewatch_http_)/

/** `logLinesDropped` tells how many were lost since the start; `isBare` leaves out what is about the process alone. */
export function createSelf(
  version: string,
  logLinesDropped: () => number = () => 0,
  isBare = false,
  { ordinal, shards: total }: Shard = UNDIVIDED,
): Self {
  const registry = new Registry()
  const registers = [registry]
  const buildInfo = new Gauge({
    name: 'stakewatch_build_info',
    help: 'Version of stakewatch and of the runtime, always 1.',
    labelNames: ['version', 'node_version'],
    registers,
  })
  const shardOrdinal = new Gauge({
    name: 'stakewatch_shard_ordinal',
    help: 'Index of this instance among stakewatch_shards, counted from 0; 0 without shards (--shard).',
    labelNames: ['shard_ordinal'],
    registers,
  })
  const shards = new Gauge({
    name: 'stakewatch_shards',
    help: 'Number of instances that share the configuration; 1 without shards (--shard).',
    registers,
  })
  const reloadSuccessful = new Gauge({
    name: 'stakewatch_config_last_reload_successful',
    help: 'Whether the last load of the configuration succeeded: 1 or 0.',
    registers,
  })
  const reloadTimestamp = new Gauge({
    name: 'stakewatch_config_last_reload_success_timestamp_seconds',
    help: 'When the configuration was last loaded successfully.',
    registers,
  })
  const webConfigSuccessful = new Gauge({
    name: WEB_CONFIG,
    help: 'Whether the file of --web.config.file was usable when last read: 1, or 0 while the previous one stays in effect.',
    registers,
  })
  let hasWebConfig = false
  const alertingSeries = new Gauge({
    name: ALERTING_SERIES,
    help: 'Number of series of this instance that the alert rules of this version read; `list` names their metrics.',
    labelNames: ['list'],
    registers,
  })
  let knowsAlerting = false
  const stalled = new Gauge({
    name: 'stakewatch_scheduler_stalled',
    help: 'Whether the scheduler has not ticked for a minute: 1 or 0; while 1, no polled data is served.',
    registers,
  })
  const restarts = new Counter({
    name: 'stakewatch_poller_restarts_total',
    help: 'How often the poller was restarted because it ran out of memory.',
    registers,
  })
  const requests = new Counter({
    name: 'stakewatch_http_requests_total',
    help: 'HTTP requests to stakewatch by handler and status; 499 if the connection closed before the whole answer was sent.',
    labelNames: ['handler', 'code'],
    registers,
  })
  const cuts = new Counter({
    name: 'stakewatch_http_connections_cut_total',
    help: 'Connections that stakewatch closed: answer not read in time (unread), too many requests at once (pipelined), or no room (crowded).',
    labelNames: ['reason'],
    registers,
  })
  const linesDropped = new Counter({
    name: 'stakewatch_log_lines_dropped_total',
    help: 'Log lines that could not be written, or were not read in time.',
    registers,
  })
  for (const reason of cutReasons) cuts.inc({ reason }, 0)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION })
  // Gauges that end in _total, which promtool refuses, and others with the label `type`, which is not ours to use.
  const unfit = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('nodejs_active_'))
  for (const { name } of unfit) registry.removeSingleMetric(name)
  buildInfo.set({ version, node_version: process.version }, 1)
  shardOrdinal.set({ shard_ordinal: String(ordinal) }, ordinal)
  shards.set(total)

  return {
    // prom-client keeps the label names and the type as text; its types say neither.
    metrics: (registry.getMetricsAsArray() as unknown as (Metric & { labelNames: string[] })[]).map(
      ({ name, help, type, labelNames }) => ({ name, help, type, labels: labelNames }),
    ),
    async families() {
      linesDropped.reset()
      linesDropped.inc(logLinesDropped())
      const families = withoutEmptyMonitor(await renderRegistry(registry))
      const told = isBare ? families.filter(({ name }) => !ofExporter.test(name)) : families
      const unknown = [...(hasWebConfig ? [] : [WEB_CONFIG]), ...(knowsAlerting ? [] : [ALERTING_SERIES])]
      return told.map((family) => (unknown.includes(family.name) ? withoutSeries(family) : family))
    },
    alertingSeries(count, list) {
      knowsAlerting = true
      alertingSeries.set({ list }, count)
    },
    schedulerStalled: (isStalled) => stalled.set(isStalled ? 1 : 0),
    pollerRestarted: () => restarts.inc(),
    httpRequest: (handler, code) => requests.inc({ handler, code: String(code) }),
    connectionCut: (reason) => cuts.inc({ reason }),
    webConfigRead(isUsable) {
      hasWebConfig = true
      webConfigSuccessful.set(isUsable ? 1 : 0)
    },
    configLoaded(at) {
      reloadSuccessful.set(1)
      reloadTimestamp.set(at / 1_000)
    },
    configRefused: () => reloadSuccessful.set(0),
  }
}

function withoutSeries({ name }: Family): Family {
  return { name, lines: new Uint8Array(), series: 0 }
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
    return { name, lines: encoder.encode(lines.join('')), series: lines.length }
  })
}

/** Until the monitor of the event loop has seen a turn, its mean is NaN and its minimum three centuries: unknown. */
function withoutEmptyMonitor(families: Family[]): Family[] {
  const mean = families.find(({ name }) => name === 'nodejs_eventloop_lag_mean_seconds')
  if (!mean || !new TextDecoder().decode(mean.lines).includes('Nan')) return families
  return families.filter(({ name }) => !/^nodejs_eventloop_lag_.+_seconds$/.test(name))
}
