// The daemon in a single thread, for commands that poll once and for tests.

import type { AddressInfo } from 'node:net'
import { createPoller, type PollerOptions } from './poller.ts'
import { createReload, OVER_HTTP, type ReloadOptions } from './reload.ts'
import type { Task } from '../scheduler/plan.ts'
import { createServing, type ListenOptions, type ServingOptions } from './serving.ts'

/** The storage is closed when the daemon stops. */
export type SingleThreadDaemonOptions = ServingOptions & Omit<PollerOptions, 'publish'> & Pick<ReloadOptions, 'load'>

export type SingleThreadDaemon = ReturnType<typeof createSingleThreadDaemon>

export function createSingleThreadDaemon(options: SingleThreadDaemonOptions) {
  const serving = createServing(options)
  const poller = createPoller({ ...options, publish: serving.accept })
  const { load, log } = options
  const { configured: loaded, configRefused: refused } = serving
  const reload = createReload({ load, poll: poller.reload, loaded, refused, log })
  return {
    reload,
    drills: serving.drills,
    /** Binds the listeners and starts polling. Returns the bound ports. Throws the platform's error when one is not free. */
    async start(where: ListenOptions): Promise<readonly AddressInfo[]> {
      const bound = await serving.listen(where, () => reload(OVER_HTTP))
      void poller.start()
      return bound
    },
    /** Runs these tasks once, or all; returns the exposition, how each ended, and the tasks that failed. */
    async once(which: (task: Task) => boolean = () => true) {
      const failed = await poller.once(which)
      return { text: await serving.text(), rows: serving.status(), failed }
    },
    async stop(): Promise<void> {
      serving.drain()
      await poller.stop()
      await serving.close()
    },
  }
}
