// The serving side of the daemon: what the poller publishes becomes the exposition, the status page and the health endpoints.

import type { AddressInfo } from 'node:net'
import type { Config } from '../config/schema.ts'
import { type Clock, NEVER } from '../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Logger } from '../logger.ts'
import { daemonMetrics } from '../self/daemon-metrics.ts'
import { alertingMetrics } from '../alerts/rules.ts'
import { definitions } from '../metrics/catalogue.ts'
import { createSelf, type Self } from '../self/instance.ts'
import type { TaskStatus } from '../metrics/publication.ts'
import { createSnapshot, type Snapshot } from '../metrics/snapshot.ts'
import { type Address, bind } from './bind.ts'
import { createDrills, type DrillState } from './drills.ts'
import type { Judging } from './judging.ts'
import { healthOf, readinessOf } from './readiness.ts'
import { configurationMetrics } from '../self/known.ts'
import { storageMetrics } from '../storage/storage-metrics.ts'
import { defaultLimits, type Limits } from '../server/connections.ts'
import { type Timeouts, validateTls } from '../server/listener.ts'
import {
  createWebConfigReloader,
  openAccess,
  type WebConfigReloader,
  type WebSource,
} from '../server/web-config-reload.ts'
import { createPublicServer, createServer, type HttpServer } from '../server/server.ts'
import { isIdleShard, pagesOf, publicPagesOf } from '../status/pages.ts'

export interface ServingOptions {
  config: Config
  /** The part of it that this instance polls; default: all. */
  shard?: Shard | undefined
  version: string
  log: Logger
  /** Log lines that could not be written. */
  logLinesDropped?: (() => number) | undefined
  clock: Clock
  /** The page says loudly that it shows a simulated network. */
  isSimulated?: boolean | undefined
  /** The text of the runbook of an alert; undefined where there is none. */
  runbook?: ((alert: string) => string | undefined) | undefined
  /** Leaves out metrics about the process and its HTTP side, except those that alerts need. */
  withoutExporterMetrics?: boolean | undefined
}

interface Served extends ServingOptions {
  judging: Judging
}

export interface ListenOptions {
  addresses: readonly Address[]
  telemetryPath: string
  /** The public page alone is served here, to everyone; default: only the other listeners have it. */
  publicAddress?: Address | undefined
  /** In front of every path, and of every path in links; see server/routes.ts. */
  routePrefix?: string
  linkPrefix?: string
  limits?: Limits
  timeouts?: Timeouts
  /** The web configuration; without it the listeners speak plain HTTP with everyone. */
  web?: WebSource | undefined
  /** Whether the configuration may be reloaded, and drills begun, over HTTP. */
  lifecycle?: boolean | undefined
}

const alerting = alertingMetrics()
/** How often the process publishes its own metrics and looks at the web configuration; a scrape does neither (milliseconds). */
const REFRESH = 1_000
/** The unit of the process's own metrics. */
const SELF = 'self'

interface State extends Pick<Served, 'config' | 'log' | 'clock' | 'judging'> {
  shard: Shard
  self: Self
  snapshot: Snapshot
  servers: HttpServer[]
  drills: DrillState
  refreshing?: NodeJS.Timeout | undefined
  isStopping: boolean
  isStalled: boolean
  isIdle: boolean
  /** Whether the last refresh succeeded. */
  refreshes: boolean
}

export function createServing(options: Served) {
  const state = stateOf(options)
  const { snapshot, self, clock } = state
  return {
    accept: snapshot.accept,
    /** Another configuration is in force. */
    async configured(config: Config): Promise<void> {
      state.config = config
      self.configLoaded(clock.now().wall)
      await divide(state)
      await refreshAgain(state)
    },
    /** Another configuration was refused. */
    async configRefused(): Promise<void> {
      self.configRefused()
      await refreshAgain(state)
    },
    /** Binds the listeners and returns the bound ports. Throws the platform's error when one is not free. */
    listen: async (where: ListenOptions, reload: () => Promise<string>): Promise<readonly AddressInfo[]> =>
      listen(state, options, where, reload),
    async text(): Promise<string> {
      await refresh(state)
      return Buffer.concat(snapshot.body('text', clock.now())).toString()
    },
    drills: state.drills,
    status: (): readonly TaskStatus[] => snapshot.status(),
    /** Not ready any more. */
    drain() {
      state.isStopping = true
    },
    async close(): Promise<void> {
      clearInterval(state.refreshing)
      await Promise.all(state.servers.map(async (server) => server.close()))
    },
  }
}

function stateOf({ config, shard = UNDIVIDED, log, clock, judging, ...options }: Served): State {
  const self = createSelf(options.version, options.logLinesDropped, options.withoutExporterMetrics, shard)
  self.configLoaded(clock.now().wall)
  const catalogue = [
    ...definitions.flatMap(({ metrics }) => metrics),
    ...configurationMetrics,
    ...daemonMetrics,
    ...storageMetrics,
    ...self.metrics,
  ]
  const state: State = {
    config,
    shard,
    log,
    clock,
    judging,
    self,
    snapshot: createSnapshot(catalogue, SELF),
    drills: createDrills({ clock, log, show: () => showDrill(state) }),
    servers: [],
    isStopping: false,
    isStalled: false,
    isIdle: false,
    refreshes: true,
  }
  return state
}

