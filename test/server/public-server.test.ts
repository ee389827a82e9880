// The listener of the public page: it is open to everyone, serves that page alone, and bears rude clients as the others do.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { get as getHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { loadWebConfig } from '../../src/config/web/web-config.ts'
import { createGate } from '../../src/server/gate.ts'
import { openAccess } from '../../src/server/web-config-reload.ts'
import type { Page } from '../../src/server/routes.ts'
import { createPublicServer, type HttpServer } from '../../src/server/server.ts'
import { authority, certificate } from '../support/certificates.ts'
import { createManualClock } from '../support/clock.ts'

const ca = authority('our authority')
const server = certificate('stakewatch', { by: ca, names: { ip: '127.0.0.1' } })
const files: Record<string, string> = { 'a.crt': server.cert, 'a.key': server.key, 'ca.crt': ca.cert }

const servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.close()))
})

const page: Page = { path: '/public', answer: () => ({ type: 'text/html; charset=utf-8', body: '<!doctype html>' }) }

/** `yaml`: the web configuration of the daemon. */
async function open({ yaml, pages = [page] }: { yaml?: string; pages?: readonly Page[] } = {}) {
  const time = createManualClock(0)
  const counted: string[] = []
  const cut: string[] = []
  const read = (text: string) => loadWebConfig(text, { file: 'web.yml', env: {}, readFile: (path) => files[path]! })
  let config = yaml === undefined ? undefined : read(yaml)
  const web = config && openAccess({ current: () => config! })
  const one = createPublicServer(pages, {
    count: (handler, code) => counted.push(`${handler} ${code}`),
    cut: (reason) => cut.push(reason),
    clock: time.clock,
    web: web && { config: web, gate: createGate(web, time.clock) },
  })
  servers.push(one)
  await one.listen({ host: '127.0.0.1', port: 0 })
  const { port } = one.server.address() as AddressInfo
  return { port, counted, cut, reload: (next: string) => (config = read(next)), current: () => web!.current() }
}

async function ask(port: number, path: string, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port, path, method, agent: false }).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  return { code: reply.statusCode, headers: reply.headers, body: await text(reply) }
}

test.each([
  '/',
  '/metrics',
  '/config',
  '/sd',
  '/api/v1/status',
  '/runbooks',
  '/runbooks/StakewatchDown',
  '/-/healthy',
  '/-/ready',
  '/-/reload',
  '/-/drill',
  '/-/to-prefix',
  '/public/',
  '/public/x',
  '/%zz',
])('%s is not there for any method, and the answer names no other path', async (path) => {
  const { port, counted } = await open()
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    expect(await ask(port, path, method)).toMatchObject({ code: 404, body: 'Not found.\n' })
  }
  await expect.poll(() => counted).toEqual(Array(4).fill('other 404'))
})

test('the page is there to read alone', async () => {
  const { port } = await open()
  expect(await ask(port, '/public')).toMatchObject({ code: 200, body: '<!doctype html>' })
  expect(await ask(port, '/public', 'HEAD')).toMatchObject({ code: 200, body: '' })
  expect(await ask(port, '/public', 'POST')).toMatchObject({ code: 405 })
})

test('a defect does not show what it is about', async () => {
  const broken: Page = {
    path: '/public',
    answer() {
      throw new Error('http://user:password@node.example')
    },
  }
  const { port } = await open({ pages: [broken] })
  expect(await ask(port, '/public')).toMatchObject({ code: 500, body: 'Internal error.\n' })
})

test('1,500 pipelined requests of a client that reads nothing close its connection', async () => {
  const large: Page = { path: '/public', answer: () => ({ type: 'text/html', body: 'x'.repeat(8_388_608) }) }
  const { port, cut, counted } = await open({ pages: [large] })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /public HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_500))
  await expect.poll(() => cut, { timeout: 120_000 }).toEqual(['pipelined'])
  socket.resume()
  await once(socket, 'close')
  expect(counted.length).toBeLessThan(64)
})

describe('of the web configuration', () => {
  const USERS = 'basic_auth_users: { prometheus: $2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J. }\n'
  const TLS =
    'tls_server_config: { cert_file: a.crt, key_file: a.key, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ca.crt }\n'

  test('passwords do not hold', async () => {
    const { port } = await open({ yaml: USERS })
    const { code, headers } = await ask(port, '/public')
    expect([code, headers['www-authenticate']]).toEqual([200, undefined])
  })

  test('TLS holds, and client certificates do not', async () => {
    const { port } = await open({ yaml: USERS + TLS })
    const asked = getHttps({ host: '127.0.0.1', port, path: '/public', ca: ca.cert, agent: false })
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    expect([reply.statusCode, await text(reply)]).toEqual([200, '<!doctype html>'])
  })

  test('headers and the rate limit hold, also once they change', async () => {
    const headers = 'http_server_config: { headers: { Strict-Transport-Security: max-age=1 } }\n'
    const { port, reload, current } = await open({ yaml: headers })
    expect((await ask(port, '/public')).headers['strict-transport-security']).toBe('max-age=1')
    expect(current()).toBe(current())
    reload('rate_limit: { interval: 1h, burst: 1 }\n')
    expect((await ask(port, '/public')).code).toBe(200)
    expect((await ask(port, '/public')).code).toBe(429)
  })
})
