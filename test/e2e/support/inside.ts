// Loaded into stakewatch before anything else (`node --expose-gc --import`), in each of its threads: reports, when asked over
// the channel to the parent, what keeps the process busy and what it holds.

import { BroadcastChannel, isMainThread } from 'node:worker_threads'

export interface Inside {
  /** Handles, requests and timers that keep the event loop alive, by kind. */
  active: Readonly<Record<string, number>>
  /** Of events of the process. */
  listeners: number
  /** Bytes: of the whole process, and of the thread. */
  rss: number
  heap: number
}

const others = new BroadcastChannel('inside')
others.unref()

interface Exposed {
  gc?: (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
}

function look(): Inside {
  // The last resort also gives back what is kept ready for new objects: tens of megabytes that come and go with the load.
  // Twice: what the first leaves to be finalized goes with the second.
  for (let time = 0; time < 2; time += 1)
    (globalThis as Exposed).gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const active: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const { rss, heapUsed: heap } = process.memoryUsage()
  return { active, listeners, rss, heap }
}

others.addEventListener('message', (event) => {
  const { data } = event as unknown as { data: unknown }
  if (!isMainThread && data === 'look') others.postMessage(look())
  if (isMainThread && data !== 'look') process.send!([look(), data])
})

if (isMainThread) {
  process.on('message', () => others.postMessage('look'))
  process.channel!.unref()
}
