// The daemon's second thread, which here also frees its memory when it is told to: the first one cannot do it from outside.

import { BroadcastChannel } from 'node:worker_threads'
import { systemClock } from '../../../src/clock.ts'
import { tidy } from '../../../src/heap.ts'
import { pollInThread } from '../../../src/poller-thread.ts'

const channel = new BroadcastChannel('bench')
channel.unref()
const target: EventTarget = channel
target.addEventListener('message', (event) => {
  if ((event as MessageEvent).data !== 'collect') return
  tidy()
  channel.postMessage('collected')
})

pollInThread(systemClock, Math.random)
