// The poller in a worker: its messages go to the thread that serves, so that no answer delays a scrape.

import { parentPort } from 'node:worker_threads'
import { BaseError } from '../errors.ts'
import { unpacked } from '../config/file/packed.ts'
import type { Clock } from '../lib/clock.ts'
import { createLogger } from '../logger.ts'
import { createPoller, type Poller } from './poller.ts'
import { openStorage, type Storage } from '../storage/storage.ts'
import type { FromWorker, WorkerData, ToWorker } from './messages.ts'

/** Copying a smaller buffer is faster than transferring it (bytes). */
const LARGE = 65_536

/** Buffers of large families, which this thread does not use again. */
function transferable(message: FromWorker): ArrayBuffer[] {
  if (message.kind !== 'publish') return []
  return message.families.flatMap(({ lines }) => (lines.byteLength < LARGE ? [] : [lines.buffer as ArrayBuffer]))
}

export function pollInWorker(clock: Clock, random: () => number): void {
  const port = parentPort!
  const say = (message: FromWorker) => port.postMessage(message, transferable(message))
  let poller: Poller | undefined

  function begin({ config, proxies, shard, version, log: logOptions, storagePath }: WorkerData): void {
    const log = createLogger({ ...logOptions, write: (line) => say({ kind: 'log', line }) })
    let storage: Storage | undefined
    try {
      storage = storagePath === undefined ? undefined : openStorage({ folder: storagePath, now: clock.now, log })
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      return say({ kind: 'refused', reason: error.message })
    }
    poller = createPoller({
      config: unpacked(config),
      proxies: unpacked(proxies),
      shard,
      version,
      log,
      clock,
      random,
      publish: say,
      storage,
    })
    void poller.start()
  }

  async function stop(): Promise<void> {
    await poller?.stop()
    say({ kind: 'stopped' })
  }

  port.on('message', (message: ToWorker) => {
    if (message === 'stop') void stop()
    else if ('begin' in message) begin(message.begin)
    else if (poller) say({ kind: 'reloaded', reloaded: poller.reload(unpacked(message.reload)) })
  })
}
