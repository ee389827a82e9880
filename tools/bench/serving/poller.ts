// The daemon's second thread, which here also frees its memory on request: the first one cannot do it from outside.

import { BroadcastChannel } from 'node:worker_threads'
import { systemClock } from '../../../src/process/system-clock.ts'
import { pollInWorker } from '../../../src/daemon/worker.ts'

const channel = new BroadcastChannel('bench')
channel.unref()
const target: EventTarget = channel
target.addEventListener('message', (event) => {
  if ((event as MessageEvent).data !== 'collect') return
  globalThis.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  channel.postMessage('collected')
})

pollInWorker(systemClock, Math.random)
