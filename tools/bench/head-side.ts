// The server with a published snapshot, few series and many: the CPU time of a HEAD request, which does all that a scrape does
// but send the body.

import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { NEVER } from '../../src/lib/clock.ts'
import { ofDaemon } from '../../src/metrics/define.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import { systemClock } from '../../src/process/system-clock.ts'
import { createServer } from '../../src/server/server.ts'
import { answer, measured } from './process.ts'

const [, , encoding] = process.argv as [string, string, string]

const [FEW, MANY] = [100, 100_000]
/** Series in what a task publishes. */
const UNIT = 4
const ROUNDS = 60
/** In a round. */
const REQUESTS = 25

const metric = ofDaemon.gauge('stakewatch_bench', { help: 'A series.' })

async function open(series: number): Promise<URL> {
  const snapshot = createSnapshot([metric], 'own')
  const lines = (unit: number) =>
    Array.from({ length: UNIT }, (_, at) => `stakewatch_bench{validator="validator-${unit}-${at}"} ${at}\n`).join('')
  for (let unit = 0; unit < series / UNIT; unit += 1) {
    const family = { name: metric.name, lines: [Buffer.from(lines(unit))], series: UNIT }
    snapshot.accept({ kind: 'publish', key: `task-${unit}`, families: [family], expiresAt: NEVER })
  }
  const health = () => ({ isOk: true, text: 'ok' })
  const server = createServer({
    telemetryPath: '/metrics',
    body: (format, only) => snapshot.body(format, systemClock.now(), only),
    collectors: new Map(),
    pages: [],
    ready: health,
    healthy: health,
    count: () => {},
    cut: () => {},
    clock: systemClock,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return new URL(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/metrics`)
}

const agent = new Agent({ keepAlive: true })

/** Bytes of the body that it would have sent. */
async function scrape(url: URL): Promise<number> {
  const asked = request(url, { agent, method: 'HEAD', headers: { 'accept-encoding': encoding } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return Number(response.headers['content-length'])
}

async function round(url: URL): Promise<number> {
  const { cpu } = await measured(async () => {
    for (let at = 0; at < REQUESTS; at += 1) await scrape(url)
  })
  return cpu
}

const [few, many] = [await open(FEW), await open(MANY)]
if ((await scrape(many)) < 100 * (await scrape(few))) throw new Error('the bodies do not hold their series')

/** The least of all rounds: milliseconds of CPU. */
answer(async () => {
  const least = { few: Infinity, many: Infinity }
  for (let at = 0; at < ROUNDS; at += 1) {
    least.few = Math.min(least.few, await round(few))
    least.many = Math.min(least.many, await round(many))
  }
  return least
})
