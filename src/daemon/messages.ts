// The messages between the thread that serves and the worker that polls.

import type { Packed } from '../config/file/packed.ts'
import type { Config } from '../config/schema.ts'
import type { Shard } from '../lib/shard.ts'
import type { LogOptions } from '../logger.ts'
import type { FromPoller } from '../metrics/publication.ts'
import type { Proxies } from '../lib/proxies.ts'
import type { Reloaded } from './poller.ts'

/** What the worker needs to start; plain data. */
export interface WorkerData {
  config: Packed<Config>
  proxies: Packed<Proxies | undefined>
  shard: Shard | undefined
  version: string
  log: Pick<LogOptions, 'level' | 'format'>
  storagePath: string | undefined
}

/** From the worker. */
export type FromWorker =
  | FromPoller
  | { kind: 'log'; line: string }
  /** The worker cannot start: the reason says what an operator has to change. */
  | { kind: 'refused'; reason: string }
  | { kind: 'reloaded'; reloaded: Reloaded }
  | { kind: 'stopped' }

/** To the worker. */
export type ToWorker = 'stop' | { begin: WorkerData } | { reload: Packed<Config> }
