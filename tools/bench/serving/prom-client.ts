// The samples of an exposition in gauges of prom-client, rendered for each scrape as its users do it, and compressed at the
// level that the daemon uses.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { Gauge, Registry } from 'prom-client'
import { readSamples } from '../../../src/metrics/read-exposition.ts'
import { answer } from '../process.ts'

const [, , plain] = process.argv as [string, string, string]
const compress = promisify(gzip)
const registry = new Registry()
const gauges = new Map<string, Gauge>()

const samples = readSamples(readFileSync(plain))
/** Not every series of a metric has each of its labels. */
const labelNames = new Map<string, Set<string>>()
for (const { name, labels } of samples) {
  labelNames.set(name, new Set([...(labelNames.get(name) ?? []), ...Object.keys(labels)]))
}

for (const { name, labels, value } of samples) {
  let gauge = gauges.get(name)
  if (!gauge) {
    gauge = new Gauge({
      name,
      help: 'The same samples.',
      labelNames: [...labelNames.get(name)!],
      registers: [registry],
    })
    gauges.set(name, gauge)
  }
  gauge.set(labels, value)
}

const server = createServer((request, response) => {
  const isCompressed = request.headers['accept-encoding']?.includes('gzip') ?? false
  void registry
    .metrics()
    .then((text) => (isCompressed ? compress(text, { level: constants.Z_BEST_SPEED + 2 }) : Buffer.from(text)))
    .then((body) => {
      response.writeHead(200, {
        'content-type': registry.contentType,
        'content-length': body.length,
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      })
      response.end(body)
    })
})
server.listen(0, '127.0.0.1', () => {
  answer({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics` }, {})
})
