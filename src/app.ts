// The composition root: a configuration becomes a running daemon.

import type { AddressInfo } from 'node:net'
import { collectors } from './collectors/index.ts'
import type { Config } from './config/schema.ts'
import type { Logger } from './logger.ts'
import { daemonMetrics } from './metrics/daemon.ts'
import { renderFamilies } from './metrics/exposition.ts'
import { createSelf } from './metrics/self.ts'
import { createSnapshot, type FromPoller, type TaskStatus } from './metrics/snapshot.ts'
import { createMemories } from './scheduler/memory.ts'
import { configurationMetrics, createKnown } from './scheduler/known.ts'
import { createObservers } from './scheduler/observers.ts'
import { plan, type Task } from './scheduler/plan.ts'
import { createRunner } from './scheduler/run.ts'
import { createScheduler } from './scheduler/scheduler.ts'
import { configuredSamples } from './scheduler/configured-metrics.ts'
import { observeUpstreams } from './scheduler/upstreams.ts'
import { landingPage } from './server/landing.ts'
import { createServer, type ServerOptions } from './server/server.ts'
import { type CallReport, createClient } from './upstream/client.ts'
import { createHttp } from './upstream/http.ts'

export interface AppOptions {
  config: Config
  version: string
  log: Logger
  /** Log lines that could not be written. */
  logLinesDropped?: () => number
  now: () => number
  random: () => number
}

interface Address {
  host: string
  port: number
}

interface ServeOptions {
  addresses: readonly Address[]
  telemetryPath: string
}

export interface App {
  /** Binds the listeners and starts polling. Gives the ports that were bound. Throws the platform's error when one is not free. */
  start(options: ServeOptions): Promise<readonly AddressInfo[]>
  /** Runs these tasks once, or all; gives the exposition, how each ended, and the tasks that failed. */
  once(which?: (task: Task) => boolean): Promise<{ text: string; rows: readonly TaskStatus[]; failed: readonly Task[] }>
  stop(): Promise<void>
}

/** Upstream and process metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000
/** After this long the daemon is ready even if a task is still on its first run (milliseconds). */
const READY_AFTER = 30_000
/** Runs in flight may take this long to finish when the daemon stops (milliseconds). */
const GRACE = 3_000

export function createApp({ config, version, log, logLinesDropped, now, random }: AppOptions): App {
  const tasks = plan(config, collectors)
  const self = createSelf(version, logLinesDropped)
  const snapshot = createSnapshot([
    ...collectors.flatMap(({ metrics }) => metrics),
    ...configurationMetrics,
    ...daemonMetrics,
    ...self.metrics,
  ])
  const publish = (message: FromPoller) => snapshot.accept(message)

  const upstreams = observeUpstreams(tasks, log, now)
  const http = createHttp({ userAgent: `stakewatch/${version}`, random })
  const observers = createObservers(config)
  const report = (call: CallReport) => {
    upstreams.report(call)
    const { source, code, nodeId } = call
    if (source.service === 'node' && code === 'ok') observers.answered(source.network, source.name, nodeId)
  }
  const client = createClient({ http, timeout: config.defaults.timeout, now, report })
  const runner = createRunner({
    client,
    memories: createMemories(),
    publish,
    seriesDropped: self.seriesDropped,
    answerRefused: upstreams.refused,
    standing: upstreams.standing,
    now,
    log,
  })
  const scheduler = createScheduler(runner, now)
  const known = createKnown(config)
  self.configLoaded(now())
  const tracked = renderFamilies(configuredSamples(config))
  publish({ kind: 'publish', key: 'configuration', families: tracked, observedAt: now(), expiresAt: Infinity })

  async function refresh(): Promise<void> {
    for (const message of upstreams.changes(now())) publish(message)
    for (const message of observers.changes(now())) publish(message)
    for (const message of known.changes(runner.judgements(), now())) publish(message)
    const families = await self.families()
    publish({ kind: 'publish', key: 'self', families, observedAt: now(), expiresAt: Infinity })
  }

  let refreshes = true
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

  const servers: ReturnType<typeof createServer>[] = []
  let refreshing: NodeJS.Timeout | undefined
  let phase: 'starting' | 'ready' | 'stopping' = 'starting'
  const started = () => {
    if (phase === 'starting') phase = 'ready'
  }

  return {
    async start({ addresses, telemetryPath }) {
      await refresh()
      const landing = () => landingPage({ version, telemetryPath, tasks: snapshot.status(), now: now() })
      const body: ServerOptions['body'] = (format, only) => snapshot.body(format, now(), only)
      const owned = new Map(collectors.map(({ name, metrics }) => [name, metrics.map((metric) => metric.name)]))
      for (const address of addresses) {
        const server = createServer({
          telemetryPath,
          body,
          collectors: owned,
          landing,
          ready: () => ({
            isOk: phase === 'ready',
            text: phase === 'ready' ? 'stakewatch is ready.' : `stakewatch is ${phase}.`,
          }),
          healthy: () => ({ isOk: true, text: 'stakewatch is healthy.' }),
          count: self.httpRequest,
          cut: self.connectionCut,
          clock: {
            now: () => ({ steady: now() }),
            after(milliseconds, work) {
              const timer = setTimeout(work, milliseconds)
              return () => clearTimeout(timer)
            },
          },
        })
        servers.push(server)
        await listen(server, address)
      }
      refreshing = setInterval(() => void refreshAgain(), REFRESH)
      const giveUp = setTimeout(started, READY_AFTER)
      void scheduler.start(tasks).then(() => {
        clearTimeout(giveUp)
        if (phase === 'stopping') return
        started()
        log.info({ tasks: tasks.length }, 'every task has been attempted')
      })
      return servers.map((server) => server.server.address() as AddressInfo)
    },
    async once(which = () => true) {
      const signal = new AbortController().signal
      await Promise.all(tasks.filter(which).map((task) => runner.run(task, signal)))
      await refresh()
      const text = Buffer.concat(snapshot.body('text', now())).toString()
      return { text, rows: snapshot.status(), failed: tasks.filter((task) => runner.result(task) === 'failure') }
    },
    async stop() {
      phase = 'stopping'
      await scheduler.stop(GRACE)
      clearInterval(refreshing)
      await Promise.all(servers.map((server) => server.close()))
      await http.close()
    },
  }
}

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
