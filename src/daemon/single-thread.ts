// The daemon in a single thread, for commands that poll once and for tests.

import type { AddressInfo } from 'node:net'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { Shard } from '../lib/shard.ts'
import type { Logger } from '../logger.ts'
import type { TaskStatus } from '../metrics/publication.ts'
import { createPoller } from './poller.ts'
import { createReload, OVER_HTTP, type Reload } from './reload.ts'
import type { Task } from '../scheduler/plan.ts'
import { createServing, type ListenOptions } from './serving.ts'
import type { Storage } from '../storage/storage.ts'

export interface AppOptions {
  config: Config
  /** The part of the configuration that is polled here; default: all. */
  shard?: Shard | undefined
  version: string
  log: Logger
  clock: Clock
  random: () => number
  /** Closed when the app stops. Without it counts are lost with the process. */
  storage?: Storage | undefined
  /** Reads the configuration again. Throws BaseError when it is invalid. */
  load?: (() => Config) | undefined
}

export interface App {
  /** Binds the listeners and starts polling. Returns the bound ports. Throws the platform's error when one is not free. */
  start(options: ListenOptions): Promise<readonly AddressInfo[]>
  /** Runs these tasks once, or all; returns the exposition, how each ended, and the tasks that failed. */
  once(which?: (task: Task) => boolean): Promise<{ text: string; rows: readonly TaskStatus[]; failed: readonly Task[] }>
  reload: Reload
  stop(): Promise<void>
}

export function createApp(options: AppOptions): App {
  const serving = createServing(options)
  const poller = createPoller({ ...options, publish: serving.accept })
  const { load, log } = options
  const { configured: loaded, configRefused: refused } = serving
  const reload = createReload({ load, poll: poller.reload, loaded, refused, log })
  return {
    reload,
    async start(where) {
      const bound = await serving.listen(where, () => reload(OVER_HTTP))
      void poller.start()
      return bound
    },
    async once(which = () => true) {
      const failed = await poller.once(which)
      return { text: await serving.text(), rows: serving.status(), failed }
    },
    async stop() {
      serving.drain()
      await poller.stop()
      await serving.close()
    },
  }
}
