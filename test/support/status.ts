// The endpoints about the daemon itself without a daemon: what is published goes through the real snapshot, the configuration
// through the real loader.

import { collectors } from '../../src/collectors/index.ts'
import type { Config } from '../../src/config/schema.ts'
import { NEVER } from '../../src/lib/clock.ts'
import { UNDIVIDED } from '../../src/lib/shard.ts'
import { createJudging } from '../../src/daemon/judging.ts'
import type { Metric } from '../../src/metrics/define.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { readSamples } from '../../src/metrics/read-exposition.ts'
import type { FromPoller, TaskStatus, UpstreamError } from '../../src/metrics/publication.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { endpointsOf, publicEndpointsOf } from '../../src/status/endpoints.ts'
import { livePublicStatus } from '../../src/status/value/public.ts'
import { liveStatus } from '../../src/status/value/live.ts'
import { clockOf } from './clock.ts'
import { configFrom } from './poll.ts'

/** 2026-05-28 20:26:40 UTC. */
export const NOW = 1_780_000_000
export const DAY = 86_400
export const VAL_1 = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

export interface World {
  yaml: string
  /** Sample lines. */
  lines?: readonly string[]
  rows?: readonly TaskStatus[]
  errors?: readonly UpstreamError[]
  isSimulated?: boolean
  prefix?: string
  version?: string
  runbook?: (alert: string) => string | undefined
  /** The rules have not been evaluated. */
  isUnevaluated?: boolean
  /** How far our clock is ahead of the upstreams (milliseconds). */
  ahead?: number
  /** Instead of those of the configuration. */
  validators?: Config['networks'][number]['validators']
}

/** `set` moves the clock (seconds); `say` is what a poller says. */
export function shown(world: World) {
  const { yaml, lines = [], rows = [], errors = [], isSimulated = false, prefix = '', version = '1.2.3' } = world
  const clock = { now: NOW * 1_000 }
  const asClock = clockOf(() => clock.now)
  const metrics = [...collectors.flatMap((one) => one.metrics), ...configurationMetrics, ...daemonMetrics]
  const snapshot = createSnapshot(metrics, 'self')
  const familiesOf = (some: readonly string[]) =>
    [...Map.groupBy(some, (line) => /^\w+/.exec(line)![0])].map(([name, own]) => ({
      name,
      lines: [new TextEncoder().encode(`${own.join('\n')}\n`)],
      series: own.length,
    }))
  const families = familiesOf(lines)
  let current = configFrom(yaml)
  const log = {
    info: () => {},
    warn(details: object) {
      throw new Error(JSON.stringify(details))
    },
  }
  const judging = createJudging({ clock: asClock, log })
  function say(message: FromPoller): void {
    if (message.kind === 'publish' || message.kind === 'drop') judging.take(message)
    snapshot.accept(message)
  }
  const byName = new Map<string, Metric>(metrics.map((metric) => [metric.name, metric]))
  /** As the poller does it: what it publishes goes to the judge, and its verdicts into the snapshot. */
  function publish(some: readonly string[], expiresAt = NEVER): void {
    // The daemon knows of each node of the configuration whether it is up.
    const nodes = current.networks.flatMap(({ name: network, nodes: all }) =>
      all.map(({ name }) => `stakewatch_upstream_up{network="${network}",source="${name}"}`),
    )
    const more = nodes.filter((series) => !some.some((line) => line.startsWith(series))).map((series) => `${series} 1`)
    const readings = readSamples(new TextEncoder().encode([...some, ...more].join('\n')))
    const samples = readings.map(({ name, ...rest }) => ({ metric: byName.get(name)!, ...rest }))
    say({ kind: 'publish', key: 'unit', families: familiesOf(some), samples, expiresAt })
    pronounce()
  }
  function pronounce(): void {
    if (world.isUnevaluated) return
    say(judging.verdicts(asClock.now(), current, world.ahead ?? 0))
  }
  publish(lines)
  for (const status of rows) say({ kind: 'status', status })
  for (const error of errors) say({ kind: 'error', error })
  const loaded = configFrom(yaml)
  const networks = loaded.networks.map((one) => ({ ...one, validators: world.validators ?? one.validators }))
  const config = { ...loaded, networks }
  current = config
  const live = {
    config: () => current,
    shard: UNDIVIDED,
    snapshot,
    readings: judging.readings,
    judged: judging.last,
    turnsOf: judging.turnsOf,
    votes: judging.votes,
    instance: () => 'here',
    isSimulated,
    clock: asClock,
  }
  const status = liveStatus({ ...live, version })
  const publicPages = publicEndpointsOf(livePublicStatus(live))
  const links = { prefix, telemetryPath: '/metrics' }
  const pages = endpointsOf({
    links,
    status,
    connectedDay: judging.connectedDay,
    config: live.config,
    runbook: world.runbook ?? (() => undefined),
  })
  const answer = (path: keyof typeof pages, query: Readonly<Record<string, string>> = {}, name = '') =>
    pages[path]({ query, name })
  return {
    /** As a reload does it, with another file or the same. */
    reload(next = yaml) {
      current = next === yaml ? config : configFrom(next)
    },
    publicAnswer: (path: keyof typeof publicPages, query: Readonly<Record<string, string>> = {}) =>
      publicPages[path]({ query }),
    /** Evaluates the rules. */
    async evaluate() {
      pronounce()
      await Promise.resolve()
    },
    status,
    answer,
    say,
    publish,
    families,
    clock: asClock,
    set: (now: number) => (clock.now = now * 1_000),
  }
}

/** A network with these nodes and validators of the primary network. */
export function yamlOf(nodes: readonly string[], validators: readonly string[], more = ''): string {
  return `networks:
  - name: fuji
    nodes: [${nodes.map((name, at) => `{ name: ${name}, url: 'http://10.0.0.${at + 1}:9650' }`).join(', ')}]
    validators: [${validators.join(', ')}]
${more}`
}

/** The lines of a validator: facts by metric, and what each observer says. */
export function linesOf(
  labels: { network?: string; subnet?: string; node_id?: string; validator?: string },
  facts: Readonly<Record<string, number>>,
  opinions: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {},
): string[] {
  const { network = 'fuji', subnet = 'primary', node_id = VAL_1, validator = 'val-1' } = labels
  const of = `network="${network}",subnet="${subnet}",node_id="${node_id}",validator="${validator}"`
  return [
    ...Object.entries(facts).map(([metric, value]) => `stakewatch_${metric}{${of}} ${value}`),
    ...Object.entries(opinions).flatMap(([source, said]) =>
      Object.entries(said).map(([metric, value]) =>
        typeof value === 'string'
          ? `stakewatch_${metric}{${of},source="${source}",state="${value}"} 1`
          : `stakewatch_${metric}{${of},source="${source}"} ${value}`,
      ),
    ),
  ]
}
