// The daemon: polls, judges and serves in one event loop.

import type { AddressInfo } from 'node:net'
import type { Config } from '../config/schema.ts'
import { createJudging } from './judging.ts'
import { createPoller, type Poller, type PollerOptions } from './poller.ts'
import { createReload, OVER_HTTP, type ReloadOptions } from './reload.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Storage } from '../storage/storage.ts'
import { createServing, type ListenOptions, type ServingOptions } from './serving.ts'

export type DaemonOptions = ServingOptions &
  Omit<PollerOptions, 'publish' | 'judging' | 'storage'> &
  Pick<ReloadOptions, 'load'> & {
    /** Opened before anything is polled, and closed when the daemon stops. */
    storage?: Storage | undefined
  }

export type Daemon = ReturnType<typeof createDaemon>

export function createDaemon(options: DaemonOptions) {
  const { load, log, clock, storage } = options
  const judging = createJudging({ clock, log })
  const serving = createServing({ ...options, judging })
  const failed = Promise.withResolvers<never>()
  let { config } = options
  let beginning: Promise<Poller> | undefined
  let poller: Poller | undefined
  let isStopping = false

  /** The poller begins with what the storage has. */
  async function begin(): Promise<Poller> {
    await storage?.open()
    judging.resume(storage?.records('judge'))
    return (poller = createPoller({ ...options, judging, config, publish: serving.accept }))
  }

  async function poll(): Promise<void> {
    const begun = await (beginning ??= begin())
    if (!isStopping) await begun.start()
  }

  async function repoll(next: Config) {
    config = next
    return poller?.reload(next)
  }

  const { configured: loaded, configRefused: refused } = serving
  const reload = createReload({ load, poll: repoll, loaded, refused, log })
  return {
    reload,
    drills: serving.drills,
    /** Rejects when polling cannot begin, with a BaseError where another process uses the storage. */
    failed: failed.promise,
    /** Binds the listeners and starts polling. Returns the bound ports. Throws the platform's error when one is not free. */
    async start(where: ListenOptions): Promise<readonly AddressInfo[]> {
      const bound = await serving.listen(where, () => reload(OVER_HTTP))
      void poll().catch(failed.reject)
      return bound
    },
    /** Runs these tasks once, or all; returns the exposition, how each ended, and the tasks that failed. */
    async once(which: (task: Task) => boolean = () => true) {
      const begun = await (beginning ??= begin())
      const failed = await begun.once(which)
      return { text: await serving.text(), rows: serving.status(), failed }
    },
    /** The current samples that the judge and the pages keep, and how the last run of each task ended. */
    seen: () => ({ rows: serving.status(), readings: judging.readings(), judged: judging.last() }),
    async stop(): Promise<void> {
      isStopping = true
      serving.drain()
      await poller?.stop()
      await Promise.all([storage?.close(), serving.close()])
    },
  }
}
