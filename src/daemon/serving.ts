// What serves, put together: messages of the poller become the exposition, the status page and the health endpoints.

import type { AddressInfo } from 'node:net'
import type { Config } from '../config/schema.ts'
import { type Clock, type Moment, NEVER } from '../lib/clock.ts'
import type { Labels } from '../lib/label-text.ts'
import { type Shard, shardText, UNDIVIDED } from '../lib/shard.ts'
import type { Logger } from '../logger.ts'
import { daemonMetrics } from '../metrics/daemon-metrics.ts'
import type { Watch } from '../firing/evaluate-rules.ts'
import { definitions } from '../metrics/of-collectors.ts'
import { createReader } from '../metrics/read-exposition.ts'
import { createSelf } from '../metrics/process-metrics.ts'
import type { FromPoller, TaskStatus } from '../metrics/publication.ts'
import { createSnapshot } from '../metrics/snapshot.ts'
import { configurationMetrics } from '../scheduler/known.ts'
import { storageMetrics } from '../storage/storage-metrics.ts'
import type { Limits } from '../server/connections.ts'
import { proveTls } from '../server/listener.ts'
import { type Health } from '../server/routes.ts'
import { createServer, type HttpServer, type Secured, type Timeouts } from '../server/server.ts'
import { createWeb, type WebSource } from '../server/web-config-reload.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { hasNothingToDo, pagesOf } from '../status/pages.ts'

export interface ServingOptions {
  config: Config
  /** What of it is polled here; default: all. */
  shard?: Shard | undefined
  version: string
  log: Logger
  /** Log lines that could not be written. */
  logLinesDropped?: (() => number) | undefined
  clock: Clock
  /** The page says loudly that all of it is about a simulated network. */
  isSimulated?: boolean | undefined
  /** The text of the runbook of an alert; undefined where there is none. */
  runbook?: ((alert: string) => string | undefined) | undefined
  /** Publishes nothing about the process and its HTTP side but what alerts need. */
  withoutExporterMetrics?: boolean | undefined
}

interface Address {
  host: string
  port: number
}

export interface ListenOptions {
  addresses: readonly Address[]
  telemetryPath: string
  /** In front of every path, and of every path in links; see server/prefix.ts. */
  routePrefix?: string
  linkPrefix?: string
  limits?: Limits
  timeouts?: Timeouts
  /** The web configuration; without it the listeners speak plain HTTP with everybody. */
  web?: WebSource | undefined
  /** Whether the configuration may be reloaded over HTTP. */
  lifecycle?: boolean | undefined
}

export interface Serving {
  /** From now on this is the configuration. */
  configured(config: Config): Promise<void>
  /** Another configuration was refused. */
  configRefused(): Promise<void>
  accept(message: FromPoller): void
  /** The poller is gone, and with it all that it said. */
  forget(): void
  /** Counts it. */
  pollerRestarted(): void
  /** Binds the listeners. Gives the ports that were bound. Throws the platform's error when one is not free. */
  listen(options: ListenOptions, reload: () => Promise<string>): Promise<readonly AddressInfo[]>
  text(): Promise<string>
  status(): readonly TaskStatus[]
  /** From now on it is not ready. */
  drain(): void
  close(): Promise<void>
}

/** The rules are evaluated for the first time this long after the start: by then most upstreams have answered (milliseconds). */
const WATCH_AFTER = 10_000
/** The label that the rules expect of this job of Prometheus. */
const JOB = 'stakewatch'

