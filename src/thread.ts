// The thread that polls, seen from the one that starts it: what crosses between them, and what it may hold.

import { Worker } from 'node:worker_threads'
import type { PackedConfig } from './config/packed.ts'
import type { Shard } from './lib/shard.ts'
import type { LogOptions } from './logger.ts'
import type { FromPoller } from './metrics/snapshot.ts'
import type { Reloaded } from './poller.ts'

/** What it polls; plain data. */
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
export type ToThread = 'stop' | { begin: ThreadData } | { reload: PackedConfig }

/** What it cannot hold ends the thread, and not the process (MiB). */
export const MEMORY = 1_024

/**
 * For objects that have just been made (MiB). The platform lets this grow to 96, and a poll of 1,500 validators fills and
 * keeps that. With 6 the process holds 50 MiB less; a poll takes more CPU, see docs/performance.md.
 */
export const YOUNG = 6

/** It loads its modules and waits for what to poll. It keeps the process only once somebody refers to it. */
export function startThread(file: URL): Worker {
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: YOUNG },
  })
  worker.unref()
  return worker
}
