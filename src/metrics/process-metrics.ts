// Metrics of the process itself, by prom-client: few series, whose number does not depend on the configuration.

import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Metric } from './define.ts'
import { type Family, line, renderLabels } from './exposition.ts'

/**
 * How often prom-client samples the event loop (milliseconds), which is also the lag of an idle loop. Each sample wakes
 * the process: every 10 ms, the default, takes a third of the CPU of a small configuration.
 */
const LAG_PRECISION = 50

/**
 * Why stakewatch closed a connection: the answer was not read in time, too many requests came at once, or the room was
 * needed for others.
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

/** Alerts need only the start time of these. */
const ofExporter = /^(process_(?!start_time_seconds$)|nodejs_|stakewatch_http_)/

/** `logLinesDropped` counts since the start; `isBare` leaves out the metrics of the process alone. */
export function createSelf(
  version: string,
  logLinesDropped: () => number = () => 0,
  isBare = false,
  { ordinal, shards }: Shard = UNDIVIDED,
): Self {
  const registry = new Registry()
  const own = register(registry)
  const unknown = new Set([WEB_CONFIG, ALERTING_SERIES])
  for (const reason of cutReasons) own.cuts.inc({ reason }, 0)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION })
  // Gauges that end in _total, which promtool refuses, and others with the label `type`, which is not ours to use.
  const unfit = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('nodejs_active_'))
  for (const { name } of unfit) registry.removeSingleMetric(name)
  own.buildInfo.set({ version, node_version: process.version }, 1)
  own.shardOrdinal.set({ shard_ordinal: String(ordinal) }, ordinal)
  own.shards.set(shards)

  return {
    // prom-client keeps the label names and the type as text, which its types do not declare.
    metrics: (registry.getMetricsAsArray() as unknown as (Metric & { labelNames: string[] })[]).map(
      ({ name, help, type, labelNames }) => ({ name, help, type, labels: labelNames }),
    ),
    async families() {
      own.linesDropped.reset()
      own.linesDropped.inc(logLinesDropped())
      const families = withoutEmptyMonitor(await renderRegistry(registry))
      const shown = isBare ? families.filter(({ name }) => !ofExporter.test(name)) : families
      return shown.map((family) => (unknown.has(family.name) ? withoutSeries(family) : family))
    },
    alertingSeries(count, list) {
      unknown.delete(ALERTING_SERIES)
      own.alertingSeries.set({ list }, count)
    },
    schedulerStalled: (isStalled) => own.stalled.set(isStalled ? 1 : 0),
    pollerRestarted: () => own.restarts.inc(),
    httpRequest: (handler, code) => own.requests.inc({ handler, code: String(code) }),
    connectionCut: (reason) => own.cuts.inc({ reason }),
    webConfigRead(isUsable) {
      unknown.delete(WEB_CONFIG)
      own.webConfigUsable.set(isUsable ? 1 : 0)
    },
    configLoaded(at) {
      own.reloadSuccessful.set(1)
      own.reloadTimestamp.set(at / 1_000)
    },
    configRefused: () => own.reloadSuccessful.set(0),
  }
}

function register(registry: Registry) {
  const options = (name: string, help: string, labelNames: string[]) => ({
    name,
    help,
    labelNames,
    registers: [registry],
  })
  const gauge = (name: string, help: string, ...labels: string[]) => new Gauge(options(name, help, labels))
  const counter = (name: string, help: string, ...labels: string[]) => new Counter(options(name, help, labels))
  return {
    buildInfo: gauge(
      'stakewatch_build_info',
      'Version of stakewatch and of the runtime, always 1.',
      'version',
      'node_version',
    ),
    shardOrdinal: gauge(
      'stakewatch_shard_ordinal',
      'Index of this instance among stakewatch_shards, counted from 0; 0 without shards (--shard).',
      'shard_ordinal',
    ),
    shards: gauge('stakewatch_shards', 'Number of instances that share the configuration; 1 without shards (--shard).'),
    reloadSuccessful: gauge(
      'stakewatch_config_last_reload_successful',
      'Whether the last load of the configuration succeeded: 1 or 0.',
    ),
    reloadTimestamp: gauge(
      'stakewatch_config_last_reload_success_timestamp_seconds',
      'When the configuration was last loaded successfully.',
    ),
    webConfigUsable: gauge(
      WEB_CONFIG,
      'Whether the file of --web.config.file was usable when last read: 1, or 0 while the previous one stays in effect.',
    ),
    alertingSeries: gauge(
      ALERTING_SERIES,
      'Number of series of this instance that the alert rules of this version read; `list` names their metrics.',
      'list',
    ),
    stalled: gauge(
      'stakewatch_scheduler_stalled',
      'Whether the scheduler has not ticked for a minute: 1 or 0; while 1, no polled data is served.',
    ),
    restarts: counter(
      'stakewatch_poller_restarts_total',
      'How often the poller was restarted because it ran out of memory.',
    ),
    requests: counter(
      'stakewatch_http_requests_total',
      'HTTP requests to stakewatch by handler and status; 499 if the connection closed before the whole answer was sent.',
      'handler',
      'code',
    ),
    cuts: counter(
      'stakewatch_http_connections_cut_total',
      'Connections that stakewatch closed: answer not read in time (unread), too many requests at once (pipelined), or no room (crowded).',
      'reason',
    ),
    linesDropped: counter(
      'stakewatch_log_lines_dropped_total',
      'Log lines that could not be written, or were not read in time.',
    ),
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