/** The process's own metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000

export function createServing({
  config: first,
  shard = UNDIVIDED,
  version,
  log,
  logLinesDropped,
  clock,
  isSimulated = false,
  runbook = () => undefined,
  withoutExporterMetrics,
}: ServingOptions): Serving {
  let config = first
  const self = createSelf(version, logLinesDropped, withoutExporterMetrics, shard)
  const snapshot = createSnapshot(
    [
      ...definitions.flatMap(({ metrics }) => metrics),
      ...configurationMetrics,
      ...daemonMetrics,
      ...storageMetrics,
      ...self.metrics,
    ],
    SELF,
  )
  self.configLoaded(clock.now().wall)
  /** The evaluation of the rules, once it has begun. */
  let watch: Watch | undefined
  let cancelWatch = () => {}
  /** What the rules read, once they are loaded. */
  let alerting: { metrics: ReadonlySet<string>; list: string } | undefined
  let reader: ReturnType<typeof createReader> | undefined
  /** How often all that was published was replaced or withdrawn at once. */
  let turnovers = 0
  const servers: HttpServer[] = []
  let refreshing: NodeJS.Timeout | undefined
  let isStopping = false
  let isStalled = false
  let isIdle = false
  let refreshes = true

  async function refresh(): Promise<void> {
    const now = clock.now()
    if (snapshot.isStalled(now) !== isStalled) {
      isStalled = !isStalled
      if (isStalled) log.warn({}, 'the scheduler stands still: nothing of it is published')
      else log.info({}, 'the scheduler runs again')
    }
    self.schedulerStalled(isStalled)
    if (alerting) self.alertingSeries(snapshot.count(now, alerting.metrics), alerting.list)
    snapshot.accept({ kind: 'publish', key: SELF, families: await self.families(), expiresAt: NEVER })
    // The rules read what is published.
    watch?.check()
  }

  /** Nobody waits for it: a failure is said once, and the next second tries again. */
  async function refreshAgain(): Promise<void> {
    try {
      await refresh()
      refreshes = true
    } catch (error) {
      if (refreshes) log.warn({ error }, "the daemon's own metrics could not be published")
      refreshes = false
    }
  }

  /** There may be more shards than parts to divide. Only then the serving thread needs the plan. */
  async function divide(): Promise<void> {
    if (shard.shards > UNDIVIDED.shards) isIdle = await hasNothingToDo(config, shard)
  }

  function ready(): Health {
    if (isStopping) return { isOk: false, text: 'stakewatch is stopping.' }
    const now = clock.now()
    if (snapshot.isStalled(now)) return { isOk: false, text: 'The scheduler stands still.' }
    const progress = snapshot.progress(now)
    const lines = progress.map(
      ({ network, planned, attempted, withData }) =>
        `${network}: ${attempted} of ${planned} tasks attempted, ${withData} have data`,
    )
    const isAttempted = snapshot.isSettled(now)
    if (isAttempted && progress.some(({ withData }) => withData > 0)) {
      return { isOk: true, text: ['stakewatch is ready.', ...lines].join('\n') }
    }
    if (isIdle) return { isOk: true, text: `stakewatch is ready: nothing falls to shard ${shardText(shard)}.` }
    const why = isAttempted ? 'no network has data' : 'some tasks have not been attempted yet'
    return { isOk: false, text: [`stakewatch is not ready: ${why}.`, ...lines].join('\n') }
  }

  const healthy = (): Health =>
    snapshot.isStalled(clock.now())
      ? { isOk: false, text: 'The scheduler stands still: nothing is polled.' }
      : { isOk: true, text: 'stakewatch is healthy.' }

  async function secure(source: WebSource): Promise<Secured> {
    const reread = (error: Error | undefined, waiting: readonly string[]) => {
      self.webConfigRead(error === undefined)
      if (error) log.warn({ error }, 'the web configuration cannot be used: the one from before counts')
      else log.info({}, 'the web configuration was read again')
      for (const key of waiting) log.warn({ key }, 'this key of the web configuration counts only after a restart')
    }
    const config = createWeb(source, { clock, prove: proveTls, reread })
    self.webConfigRead(true)
    // Loaded only here: the comparison of passwords would take 3 MiB of every daemon without a web configuration.
    const { createGate } = await import('../server/gate.ts')
    return { config, gate: createGate(config, clock) }
  }

  /** Of this instance, as Prometheus would label what it scrapes here. */
  function labels(): Labels {
    const address = servers[0]?.server.address() as AddressInfo | undefined
    return { job: JOB, instance: address ? `${address.address}:${address.port}` : JOB }
  }

  function* read(now: Moment, metrics: ReadonlySet<string>) {
    reader ??= createReader(labels())
    return yield* reader(snapshot.pieces(now, metrics))
  }

  /** Loaded only when something is published: a start does not pay for it. */
  async function watchRules(): Promise<void> {
    const [{ alertingMetrics, createEngine, instanceRules }, { watchRules: begin }] = await Promise.all([
      import('../firing/engine.ts'),
      import('../firing/evaluate-rules.ts'),
    ])
    if (isStopping) return
    const engine = createEngine(instanceRules())
    alerting = alertingMetrics()
    const tell = (rule: string, problem: string | undefined) =>
      problem === undefined
        ? log.info({ rule }, 'the alert rule can be evaluated again')
        : log.warn({ rule, problem }, 'the alert rule cannot be evaluated: its alerts stay what they were')
    const epoch = (now: Moment) => `${turnovers} ${snapshot.isStalled(now)}`
    watch = begin({ engine, read, labels: labels(), clock, epoch, rest: turn, tell })
  }

  return {
    accept(message) {
      snapshot.accept(message)
      if (message.kind === 'changes') turnovers += 1
    },
    forget() {
      snapshot.forget()
      turnovers += 1
    },
    pollerRestarted: self.pollerRestarted,
    async configured(given) {
      config = given
      turnovers += 1
      self.configLoaded(clock.now().wall)
      await divide()
      await refreshAgain()
    },
    async configRefused() {
      self.configRefused()
      await refreshAgain()
    },
    async listen({ addresses, web, lifecycle, ...options }, reload) {
      const secured = web && (await secure(web))
      await divide()
      await refresh()
      const { telemetryPath, routePrefix = '', linkPrefix: prefix = routePrefix } = options
      const links = { prefix, telemetryPath }
      const pages = pagesOf({
        config: () => config,
        shard,
        snapshot,
        read,
        watch: () => watch,
        version,
        isSimulated,
        clock,
        links,
        runbook,
      })
      const owned = new Map(definitions.map(({ name, metrics }) => [name, metrics.map((metric) => metric.name)]))
      for (const address of addresses) {
        const server = createServer({
          ...options,
          body: (format, only) => snapshot.body(format, clock.now(), only),
          collectors: owned,
          pages,
          ready,
          healthy,
          reload: lifecycle ? reload : undefined,
          count: self.httpRequest,
          cut: self.connectionCut,
          clock,
          web: secured,
        })
        servers.push(server)
        await listen(server, address)
      }
      cancelWatch = clock.after(WATCH_AFTER, () => void watchRules())
      refreshing = setInterval(() => void refreshAgain(), REFRESH)
      return servers.map((server) => server.server.address() as AddressInfo)
    },
    async text() {
      await refresh()
      return Buffer.concat(snapshot.body('text', clock.now())).toString()
    },
    status: () => snapshot.status(),
    drain() {
      isStopping = true
    },
    async close() {
      clearInterval(refreshing)
      cancelWatch()
      watch?.stop()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** The unit of the process's own metrics. */
const SELF = 'self'

/** What `::` fails with where the kernel has no IPv6. */
const noIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

/** Every address is every address of IPv4 where there is no other. */
async function listen(server: HttpServer, address: Address): Promise<void> {
  try {
    await server.listen(address)
  } catch (cause) {
    const { host, port } = address
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (host === '::' && noIpv6.has(code)) return listen(server, { host: '0.0.0.0', port })
    throw cause
  }
}
