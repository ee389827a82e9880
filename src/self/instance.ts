// What one instance says about itself: few series, whose number does not depend on the configuration.

import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import { type Metric, ofDaemon } from '../metrics/define.ts'
import { type Family, renderFamilies } from '../metrics/exposition.ts'
import { measureProcess } from './process-metrics.ts'

/**
 * Why stakewatch closed a connection: the answer was not read in time, too many requests came at once, or the room was
 * needed for others.
 */
const cutReasons = ['unread', 'pipelined', 'crowded'] as const

export type CutReason = (typeof cutReasons)[number]

const own = {
  buildInfo: ofDaemon.gauge('stakewatch_build_info', {
    help: 'Version of stakewatch and of the runtime, always 1.',
    labels: ['version', 'node_version'],
  }),
  shardOrdinal: ofDaemon.gauge('stakewatch_shard_ordinal', {
    help: 'Index of this instance among stakewatch_shards, counted from 0; 0 without shards (--shard).',
    labels: ['shard_ordinal'],
  }),
  shards: ofDaemon.gauge('stakewatch_shards', {
    help: 'Number of instances that share the configuration; 1 without shards (--shard).',
  }),
  reloadSuccessful: ofDaemon.gauge('stakewatch_config_last_reload_successful', {
    help: 'Whether the last load of the configuration succeeded: 1 or 0.',
  }),
  reloadTimestamp: ofDaemon.gauge('stakewatch_config_last_reload_success_timestamp_seconds', {
    help: 'When the configuration was last loaded successfully.',
  }),
  webConfigUsable: ofDaemon.gauge('stakewatch_web_config_last_reload_successful', {
    help: 'Whether the file of --web.config.file was usable when last read: 1, or 0 while the previous one stays in effect.',
  }),
  alertingSeries: ofDaemon.gauge('stakewatch_alerting_series', {
    help: 'Number of series of this instance that the alert rules of this version read; `list` names their metrics.',
    labels: ['list'],
  }),
  stalled: ofDaemon.gauge('stakewatch_scheduler_stalled', {
    help: 'Whether the scheduler has not ticked for a minute: 1 or 0; while 1, no polled data is served.',
  }),
  requests: ofDaemon.counter('stakewatch_http_requests_total', {
    help: 'HTTP requests to stakewatch by handler and status; 499 if the connection closed before the whole answer was sent.',
    labels: ['handler', 'code'],
  }),
  cuts: ofDaemon.counter('stakewatch_http_connections_cut_total', {
    help: 'Connections that stakewatch closed: answer not read in time (unread), too many requests at once (pipelined), or no room (crowded).',
    labels: ['reason'],
  }),
  linesDropped: ofDaemon.counter('stakewatch_log_lines_dropped_total', {
    help: 'Log lines that could not be written, or were not read in time.',
  }),
}

export const selfMetrics: readonly Metric[] = Object.values(own)

/** Alerts need only the start time of these. */
const ofExporter = /^(process_(?!start_time_seconds$)|nodejs_|stakewatch_http_)/

export type Self = ReturnType<typeof createSelf>

/**
 * `logLinesDropped` counts since the start. `isBare` leaves out the metrics about the process and its HTTP side that no alert
 * needs.
 */
export function createSelf(
  version: string,
  logLinesDropped: () => number = () => 0,
  isBare = false,
  { ordinal, shards }: Shard = UNDIVIDED,
) {
  const ofProcess = measureProcess()
  const cuts: Record<CutReason, number> = { unread: 0, pipelined: 0, crowded: 0 }
  const requests = new Map<string, { handler: string; code: string; count: number }>()
  const state = { isLoaded: false, loadedAt: 0, isStalled: false }
  let isWebUsable: boolean | undefined
  let alerting: { count: number; list: string } | undefined
  const samples = () => [
    own.buildInfo.sample({ version, node_version: process.version }, 1),
    own.shardOrdinal.sample({ shard_ordinal: String(ordinal) }, ordinal),
    own.shards.sample({}, shards),
    own.reloadSuccessful.sample({}, state.isLoaded),
    own.reloadTimestamp.sample({}, state.loadedAt / 1_000),
    ...own.webConfigUsable.ifKnown({}, isWebUsable),
    ...(alerting ? [own.alertingSeries.sample({ list: alerting.list }, alerting.count)] : []),
    own.stalled.sample({}, state.isStalled),
    ...requests.values().map(({ handler, code, count }) => own.requests.sample({ handler, code }, count)),
    ...cutReasons.map((reason) => own.cuts.sample({ reason }, cuts[reason])),
    own.linesDropped.sample({}, logLinesDropped()),
  ]
  return {
    metrics: [...selfMetrics, ...ofProcess.metrics],
    samples,
    async families(): Promise<Family[]> {
      const rendered = new Map(renderFamilies(samples()).map((family) => [family.name, family]))
      const none = { lines: [], series: 0 }
      const families = [
        ...selfMetrics.map(({ name }) => rendered.get(name) ?? { name, ...none }),
        ...(await ofProcess.families()),
      ]
      return isBare ? families.filter(({ name }) => !ofExporter.test(name)) : families
    },
    /** `list` names their metrics. */
    alertingSeries(count: number, list: string) {
      alerting = { count, list }
    },
    schedulerStalled: (isStalled: boolean) => void (state.isStalled = isStalled),
    httpRequest(handler: string, status: number) {
      const code = String(status)
      const { count } = requests.get(`${handler} ${code}`) ?? { count: 0 }
      requests.set(`${handler} ${code}`, { handler, code, count: count + 1 })
    },
    connectionCut: (reason: CutReason) => void (cuts[reason] += 1),
    /** Not called where there is no such file. */
    webConfigRead: (isUsable: boolean) => void (isWebUsable = isUsable),
    configLoaded: (at: number) => void Object.assign(state, { isLoaded: true, loadedAt: at }),
    configRefused: () => void (state.isLoaded = false),
  }
}
