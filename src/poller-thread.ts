// The poller in a thread of its own: what it says crosses to the thread that serves, so that no answer delays a scrape.

import { parentPort, workerData } from 'node:worker_threads'
import { type PackedConfig, unpacked } from './config/packed.ts'
import type { Clock } from './lib/clock.ts'
import { createLogger, type LogOptions } from './logger.ts'
import type { FromPoller } from './metrics/snapshot.ts'
import { createPoller } from './poller.ts'

/** What the thread is started with; plain data. */
export interface ThreadData {
  config: PackedConfig
  version: string
  log: Pick<LogOptions, 'level' | 'format'>
}

/** What the thread says. */
export type FromThread = FromPoller | { kind: 'log'; line: string } | { kind: 'stopped' }

/** What it is told. */
export type ToThread = 'stop'

export function pollInThread(clock: Clock, random: () => number): void {
  const { config, version, log } = workerData as ThreadData
  const port = parentPort!
  const say = (message: FromThread) => port.postMessage(message)
  const poller = createPoller({
    config: unpacked(config),
    version,
    log: createLogger({ ...log, write: (line) => say({ kind: 'log', line }) }),
    clock,
    random,
    publish: say,
  })
  port.once('message', (_: ToThread) => {
    void poller.stop().then(() => say({ kind: 'stopped' }))
  })
  poller.start()
}
