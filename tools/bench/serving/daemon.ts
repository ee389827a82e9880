// The real daemon with both of its threads, which asks a node that has its answers ready.

import { BroadcastChannel } from 'node:worker_threads'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../../src/process/system-clock.ts'
import { createDaemon } from '../../../src/daemon/daemon.ts'
import { benchConfig } from '../publication/poll.ts'
import { benchValidators } from '../publication/validators.ts'
import { answer } from '../process.ts'
import { walletsOf } from './wallets.ts'

const [, , node, count, collectors, every, wallets] = process.argv

const watched = { collectors: collectors!.split(','), every, node: node! }
const config = walletsOf(benchConfig(benchValidators(Number(count)), watched), Number(wallets))
const daemon = createDaemon({
  config,
  version: 'bench',
  log: { level: 'error', format: 'logfmt', write: (line) => process.stderr.write(line) },
  clock: systemClock,
  random: Math.random,
  thread: new URL('poller.ts', import.meta.url),
})
const [bound] = await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
const delay = monitorEventLoopDelay({ resolution: 1 })
const channel = new BroadcastChannel('bench')

answer(
  { url: `http://127.0.0.1:${bound!.port}/metrics` },
  {
    /** Memory of both threads after a collection: bytes. */
    async memory() {
      const collected = once(channel as unknown as EventTarget, 'message')
      channel.postMessage('collect')
      await collected
      globalThis.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      return { rss: process.memoryUsage.rss() }
    },
    /** CPU of all threads so far: seconds. */
    cpu() {
      const { user, system } = process.cpuUsage()
      return { seconds: (user + system) / 1e6 }
    },
    watchDelay() {
      delay.reset()
      delay.enable()
      return {}
    },
    /** Of the thread that serves, since it is watched: milliseconds. */
    delay() {
      delay.disable()
      return { p99: delay.percentile(99) / 1e6 }
    },
  },
)
