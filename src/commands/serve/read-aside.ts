// Reads the configuration again in a thread of its own, which ends with it: a large file takes seconds, and one on a disk that
// hangs has no end. Meanwhile scrapes are answered.

import { Worker } from 'node:worker_threads'
import { type Packed, unpacked } from '../../config/file/packed.ts'
import type { Config } from '../../config/schema.ts'
import type { Clock } from '../../lib/clock.ts'
import { BaseError } from '../../errors.ts'
import { refuseDeletedFolder } from '../../storage/keeper-thread.ts'
import type { Io } from '../io.ts'
import type { Remembered } from './watched-files.ts'

/** What the thread is started with. */
export interface ToRead {
  path: string
  env: Io['env']
  trigger: string
  remembered: Remembered
}

/** What it says before it ends; it remembers files that it refused as well. */
export type HasRead = { remembered: Remembered } & ({ config: Packed<Config> } | { refusal: string })

/** A million values take a quarter of it (milliseconds). */
const MOST_TIME = 60_000
/** A million values take half of it (MiB). */
const MOST_MEMORY = 1_024

/** Updates `remembered`. Throws a BaseError with code `config` if the file is refused, or takes too much time or memory. */
export async function readAside(
  toRead: ToRead,
  { reader, clock }: { reader: URL; clock: Pick<Clock, 'after'> },
): Promise<Config> {
  refuseDeletedFolder()
  const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY }
  const worker = new Worker(reader, { workerData: toRead, resourceLimits })
  const { promise, resolve, reject } = Promise.withResolvers<HasRead>()
  worker.on('message', resolve)
  worker.on('error', (error: Error) => {
    const isTooMuch = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(isTooMuch ? refusal(toRead, `takes more than ${MOST_MEMORY} MiB of memory to read: split it`) : error)
  })
  const callOff = clock.after(MOST_TIME, () => {
    const message = `takes more than ${MOST_TIME / 1_000} s to read: is the disk of it, or of a file that it names, available? If so, split it`
    reject(refusal(toRead, message))
    // It may never end: a thread that waits for a disk cannot be stopped.
    void worker.terminate()
  })
  const read = await promise.finally(callOff)
  Object.assign(toRead.remembered, read.remembered)
  if ('refusal' in read) throw new BaseError('config', read.refusal)
  return unpacked(read.config)
}

function refusal({ path }: ToRead, message: string): BaseError {
  return new BaseError('config', `${path}: ${message}`)
}
