// Starting the worker that polls, and how much memory it may hold.

import { Worker } from 'node:worker_threads'

/** What it cannot hold ends the thread, and not the process (MiB). */
export const MEMORY = 1_024

/**
 * For objects that have just been made (MiB). The platform lets this grow to 96, and a poll of 1,500 validators fills and
 * keeps that. With 6 the process holds 50 MiB less; a poll takes more CPU, see `npm run bench`.
 */
export const YOUNG = 6

/** It loads its modules and waits for what to poll. It keeps the process only once somebody refers to it. */
export function startWorker(file: URL): Worker {
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: YOUNG },
  })
  worker.unref()
  return worker
}
