// The real daemon, which asks a node that has its answers ready.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../../src/process/system-clock.ts'
import { createLogger } from '../../../src/logger.ts'
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
  log: createLogger({ level: 'error', format: 'logfmt', write: (line) => process.stderr.write(line) }),
  clock: systemClock,
  random: Math.random,
})
const [bound] = await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
const delay = monitorEventLoopDelay({ resolution: 1 })

answer(
  { url: `http://127.0.0.1:${bound!.port}/metrics` },
  {
    /** Memory after a collection: bytes. */
    memory() {
      globalThis.gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      return { rss: process.memoryUsage.rss() }
    },
    /** CPU so far: seconds. */
    cpu() {
      const { user, system } = process.cpuUsage()
      return { seconds: (user + system) / 1e6 }
    },
    watchDelay() {
      delay.reset()
      delay.enable()
      return {}
    },
    /** Of the event loop, since it is watched: milliseconds. */
    delay() {
      delay.disable()
      return { p99: delay.percentile(99) / 1e6 }
    },
  },
)