async function refresh(state: State): Promise<void> {
  const { snapshot, self, log, judging } = state
  const now = state.clock.now()
  if (snapshot.isStalled(now) !== state.isStalled) {
    state.isStalled = !state.isStalled
    if (state.isStalled) log.warn({}, 'the scheduler has stalled: its metrics are withheld')
    else log.info({}, 'the scheduler runs again')
  }
  self.schedulerStalled(state.isStalled)
  self.alertingSeries(snapshot.count(now, alerting.metrics), alerting.list)
  const families = [...(await self.families()), ...state.drills.families(now)]
  const change = { kind: 'publish', key: SELF, families, samples: self.samples(), expiresAt: NEVER } as const
  judging.take(change)
  snapshot.accept(change)
}

async function showDrill(state: State): Promise<void> {
  await refreshAgain(state)
  // The next scrape shows it, even if the body is only a moment old.
  state.snapshot.accept({ kind: 'changes', changes: [] })
}

/** Never throws: it logs the first of several failures, and the next second tries again. */
async function refreshAgain(state: State): Promise<void> {
  try {
    await refresh(state)
    state.refreshes = true
  } catch (error) {
    if (state.refreshes) state.log.warn({ error }, "the daemon's own metrics could not be published")
    state.refreshes = false
  }
}

/** There may be more shards than parts to divide. */
async function divide(state: State): Promise<void> {
  const { config, shard } = state
  if (shard.shards > UNDIVIDED.shards) state.isIdle = await isIdleShard(config, shard)
}

async function secure({ self, log, clock }: State, source: WebSource) {
  const reread = (error: Error | undefined, waiting: readonly string[]) => {
    self.webConfigRead(error === undefined)
    if (error) log.warn({ error }, 'the web configuration cannot be used: keeping the previous one')
    else log.info({}, 'the web configuration was reloaded')
    for (const key of waiting) log.warn({ key }, 'this key of the web configuration needs a restart')
  }
  const config = createWebConfigReloader(source, { validate: validateTls, reread })
  self.webConfigRead(true)
  return access(config, clock)
}

async function access<Config extends WebConfigReloader>(config: Config, clock: Clock) {
  // Loaded only here: comparing passwords takes 3 MiB.
  const { createGate } = await import('../server/gate.ts')
  return { config, gate: createGate(config, clock) }
}

/** What Prometheus calls this instance, if it scrapes the first address. */
function instanceOf({ servers }: State): string {
  const address = servers[0]?.server.address() as AddressInfo | undefined
  return address ? `${address.address}:${address.port}` : ''
}

/** Half of the connections, so that visitors leave files for upstreams and the storage. */
function publicLimits(limits: Limits = defaultLimits): Limits {
  return { ...limits, connections: Math.floor(limits.connections / 2) }
}

async function listen(
  state: State,
  { version, isSimulated = false, runbook = () => undefined }: ServingOptions,
  { addresses, publicAddress, web, lifecycle, ...where }: ListenOptions,
  reload: () => Promise<string>,
): Promise<readonly AddressInfo[]> {
  const { snapshot, self, clock, shard, judging } = state
  const secured = web && (await secure(state, web))
  await divide(state)
  await refresh(state)
  const { telemetryPath, routePrefix = '', linkPrefix: prefix = routePrefix } = where
  const live = {
    config: () => state.config,
    shard,
    snapshot,
    readings: judging.readings,
    judged: judging.last,
    turnsOf: judging.turnsOf,
    votes: judging.votes,
    instance: () => instanceOf(state),
    isSimulated,
    clock,
  }
  const publicPages = publicPagesOf(live)
  const pages = [
    ...pagesOf({ ...live, version, links: { prefix, telemetryPath }, runbook, connectedDay: judging.connectedDay }),
    ...publicPages,
  ]
  const shared = { ...where, count: self.httpRequest, cut: self.connectionCut, clock }
  const collectors = new Map(definitions.map(({ name, metrics }) => [name, metrics.map((metric) => metric.name)]))
  for (const address of addresses) {
    const server = createServer({
      ...shared,
      body: (format, only) => snapshot.body(format, clock.now(), only),
      collectors,
      pages,
      ready: () => readinessOf(snapshot, clock.now(), state),
      healthy: () => healthOf(snapshot.isStalled(clock.now())),
      reload: lifecycle ? reload : undefined,
      drills: lifecycle ? state.drills : undefined,
      web: secured,
    })
    state.servers.push(server)
    await bind(server, address)
  }
  if (publicAddress) {
    // Its own gate: visitors must not use up the rate of scrapers.
    const web = secured && (await access(openAccess(secured.config), clock))
    const server = createPublicServer(publicPages, { ...shared, limits: publicLimits(where.limits), web })
    state.servers.push(server)
    await bind(server, publicAddress)
  }
  state.refreshing = setInterval(() => {
    void refreshAgain(state)
    void secured?.config.look()
  }, REFRESH)
  return state.servers.map(({ server }) => server.address() as AddressInfo)
}
