// Starts the worker that polls, with limits on its memory.

import { Worker } from 'node:worker_threads'

/** Beyond this the worker ends, and not the process (MiB). */
export const MEMORY = 1_024

/**
 * Space for young objects (MiB). The platform lets it grow to 96, which a poll of 1,500 validators fills and keeps. With 6 the
 * process holds 50 MiB less; a poll takes more CPU, see `npm run bench`.
 */
export const YOUNG = 6

/** The worker loads its modules and waits for a configuration. It does not keep the process alive until `ref()`. */
export function startWorker(file: URL): Worker {
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: YOUNG },
  })
  worker.unref()
  return worker
}
