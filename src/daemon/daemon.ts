// The daemon: polls, judges and serves in one event loop.

import type { AddressInfo } from 'node:net'
import { createJudging } from './judging.ts'
import { createPoller, type PollerOptions } from './poller.ts'
import { createReload, OVER_HTTP, type ReloadOptions } from './reload.ts'
import type { Task } from '../scheduler/plan.ts'
import { createServing, type ListenOptions, type ServingOptions } from './serving.ts'

/** The storage is closed when the daemon stops. */
export type DaemonOptions = ServingOptions & Omit<PollerOptions, 'publish' | 'judging'> & Pick<ReloadOptions, 'load'>

export type Daemon = ReturnType<typeof createDaemon>

export function createDaemon(options: DaemonOptions) {
  const { load, log, clock, storage } = options
  const judging = createJudging({ clock, log, store: storage?.records('judge') })
  const serving = createServing({ ...options, judging })
  const poller = createPoller({ ...options, judging, publish: serving.accept })
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
    /** The exposition, and how the last run of each task ended. */
    // Rows first, or series of a run that ends in between would look like series that it did not find.
    seen: async () => ({ rows: serving.status(), text: await serving.text() }),
    async stop(): Promise<void> {
      serving.drain()
      await poller.stop()
      await serving.close()
    },
  }
}
