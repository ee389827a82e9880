// The daemon in two threads: this one serves, the other one polls. Whatever an answer costs, scrapes do not wait for it.

import type { AddressInfo } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { packed } from '../config/file/packed.ts'
import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import { backoff } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import type { Shard } from '../lib/shard.ts'
import { createLogger, type LogOptions } from '../logger.ts'
import type { TaskStatus } from '../metrics/publication.ts'
import type { Reloaded } from './poller.ts'
import { createReload, type Load, OVER_HTTP, type Reload } from './reload.ts'
import { createServing, type ListenOptions } from './serving.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'
import { MEMORY, startWorker } from './start-worker.ts'

export interface DaemonOptions {
  config: Config
  /** What of it is polled here; default: all. */
  shard?: Shard | undefined
  version: string
  log: LogOptions
  /** Log lines that could not be written. */
  logLinesDropped?: (() => number) | undefined
  clock: Clock
  random: () => number
  /** First file of the thread that polls. */
  thread: URL
  /** Such a thread that was started already. */
  ahead?: Worker | undefined
  /** Folder that keeps what is counted. */
  storagePath?: string | undefined
  /** All of it is about a simulated network. */
  isSimulated?: boolean | undefined
  /** The text of the runbook of an alert; undefined where there is none. */
  runbook?: ((alert: string) => string | undefined) | undefined
  /** Publishes nothing about the process and its HTTP side but what alerts need. */
  withoutExporterMetrics?: boolean | undefined
  /** Reads the configuration again. Throws BaseError when it is refused. */
  load?: Load | undefined
}

export interface Daemon {
  /** Binds the listeners and starts polling. Gives the ports that were bound. Throws the platform's error when one is not free. */
  start(options: ListenOptions): Promise<readonly AddressInfo[]>
  /** Rejects when the thread that polls cannot begin, or has a defect. */
  failed: Promise<never>
  reload: Reload
  /** The exposition, and how the last run of each task ended. */
  seen(): Promise<{ text: string; rows: readonly TaskStatus[] }>
  stop(): Promise<void>
}

/** It is given up when it does not end by itself when asked to (milliseconds). */
const STOP_WITHIN = 2_500

export function createDaemon({
  config,
  shard,
  version,
  log: logOptions,
  logLinesDropped,
  clock,
  random,
  thread,
  ahead,
  storagePath,
  isSimulated,
  runbook,
  withoutExporterMetrics,
  load,
}: DaemonOptions): Daemon {
  const log = createLogger(logOptions)
  const serving = createServing({
    config,
    shard,
    version,
    log,
    logLinesDropped,
    clock,
    isSimulated,
    runbook,
    withoutExporterMetrics,
  })
  const failed = Promise.withResolvers<never>()
  // Whoever does not wait for it learns of a defect by the exit code.
  failed.promise.catch(() => {})
  const { level, format, write } = logOptions
  const begin: WorkerData = { config: packed(config), shard, version, log: { level, format }, storagePath }
  let restarts = 0
  let isStopping = false
  let worker: Worker | undefined
  /** Waits for the thread to have another configuration. */
  let reloaded: ((done: Reloaded | undefined) => void) | undefined

  function startPolling(): void {
    if (isStopping) return
    // From here on the watchdog waits for a tick: a thread that never begins stands still as well.
    serving.accept({ kind: 'tick', at: clock.now() })
    worker = ahead ?? startWorker(thread)
    ahead = undefined
    worker.ref()
    worker.postMessage({ begin } satisfies ToWorker)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'log') write(message.line)
      else if (message.kind === 'refused') failed.reject(new BaseError('config', message.reason))
      else if (message.kind === 'reloaded') reloaded?.(message.reloaded)
      else if (message.kind !== 'stopped') serving.accept(message)
    })
    worker.on('error', (error: Error) => {
      worker = undefined
      // The next one begins with it.
      reloaded?.(undefined)
      serving.forget()
      if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return failed.reject(error)
      serving.pollerRestarted()
      log.warn({ megabytes: MEMORY }, 'what polls ran out of memory and is started again')
      clock.after(backoff(restarts, random) + RESTART_AFTER, startPolling)
      restarts += 1
    })
  }

  async function poll(next: Config): Promise<Reloaded | undefined> {
    if (isStopping) throw new BaseError('aborted', 'stakewatch is stopping')
    begin.config = packed(next)
    if (!worker) return undefined
    const { promise, resolve } = Promise.withResolvers<Reloaded | undefined>()
    reloaded = resolve
    worker.postMessage({ reload: begin.config } satisfies ToWorker)
    return promise
  }

  const { configured: loaded, configRefused: refused } = serving
  const reload = createReload({ load, poll, loaded, refused, log })

  async function stopPolling(): Promise<void> {
    // What ends by itself meanwhile is no longer the worker.
    const last = worker
    if (!last) return
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    last.on('message', ({ kind }: FromWorker) => kind === 'stopped' && resolve())
    last.on('exit', resolve)
    reloaded?.(undefined)
    const callOff = clock.after(STOP_WITHIN, resolve)
    last.postMessage('stop' satisfies ToWorker)
    await ended
    callOff()
    await last.terminate()
  }

  return {
    failed: failed.promise,
    reload,
    async seen() {
      // First the rows: what the text lacks of a task must not pass for what its run did not find.
      const rows = serving.status()
      return { rows, text: await serving.text() }
    },
    async start(where) {
      const bound = await serving.listen(where, () => reload(OVER_HTTP))
      startPolling()
      return bound
    },
    async stop() {
      isStopping = true
      serving.drain()
      await stopPolling()
      await serving.close()
    },
  }
}

/** Time for an upstream to stop sending what was too much (milliseconds). */
const RESTART_AFTER = 1_000
