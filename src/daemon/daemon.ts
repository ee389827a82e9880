// The daemon in two threads: this one serves, the worker polls. Scrapes never wait for an upstream's answer to be parsed.

import type { AddressInfo } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { packed } from '../config/file/packed.ts'
import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import { backoff } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { createLogger, type LogOptions, type ProcessLogger } from '../logger.ts'
import type { Proxies } from '../lib/proxies.ts'
import type { Reloaded } from './poller.ts'
import { createReload, type Load, OVER_HTTP } from './reload.ts'
import { createServing, type ListenOptions, type ServingOptions } from './serving.ts'
import type { FromWorker, ToWorker, WorkerData } from './messages.ts'
import { MEMORY, startWorker } from './start-worker.ts'

export interface DaemonOptions extends Omit<ServingOptions, 'log'> {
  log: LogOptions
  random: () => number
  /** Of the environment; default: none. */
  proxies?: Proxies | undefined
  /** First file of the worker. */
  thread: URL
  /** A worker that was started already. */
  ahead?: Worker | undefined
  /** Folder of the storage. */
  storagePath?: string | undefined
  /** Reads the configuration again. Throws BaseError when it is invalid. */
  load?: Load | undefined
}

export type Daemon = ReturnType<typeof createDaemon>

/** A worker that takes longer to stop is terminated (milliseconds). */
const STOP_WITHIN = 2_500
/** One that takes longer to be terminated waits in the kernel, for a disk or the lookup of a name: no one can end it (milliseconds). */
const TERMINATED_WITHIN = 500

export function createDaemon(options: DaemonOptions) {
  const { config, proxies, shard, version, clock, random, thread, storagePath, load } = options
  const { level, format, write } = options.log
  let { ahead } = options
  const log = createLogger(options.log)
  const serving = createServing({ ...options, log })
  const failed = Promise.withResolvers<never>()
  // Avoids an unhandled rejection; the exit code reports the defect.
  failed.promise.catch(() => {})
  const settings = { shard, version, log: { level, format }, storagePath }
  const begin: WorkerData = { config: packed(config), proxies: packed(proxies), ...settings }
  let restarts = 0
  let isStopping = false
  let worker: Worker | undefined
  /** Called when the worker has taken another configuration. */
  let reloaded: ((done: Reloaded | undefined) => void) | undefined

  function startPolling(): void {
    if (isStopping) return
    // From here on the watchdog waits for a tick, so that it notices a worker that never starts.
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
      // The next worker starts with the new configuration.
      reloaded?.(undefined)
      serving.forget()
      if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return failed.reject(error)
      serving.pollerRestarted()
      log.warn({ megabytes: MEMORY }, 'poller ran out of memory, restarting')
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

  const reload = createReload({ load, poll, loaded: serving.configured, refused: serving.configRefused, log })

  return {
    /** Rejects when the worker cannot start, or has a defect. */
    failed: failed.promise,
    reload,
    /** The exposition, and how the last run of each task ended. */
    // Rows first, or series of a run that ends in between would look like series that it did not find.
    seen: async () => ({ rows: serving.status(), text: await serving.text() }),
    /** Binds the listeners and starts polling. Returns the bound ports. Throws the platform's error when one is not free. */
    async start(where: ListenOptions): Promise<readonly AddressInfo[]> {
      const bound = await serving.listen(where, () => reload(OVER_HTTP))
      startPolling()
      return bound
    },
    /** Returns whether all of it ended. */
    async stop(): Promise<boolean> {
      isStopping = true
      serving.drain()
      reloaded?.(undefined)
      const hasEnded = !worker || (await stopWorker(worker, { clock, log }))
      await serving.close()
      return hasEnded
    },
  }
}

/** Returns whether it ended, or has saved what it knows: the end of the process ends its lookups of names as well. */
async function stopWorker(worker: Worker, { clock, log }: { clock: Clock; log: ProcessLogger }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  worker.on('message', ({ kind }: FromWorker) => kind === 'stopped' && resolve(true))
  worker.on('exit', () => resolve(true))
  const callOff = clock.after(STOP_WITHIN, () => resolve(false))
  worker.postMessage('stop' satisfies ToWorker)
  const hasSaved = await promise
  callOff()
  const { promise: given, resolve: give } = Promise.withResolvers<boolean>()
  const giveUp = clock.after(TERMINATED_WITHIN, () => give(hasSaved))
  void worker.terminate().then(() => give(true))
  const hasEnded = await given
  giveUp()
  if (!hasEnded)
    log.error({}, 'the poller does not stop: is the disk of the storage available? What it counted last is lost')
  return hasEnded
}

/** Time for an upstream to stop sending what was too much (milliseconds). */
const RESTART_AFTER = 1_000
