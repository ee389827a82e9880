// The daemon in a single thread, for commands that poll once and for tests.

import type { AddressInfo } from 'node:net'
import type { TaskStatus } from '../metrics/publication.ts'
import { createPoller, type PollerOptions } from './poller.ts'
import { createReload, OVER_HTTP, type Reload, type ReloadOptions } from './reload.ts'
import type { Task } from '../scheduler/plan.ts'
import { createServing, type ListenOptions, type ServingOptions } from './serving.ts'

/** The storage is closed when the daemon stops. */
export type SingleThreadDaemonOptions = ServingOptions & Omit<PollerOptions, 'publish'> & Pick<ReloadOptions, 'load'>

export interface SingleThreadDaemon {
  /** Binds the listeners and starts polling. Returns the bound ports. Throws the platform's error when one is not free. */
  start(options: ListenOptions): Promise<readonly AddressInfo[]>
  /** Runs these tasks once, or all; returns the exposition, how each ended, and the tasks that failed. */
  once(which?: (task: Task) => boolean): Promise<{ text: string; rows: readonly TaskStatus[]; failed: readonly Task[] }>
  reload: Reload
  stop(): Promise<void>
}

export function createSingleThreadDaemon(options: SingleThreadDaemonOptions): SingleThreadDaemon {
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
