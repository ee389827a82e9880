// The daemon in one thread, on a stepped clock. A question lets an hour go by and gives the memory after a collection.

import { channel } from 'node:diagnostics_channel'
import { createSingleThreadDaemon } from '../../../src/daemon/single-thread.ts'
import { measure } from '../../longrun/measure.ts'
import { createIdle, createSteppedClock, STEP } from '../../stepped-time.ts'
import { answer } from '../process.ts'
import { benchConfig } from '../publication/poll.ts'
import { benchValidators } from '../publication/validators.ts'
import { scrape } from '../serving/daemons.ts'
import { COLLECTORS } from '../serving/scrapes.ts'

const [, , node, count] = process.argv as [string, string, string, string]

const HOUR = 3_600
const { idle } = createIdle()
/** Requests under way: the node of a benchmark never hangs, it is only slow on a busy machine. */
const underWay = new Set<unknown>()
const requestOf = (message: unknown) => (message as { request: unknown }).request
channel('undici:request:create').subscribe((message) => underWay.add(requestOf(message)))
for (const end of ['trailers', 'error']) {
  channel(`undici:request:${end}`).subscribe((message) => underWay.delete(requestOf(message)))
}

async function settled(): Promise<void> {
  do await idle()
  while (underWay.size > 0)
}

const time = createSteppedClock(Date.now())
const app = createSingleThreadDaemon({
  config: benchConfig(benchValidators(Number(count)), { collectors: COLLECTORS, node }),
  version: 'bench',
  log: { info: () => {}, warn: ({ ...details }, message) => console.error(message, details) },
  clock: time.clock,
  random: Math.random,
})
const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
const url = `http://127.0.0.1:${bound!.port}/metrics`
// The first polls begin with the daemon.
await settled()

answer(
  {},
  {
    async hour() {
      for (let second = 0; second < HOUR; second += STEP) {
        time.advance(STEP * 1_000)
        await settled()
        if (second % 60 === 0) await scrape(url, { 'accept-encoding': 'gzip' })
      }
      return { rss: measure().rss }
    },
  },
)
