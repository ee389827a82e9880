// Upstreams that know what the two documents define and nothing else: what follows from the documents is published as ever, and
// what does not is unsupported, which is no failure.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { type Operation, pathOf } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { EPOCH, networkOfTest } from '../simulator/network.ts'
import { clockOf } from '../support/clock.ts'
import { seriesOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const isDocumented = ({ source }: Operation) => source.startsWith('document')
const beyond = operations.filter((operation) => !isDocumented(operation))
const methods = new Set(beyond.filter(({ service }) => service === 'node').map(({ name }) => name))
const paths = beyond
  .filter(({ service }) => service !== 'node')
  .map((operation) => new RegExp(`^${pathOf(operation).replace(/\{\w+\}/g, '[^/]+')}$`))

/** In front of an upstream: refuses in its words what the documents do not have. Gives the address. */
async function documentsAlone(target: string): Promise<string> {
  async function answer(asked: IncomingMessage, reply: ServerResponse) {
    const { method, url = '/', headers } = asked
    const body = await text(asked)
    const [path = ''] = url.split('?')
    const called = method === 'POST' ? (Object(JSON.parse(body)) as { id?: unknown; method?: string }) : {}
    if (paths.some((one) => one.test(path))) {
      reply.writeHead(404, { 'content-type': 'application/json' })
      return reply.end(JSON.stringify({ message: `Cannot GET ${path}`, error: 'Not Found', statusCode: 404 }))
    }
    if (methods.has(called.method ?? '')) {
      const error = path.endsWith('/rpc')
        ? { code: -32_601, message: `the method ${called.method} does not exist/is not available` }
        : { code: -32_000, message: `rpc: can't find method "${called.method}"`, data: null }
      reply.writeHead(200, { 'content-type': 'application/json' })
      return reply.end(JSON.stringify({ jsonrpc: '2.0', error, id: called.id }))
    }
    const { host, ...passed } = headers
    return request(new URL(url, target), { method: method!, headers: passed }, (answered) => {
      reply.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(reply)
    }).end(body)
  }
  const server = createServer((asked, reply) => void answer(asked, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function poll(config: string) {
  const warnings: unknown[] = []
  const app = createDaemon({
    config: configFrom(config),
    version: '0.0.0',
    log: { info: () => {}, warn: (...said) => warnings.push(said) },
    clock: clockOf(() => EPOCH * 1_000),
    random: () => 0,
  })
  const { text: exposition, rows } = await app.once()
  await app.stop()
  const published = new Set(seriesOf(exposition, /./).map(({ name }) => name))
  return { published, warnings, results: new Map(rows.map(({ key, result }) => [key, result])) }
}

test('without all that is beyond the documents', async () => {
  const network = await networkOfTest({ dialect: 'live', metricsDialect: 'document' })
  const whole = network.config(collectors.map(({ name }) => name))
  const urls = [network.dataUrl, network.metricsUrl, ...network.nodes.map(({ url }) => url)]
  let alone = whole
  for (const url of urls) alone = alone.replaceAll(url, await documentsAlone(url))

  const before = await poll(whole)
  const after = await poll(alone)
  expect([...after.results.keys()].toSorted()).toEqual([...before.results.keys()].toSorted())
  const collectorOf = (key: string) => collectors.find(({ name }) => name === key.split('/')[0])!
  const changed = [...after.results].filter(([key, result]) => result !== before.results.get(key))
  // Each task answers as before, or says that there is nothing to ask.
  expect(changed.filter(([, result]) => result !== 'unsupported')).toEqual([])
  const unsupported = new Set(changed.map(([key]) => collectorOf(key)))
  expect([...unsupported].filter(({ uses }) => uses.every(isDocumented))).toEqual([])
  // What other collectors tell they tell without it.
  const others = collectors.filter((one) => !unsupported.has(one)).flatMap(({ metrics }) => metrics)
  const gone = others
    .filter(({ name }) => before.published.has(name) && !after.published.has(name))
    .map(({ name }) => name)
  expect(gone).toEqual([])
  expect(after.warnings).toEqual(before.warnings)
})
