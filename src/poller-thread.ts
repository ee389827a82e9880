// The poller in a thread of its own: what it says crosses to the thread that serves, so that no answer delays a scrape.

import { parentPort, workerData } from 'node:worker_threads'
import { BaseError } from './errors.ts'
import { type PackedConfig, unpacked } from './config/packed.ts'
import type { Clock } from './lib/clock.ts'
import type { Shard } from './lib/shard.ts'
import { createLogger, type LogOptions } from './logger.ts'
import type { FromPoller } from './metrics/snapshot.ts'
import { createPoller, type Reloaded } from './poller.ts'
import { openStorage, type Storage } from './storage/storage.ts'

/** What the thread is started with; plain data. */
export interface ThreadData {
  config: PackedConfig
  shard: Shard | undefined
  version: string
  log: Pick<LogOptions, 'level' | 'format'>
  storagePath: string | undefined
}

/** What the thread says. */
export type FromThread =
  | FromPoller
  | { kind: 'log'; line: string }
  | Refused
  | { kind: 'reloaded'; reloaded: Reloaded }
  | { kind: 'stopped' }

/** Why it does not begin: what an operator has to change. */
interface Refused {
  kind: 'refused'
  reason: string
}

/** What it is told. */
export type ToThread = 'stop' | { reload: PackedConfig }

export function pollInThread(clock: Clock, random: () => number): void {
  const { config, shard, version, log: logOptions, storagePath } = workerData as ThreadData
  const port = parentPort!
  const say = (message: FromThread) => port.postMessage(message)
  const log = createLogger({ ...logOptions, write: (line) => say({ kind: 'log', line }) })
  let storage: Storage | undefined
  try {
    storage = storagePath === undefined ? undefined : openStorage({ folder: storagePath, now: clock.now, log })
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    port.once('message', (_: ToThread) => say({ kind: 'stopped' }))
    return say({ kind: 'refused', reason: error.message })
  }
  const poller = createPoller({ config: unpacked(config), shard, version, log, clock, random, publish: say, storage })
  port.on('message', (told: ToThread) => {
    if (told === 'stop') void poller.stop().then(() => say({ kind: 'stopped' }))
    else say({ kind: 'reloaded', reloaded: poller.reload(unpacked(told.reload)) })
  })
  poller.start()
}
