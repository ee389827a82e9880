// Keeps the file of the storage in a thread of its own: SQLite waits for the disk, and a disk that hangs stops what waits.

import { Worker } from 'node:worker_threads'
import { BaseError } from '../errors.ts'
import type { Answer, Keeper } from './messages.ts'

/** A defect of the thread ends the process, as nothing listens for its errors. `entry`: its first file. */
export function keepInThread(entry: URL, folder: string): Keeper {
  refuseDeletedFolder()
  const worker = new Worker(entry, { workerData: folder })
  return {
    async write(batch) {
      return new Promise<Answer>((resolve) => {
        worker.once('message', resolve)
        worker.postMessage(batch)
      })
    },
    async close() {
      return new Promise<void>((resolve) => {
        worker.once('exit', () => resolve())
        worker.postMessage('close')
      })
    },
  }
}

/** Throws a BaseError with code `config` where the current folder was deleted: no thread can start in it. */
export function refuseDeletedFolder(): void {
  try {
    process.cwd()
  } catch {
    throw new BaseError('config', 'the folder in which stakewatch was started no longer exists: change to another one')
  }
}
