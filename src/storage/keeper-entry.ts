// First file of the thread that keeps the storage's file.

import { parentPort, workerData } from 'node:worker_threads'
import { createKeeper } from './keeper.ts'
import type { Batch } from './messages.ts'

const port = parentPort!
const keeper = createKeeper(workerData as string)

port.on('message', (message: Batch | 'close') => {
  if (message !== 'close') return port.postMessage(keeper.write(message))
  keeper.close()
  port.close()
})
