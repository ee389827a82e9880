// What serves, put together: messages of the poller become the exposition, the status page and the health endpoints.

import type { AddressInfo } from 'node:net'
import { collectors } from './collectors/index.ts'
import type { Config } from './config/schema.ts'
import { type Clock, NEVER } from './lib/clock.ts'
import type { Logger } from './logger.ts'
import { daemonMetrics } from './metrics/daemon.ts'
import { createSelf } from './metrics/self.ts'
import { createSnapshot, type FromPoller, type TaskStatus } from './metrics/snapshot.ts'
import { configurationMetrics } from './scheduler/known.ts'
import { storageMetrics } from './storage/metrics.ts'
import { landingPage } from './server/landing.ts'
import { createServer, type Health } from './server/server.ts'

export interface ServingOptions {
  config: Config
  version: string
  log: Logger
  /** Log lines that could not be written. */
  logLinesDropped?: (() => number) | undefined
  clock: Clock
}

interface Address {
  host: string
  port: number
}

export interface ListenOptions {
  addresses: readonly Address[]
  telemetryPath: string
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

/** The process's own metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000

export function createServing({ config: first, version, log, logLinesDropped, clock }: ServingOptions): Serving {
  let config = first
  const self = createSelf(version, logLinesDropped)
  const snapshot = createSnapshot(
    [
      ...collectors.flatMap(({ metrics }) => metrics),
      ...configurationMetrics,
      ...daemonMetrics,
      ...storageMetrics,
      ...self.metrics,
    ],
    SELF,
  )
  self.configLoaded(clock.now().wall)
  const servers: ReturnType<typeof createServer>[] = []
  let refreshing: NodeJS.Timeout | undefined
  let isStopping = false
  let isStalled = false
  let refreshes = true

  async function refresh(): Promise<void> {
    const now = clock.now()
    if (snapshot.isStalled(now) !== isStalled) {
      isStalled = !isStalled
      if (isStalled) log.warn({}, 'the scheduler stands still: nothing of it is published')
      else log.info({}, 'the scheduler runs again')
    }
    self.schedulerStalled(isStalled)
    snapshot.accept({ kind: 'publish', key: SELF, families: await self.families(), expiresAt: NEVER })
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

  function ready(): Health {
    if (isStopping) return { isOk: false, text: 'stakewatch is stopping.' }
    const now = clock.now()
    if (snapshot.isStalled(now)) return { isOk: false, text: 'The scheduler stands still.' }
    const tasks = snapshot.status()
    const counts = config.networks.map(({ name }) => {
      const own = tasks.filter(({ network }) => network === name)
      return { name, all: own.length, withData: own.filter(({ key }) => snapshot.hasAnswers(key, now)).length }
    })
    const isOk = counts.some(({ withData }) => withData > 0)
    const lines = counts.map(({ name, all, withData }) => `${name}: ${withData} of ${all} attempted tasks have data`)
    const start = isOk ? 'stakewatch is ready.' : 'stakewatch is not ready: no network has data.'
    return { isOk, text: [start, ...lines].join('\n') }
  }

  const healthy = (): Health =>
    snapshot.isStalled(clock.now())
      ? { isOk: false, text: 'The scheduler stands still: nothing is polled.' }
      : { isOk: true, text: 'stakewatch is healthy.' }

  return {
    accept: (message) => snapshot.accept(message),
    forget: () => snapshot.forget(),
    pollerRestarted: self.pollerRestarted,
    async configured(given) {
      config = given
      self.configLoaded(clock.now().wall)
      await refreshAgain()
    },
    async configRefused() {
      self.configRefused()
      await refreshAgain()
    },
    async listen({ addresses, telemetryPath, lifecycle }, reload) {
      await refresh()
      const landing = () => landingPage({ version, telemetryPath, tasks: snapshot.status(), now: clock.now().wall })
      const owned = new Map(collectors.map(({ name, metrics }) => [name, metrics.map((metric) => metric.name)]))
      for (const address of addresses) {
        const server = createServer({
          telemetryPath,
          body: (format, only) => snapshot.body(format, clock.now(), only),
          collectors: owned,
          landing,
          ready,
          healthy,
          reload: lifecycle ? reload : undefined,
          count: self.httpRequest,
          cut: self.connectionCut,
          clock,
        })
        servers.push(server)
        await listen(server, address)
      }
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
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** The unit of the process's own metrics. */
const SELF = 'self'

/** What `::` fails with where the kernel has no IPv6. */
const noIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

/** Every address is every address of IPv4 where there is no other. */
async function listen(server: ReturnType<typeof createServer>, address: Address): Promise<void> {
  try {
    await server.listen(address)
  } catch (cause) {
    const { host, port } = address
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (host === '::' && noIpv6.has(code)) return listen(server, { host: '0.0.0.0', port })
    throw cause
  }
}
