// Expands a configuration into tasks. No other file does.

import type { AnyCollector, Subject } from '../collectors/define.ts'
import type { Config, Facts, Network } from '../config/schema.ts'
import { parseDuration } from '../lib/duration.ts'
import { entryOf } from '../lib/entry.ts'
import { gapsOf } from '../lib/gaps.ts'
import { digest } from '../lib/hash.ts'
import { isSecret, placeOf } from '../lib/secret.ts'
import type { Link } from '../upstream/dispatchers.ts'
import type { Source } from '../upstream/source.ts'

export interface Task {
  /** 'uptime/mainnet/primary/node-a': names the unit of series, the memory and the status row. */
  key: string
  collector: AnyCollector
  network: Network
  subject: Subject
  /** Sources that the run may ask, in configured order; exactly one of an opinion's own service. */
  sources: readonly Source[]
  /** Labels that the runner adds to every sample. `source` only for an opinion. */
  labels: Readonly<Record<string, string>>
  settings: Settings
  /** Digest of what the key stands for, as a reload may give a name to another subject, or to a node at another address. */
  standsFor: string
  /** Digest of all of the above: same key and print means untouched by a reload. */
  print: string
}

interface Settings {
  /** Milliseconds between two runs; with a schedule, the longest time. */
  every: number
  deadline: number
  ttl: number
  /** On the busiest day. */
  runsPerDay: number
  /** For all tasks of the collector together. */
  maxSeries: number
  /** Replaces the interval. */
  schedule?: { pattern: string; timezone: string }
}

const LEAST_TTL = 5 * 60_000
/**
 * In intervals. The second run starts at most one and a half intervals after the first, and ends before its deadline: samples
 * live until then.
 */
const NEXT_ANSWER = 1.5 + 0.9
/** Actions run at most this often. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** For each collector: far more than any page or dashboard can show. */
const MAX_SERIES = 100_000

/** `isWanted` leaves subjects out. */
export function plan(
  config: Config,
  collectors: readonly AnyCollector[],
  isWanted: (network: Network, collector: AnyCollector, subject: Subject) => boolean = () => true,
): readonly Task[] {
  return config.networks.flatMap((network) =>
    collectors
      .filter((collector) => isOnIn(network, config, collector))
      .flatMap((collector) => {
        const subjects = collector.subjects(network).filter((subject) => isWanted(network, collector, subject))
        return tasksOf(config, network, collector, subjects)
      }),
  )
}

/** By the keys of the configuration. */
export function settingsOf(config: Config, collector: AnyCollector) {
  const { every, max_series } = config.collectors[collector.name] ?? {}
  const scheduled = scheduleOf(config, collector)
  return {
    enabled: config.networks.some((network) => isOnIn(network, config, collector)),
    every: scheduled ? undefined : leastFor(collector, every ?? parseDuration(collector.every)!),
    schedule: scheduled?.pattern,
    timezone: scheduled?.timezone,
    max_series: max_series ?? MAX_SERIES,
  }
}

function leastFor({ uses }: AnyCollector, wanted: number): number {
  return uses.some(({ effect }) => effect === 'action') ? Math.max(wanted, HOUR) : wanted
}

/** Undefined for a collector with an interval, and for actions that would run too often. */
function scheduleOf({ collectors }: Config, collector: AnyCollector) {
  const { schedule: pattern, timezone = 'UTC' } = collectors[collector.name] ?? {}
  if (pattern === undefined) return undefined
  const gaps = gapsOf(pattern, timezone)
  return leastFor(collector, gaps.shortest) > gaps.shortest ? undefined : { pattern, timezone, ...gaps }
}

function isOnIn(network: Network, { collectors }: Config, { name, isOptIn, isNeeded }: AnyCollector): boolean {
  return collectors[name]?.enabled ?? (!isOptIn || isNeeded?.(network) === true)
}

export const NOTHING_CONFIGURED = 'nothing is configured for it'

/** Why a collector has no task, in words for operators. */
export function whyOff(config: Config, collector: AnyCollector): string {
  if (settingsOf(config, collector).enabled) return NOTHING_CONFIGURED
  return collector.isOptIn ? `opt-in, runs only with collectors.${collector.name}.enabled: true` : 'disabled'
}

function tasksOf(config: Config, network: Network, collector: AnyCollector, subjects: readonly Subject[]): Task[] {
  const scheduled = scheduleOf(config, collector)
  const { every = scheduled!.longest, max_series: maxSeries } = settingsOf(config, collector)
  const { pattern, timezone = '', shortest = every, perDay = DAY / every } = scheduled ?? {}
  const settings: Settings = {
    every,
    ...(pattern !== undefined && { schedule: { pattern, timezone } }),
    runsPerDay: perDay,
    deadline: shortest * 0.9,
    ttl: Math.max(every * Math.max(config.defaults.ttl, NEXT_ANSWER), LEAST_TTL),
    maxSeries,
  }
  // The same for most subjects, of which there may be a hundred thousand.
  const shared = new Map<string, string>()
  return subjects.flatMap((subject) =>
    sourcesOf(network, collector, subject).map((sources): Task => {
      const observer = collector.observer === 'each' ? sources[0]!.name : undefined
      const labels = { network: network.name, ...subject.labels, ...(observer ? { source: observer } : {}) }
      const key = [collector.name, network.name, subject.name, ...(observer ? [observer] : [])].join('/')
      const common = entryOf(shared, sources.map(({ name }) => name).join('/'), () =>
        digest(withSecrets({ network: factsOf(network, sources), sources, settings })),
      )
      const standsFor = digest(JSON.stringify([network.network, subject.id, observer && placeOf(sources[0]!.url)]))
      const print = digest(JSON.stringify([key, common, subject, labels]))
      return { key, collector, network, subject, sources, labels, settings, standsFor, print }
    }),
  )
}

/** What runs see of a network except their subject; the data service only where they may ask it. */
function factsOf({ data_api, ...given }: Network, sources: readonly Source[]): Facts {
  const { name, preset, network, network_id, upgrade_time, l1_fee, delegation, currency } = given
  const facts = { name, preset, network, network_id, upgrade_time, l1_fee, delegation, currency }
  const asksService = sources.some(({ service }) => service === 'data')
  return { ...facts, data_api: data_api && asksService ? { network: data_api.network } : undefined }
}

/** One list of sources per run; none when the observed service is not configured. */
function sourcesOf(
  network: Network,
  { uses, observer, isObserver = () => true }: AnyCollector,
  subject: Subject,
): (readonly Source[])[] {
  const wanted = new Set(uses.map(({ service }) => service))
  const asked = { ...network, nodes: network.nodes.filter((node) => isObserver(node, subject)) }
  const sources = sourcesOfNetwork(asked).filter(({ service }) => wanted.has(service))
  const observed = sources.filter(({ service }) => service === uses[0]!.service)
  const others = sources.filter((source) => !observed.includes(source))
  if (observed.length === 0) return []
  return observer === 'any' ? [[...observed, ...others]] : observed.map((source) => [source, ...others])
}

export function sourcesOfNetwork({ name: network, nodes, data_api, metrics_api }: Network): Source[] {
  const sources = nodes.map(({ name, url, node_id, ...rest }): Source => ({
    service: 'node',
    network,
    name,
    url,
    ...(node_id ? { nodeId: node_id } : {}),
    ...linkOf(rest),
  }))
  if (data_api) {
    const { url, key, key_header: header } = data_api
    const signed = key ? { key: { header, value: key } } : {}
    sources.push({ service: 'data', network, name: 'data-api', url, ...signed, ...linkOf(data_api) })
  }
  if (metrics_api) {
    const { url } = metrics_api
    sources.push({ service: 'metrics', network, name: 'metrics-api', url, ...linkOf(metrics_api) })
  }
  return sources
}

function linkOf({ proxy, tls_config: tls }: Pick<Network['nodes'][number], 'proxy' | 'tls_config'>): Link {
  return { ...(proxy && { proxy }), ...(tls && { tls }) }
}

/** The steps of a reload: a task with a new print is stopped and started, and keeps its series and memory. */
export function diff(before: readonly Task[], after: readonly Task[]): { keep: Task[]; start: Task[]; stop: Task[] } {
  const prints = (tasks: readonly Task[]) => new Map(tasks.map(({ key, print }) => [key, print]))
  const [had, has] = [prints(before), prints(after)]
  return {
    keep: before.filter(({ key, print }) => has.get(key) === print),
    start: after.filter(({ key, print }) => had.get(key) !== print),
    stop: before.filter(({ key, print }) => has.get(key) !== print),
  }
}

/**
 * Whether all series of a task still hold for the task of the same key that replaces it: it observes the same objects, and
 * perhaps more of them. Which sources it asks and how often makes no difference.
 */
export function keepsSeries(before: Task, after: Task): boolean {
  const facts = ({ network, sources, labels }: Task) => JSON.stringify([factsOf(network, sources), labels])
  const [had, has] = [before.subject, after.subject] as unknown as Readonly<Record<string, unknown>>[]
  const names = new Set([...Object.keys(had!), ...Object.keys(has!)])
  return facts(before) === facts(after) && [...names].every((name) => contains(has![name], had![name]))
}

function contains(now: unknown, before: unknown): boolean {
  if (!Array.isArray(now) || !Array.isArray(before)) return JSON.stringify(now) === JSON.stringify(before)
  const items = new Set(now.map((item) => JSON.stringify(item)))
  return before.every((item) => items.has(JSON.stringify(item)))
}

/** Another key means another task; a digest does not reveal it. */
function withSecrets(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, shown: unknown) {
    const own = this[key]
    return isSecret(own) ? own.reveal() : shown
  })
}
