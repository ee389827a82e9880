import { Agent, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCompression } from '../../src/server/negotiate.ts'
import { createListener, defaultTimeouts } from '../../src/server/listener.ts'
import { parseListenAddress } from '../../src/server/listen-address.ts'
import { createFinder, type RouteOptions, routesOf } from '../../src/server/routes.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../src/server/server.ts'
import { inject } from '../support/inject.ts'

const TEXT = 'stakewatch_a{b="é"} 1\n'
const OPEN_METRICS = `${TEXT}# EOF\n`
const encode = (body: string) => new TextEncoder().encode(body)

const systemClock: ServerOptions['clock'] = {
  now: () => ({ steady: performance.now() }),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}

const servers: HttpServer[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const pages: ServerOptions['pages'] = [
  { path: '/', answer: () => ({ type: 'text/html; charset=utf-8', body: '<!doctype html>' }) },
  {
    path: '/books/:name',
    answer: ({ name, query }) => ({ code: 203, type: 'application/json', body: JSON.stringify({ name, query }) }),
  },
]

const served: RouteOptions = {
  telemetryPath: '/metrics',
  body: (format) => (format === 'text' ? [encode(TEXT)] : [encode(TEXT), encode('# EOF\n')]),
  collectors: new Map([['uptime', ['stakewatch_a']]]),
  pages,
  ready: () => ({ isOk: true, text: 'stakewatch is ready.' }),
  healthy: () => ({ isOk: true, text: 'stakewatch is healthy.' }),
}

function open(options: Partial<ServerOptions> = {}) {
  const counted: [string, number][] = []
  const server = createServer({
    ...served,
    count: (handler, code) => counted.push([handler, code]),
    cut: () => {},
    clock: systemClock,
    ...options,
  })
  servers.push(server)
  const listen = async () => {
    await server.listen({ host: '127.0.0.1', port: 0 })
    return (server.server.address() as AddressInfo).port
  }
  return { server, counted, listen }
}

const answer = (path: string, port: number, options: object = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, ...options }, resolve).on('error', reject)
  })

describe('each page', () => {
  const plain = 'text/plain; charset=utf-8'
  const openMetrics = { accept: 'application/openmetrics-text' }
  test.each([
    ['/metrics', {}, 200, 'text/plain; version=0.0.4; charset=utf-8', TEXT],
    ['/metrics?name[]=x', {}, 200, 'text/plain; version=0.0.4; charset=utf-8', TEXT],
    ['/metrics', openMetrics, 200, 'application/openmetrics-text; version=1.0.0; charset=utf-8', OPEN_METRICS],
    ['/-/healthy', {}, 200, plain, 'stakewatch is healthy.\n'],
    ['/-/ready?verbose', {}, 200, plain, 'stakewatch is ready.\n'],
    ['/?', {}, 200, 'text/html; charset=utf-8', '<!doctype html>'],
    ['/books/a%20b?x=1', {}, 203, 'application/json', '{"name":"a b","query":{"x":"1"}}'],
    ['/books/', {}, 203, 'application/json', '{"name":"","query":{}}'],
    ['/books/a/b', {}, 404, plain, 'Not found. The metrics are at /metrics.\n'],
    ['/nothing', {}, 404, plain, 'Not found. The metrics are at /metrics.\n'],
    ['/metrics/', {}, 404, plain, 'Not found. The metrics are at /metrics.\n'],
    ['/%zz', {}, 404, plain, 'Not found. The metrics are at /metrics.\n'],
  ])('%s %o: GET and HEAD give %i and the same headers, only GET a body', async (url, headers, code, type, body) => {
    const port = await open().listen()
    const reply = await answer(url, port, { headers })
    expect(await text(reply)).toBe(body)
    expect(reply.statusCode).toBe(code)
    const length = String(Buffer.byteLength(body))
    expect(reply.headers).toMatchObject({ 'content-type': type, 'content-length': length })
    const head = await answer(url, port, { headers, method: 'HEAD' })
    expect(await text(head)).toBe('')
    expect(head.statusCode).toBe(code)
    expect({ ...head.headers, date: '' }).toEqual({ ...reply.headers, date: '' })
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const)(
    '%s is refused before its body is looked at',
    async (method) => {
      const { server } = open()
      const request = { method: method as 'POST', headers: { 'content-type': 'application/json' }, payload: '{' }
      for (const url of ['/', '/metrics?x', '/-/healthy', '/-/ready']) {
        const { statusCode, headers } = await inject(server, { url, ...request })
        expect([statusCode, headers.allow, headers['content-type']]).toEqual([405, 'GET, HEAD', plain])
      }
      const { statusCode, headers } = await inject(server, { url: '/nothing', ...request })
      expect([statusCode, headers.allow]).toEqual([404, undefined])
    },
  )

  test('forbids browsers to guess its type, and programs to cache it', async () => {
    const { server } = open()
    for (const url of ['/', '/metrics', '/-/healthy', '/nothing']) {
      expect((await inject(server, url)).headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await inject(server, '/')).headers['cache-control']).toBe('no-store')
  })

  test('that fails says so in plain text', async () => {
    const { server, counted } = open({
      pages: [
        {
          path: '/',
          answer() {
            throw new Error('no tasks')
          },
        },
      ],
    })
    const reply = await inject(server, '/')
    expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([
      500,
      plain,
      'Internal error: no tasks\n',
    ])
    expect(counted).toEqual([['/', 500]])
  })
})

test.each(['/-/ready', '/-/healthy'] as const)('%s answers with the given state', async (url) => {
  let health = { isOk: false, text: 'No network has data.\nfuji: 0 of 3' }
  const { server } = open({ [url === '/-/ready' ? 'ready' : 'healthy']: () => health })
  const readAnswer = async () => {
    const { statusCode, body } = await inject(server, url)
    return [statusCode, body]
  }
  expect(await readAnswer()).toEqual([503, 'No network has data.\nfuji: 0 of 3\n'])
  health = { isOk: true, text: 'All is well.' }
  expect(await readAnswer()).toEqual([200, 'All is well.\n'])
})

test('the metrics can be at the root, where the status page gives way', async () => {
  const { server } = open({ telemetryPath: '/' })
  expect((await inject(server, '/')).body).toBe(TEXT)
  expect((await inject(server, '/metrics')).statusCode).toBe(404)
})

test('requests are counted by a handler that no client chooses', async () => {
  const { server, counted } = open()
  for (const url of ['/metrics?a=b', '/%6Detrics', '/', '/-/ready', '/metrics/x', '/%zz']) await inject(server, url)
  await inject(server, { url: '/metrics', method: 'POST' })
  expect(counted).toEqual([
    ['/metrics', 200],
    ['/metrics', 200],
    ['/', 200],
    ['/-/ready', 200],
    ['other', 404],
    ['other', 404],
    ['/metrics', 405],
  ])
  counted.length = 0
  const parts = ['/', '-', 'metrics', 'ready', '..', '%2F', '%00', '%zz', ';', '?', '#', 'é', '__proto__']
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...parts)), async (path) => {
      await inject(server, `/${path.join('')}`)
    }),
  )
  expect(counted).toHaveLength(100)
  expect(
    counted.filter(([handler]) => !['/', '/metrics', '/-/ready', '/-/healthy', 'other'].includes(handler)),
  ).toEqual([])
})

describe('connections', () => {
  test('a scraper keeps its connection', async () => {
    const port = await open().listen()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const used = []
    for (const path of ['/metrics', '/metrics', '/nothing', '/metrics']) {
      const reply = await answer(path, port, { agent })
      used.push(reply.socket)
      expect(reply.headers.connection).toBe('keep-alive')
      await text(reply)
    }
    agent.destroy()
    expect(new Set(used).size).toBe(1)
  })

  test('clients that send nothing are cut off', () => {
    let made: Server | undefined
    createListener({ timeouts: defaultTimeouts, streams: 8, web: undefined, prepare: (server) => (made = server) })
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = made!
    expect([headersTimeout, requestTimeout, timeout, keepAliveTimeout]).toEqual([5_000, 10_000, 30_000, 20_000])
  })
})

test.each([
  [':19650', { host: '::', port: 19_650 }],
  ['127.0.0.1:19650', { host: '127.0.0.1', port: 19_650 }],
  ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:19650', { host: '::1', port: 19_650 }],
  ['[::]:65535', { host: '::', port: 65_535 }],
  ['[fe80::1%eth0]:19650', { host: 'fe80::1%eth0', port: 19_650 }],
  ['', undefined],
  ['19650', undefined],
  ['127.0.0.1', undefined],
  ['127.0.0.1:', undefined],
  [':65536', undefined],
  [':-1', undefined],
  [':http', undefined],
  ['::1:19650', undefined],
  ['[127.0.0.1]:80', undefined],
  ['[::1]', undefined],
  ['[]:80', undefined],
  ['http://127.0.0.1:80', undefined],
  ['a b:80', undefined],
])('the listen address %j', (given, expected) => {
  expect(parseListenAddress(given)).toEqual(expected)
})

describe('compressed bodies', () => {
  test.each([
    ['gzip', true],
    ['identity', false],
    ['gzip;q=0, *;q=0.5', false],
    ['br, *', true],
    ['br', false],
    ['GZIP;q=0.5', true],
  ])('Accept-Encoding %s', async (coding, isGzip) => {
    const { server } = open()
    const reply = await inject(server, { url: '/metrics', headers: { 'accept-encoding': coding } })
    expect(reply.headers['content-encoding']).toBe(isGzip ? 'gzip' : undefined)
    expect((isGzip ? gunzipSync(reply.rawPayload) : reply.rawPayload).toString()).toBe(TEXT)
    expect(reply.headers['vary']).toBe('Accept, Accept-Encoding')
  })

  const unpacked = async (body: Promise<Buffer> | undefined) => gunzipSync((await body)!).toString()

  test('are made once for the same pieces', async () => {
    const pieces = [encode(TEXT)]
    const { gzip, plain } = createCompression()
    expect(plain(pieces)).toBe(plain(pieces))
    const [first, again, other] = [gzip(pieces), gzip(pieces), gzip([...pieces])]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(await unpacked(first)).toBe(TEXT)
  })

  test('of chosen collectors are made two at a time', async () => {
    const { chosen } = createCompression()
    const first = [chosen([encode('a 1\n')]), chosen([encode('b 2\n')])]
    expect(chosen([encode('c 3\n')])).toBeUndefined()
    expect(await Promise.all(first.map(unpacked))).toEqual(['a 1\n', 'b 2\n'])
    expect(await unpacked(chosen([encode('c 3\n')]))).toBe('c 3\n')
  })

  test('of chosen collectors that would be the third at a time are sent as they are', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `collector_${at}`)
    const routes = routesOf({
      ...served,
      collectors: new Map(names.map((name) => [name, [`stakewatch_${name}`]])),
      body: (_, only) => [encode([...only!].join())],
    })
    const { route } = createFinder(routes)('/metrics')!
    const headers = { 'accept-encoding': 'gzip' }
    const replies = await Promise.all(
      names.map(async (name) =>
        route.answer({ method: 'GET', headers, query: new URLSearchParams({ 'collect[]': name }), name: '' }),
      ),
    )
    const bodies = replies.map((reply) => {
      const body = Buffer.concat(reply.pieces)
      return (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    })
    expect(bodies).toEqual(names.map((name) => `stakewatch_${name}`))
    expect(replies.filter(({ headers }) => headers['content-encoding'] === 'gzip')).toHaveLength(2)
  })
})

describe('collect[]', () => {
  test.each([
    ['?collect[]=uptime', ['stakewatch_a']],
    ['?collect%5B%5D=uptime&collect[]=uptime', ['stakewatch_a']],
    ['?other=1', undefined],
  ])('%s asks for these metrics', async (query, expected) => {
    let asked: readonly string[] | undefined = ['nothing asked']
    const { server } = open({
      body: (_, only) => {
        asked = only && [...only]
        return []
      },
    })
    expect((await inject(server, `/metrics${query}`)).statusCode).toBe(200)
    expect(asked).toEqual(expected)
  })

  test('an unknown name is refused with the known ones', async () => {
    const reply = await inject(open().server, '/metrics?collect[]=nothing')
    expect([reply.statusCode, reply.body]).toEqual([400, 'Unknown collector in collect[]. Known: uptime.\n'])
  })
})

describe('/-/drill', () => {
  async function ask(method: string, query: string, isNew = true) {
    const asked: unknown[] = []
    const { listen } = open({
      drills: {
        async begin(drill) {
          asked.push(drill)
          return { isNew, began: 'at noon', seconds: 40 }
        },
        end: async () => void asked.push('end'),
      },
    })
    const reply = await fetch(`http://127.0.0.1:${await listen()}/-/drill?${query}`, { method })
    return { status: reply.status, text: (await reply.text()).trim(), asked }
  }

  test.each([
    ['', { labels: { severity: 'critical' }, lasts: 300_000 }],
    [
      'severity=info&network=fuji&node_id=a%20b&for=1m30s',
      { labels: { severity: 'info', network: 'fuji', node_id: 'a b' }, lasts: 90_000 },
    ],
    [
      `network=${'\u{1f600}'.repeat(32)}`,
      { labels: { severity: 'critical', network: '\u{1f600}'.repeat(32) }, lasts: 300_000 },
    ],
  ])('POST ?%s begins one', async (query, drill) => {
    const { status, text, asked } = await ask('POST', query)
    expect({ status, asked }).toEqual({ status: 200, asked: [drill] })
    expect(JSON.parse(text)).toEqual({ began: 'at noon', seconds: 40, telemetry_path: '/metrics' })
  })

  test('DELETE ends it', async () => {
    expect(await ask('DELETE', '')).toEqual({ status: 200, text: 'No drill is going on.', asked: ['end'] })
  })

  test('a second one is refused while one goes on', async () => {
    const { status, text } = await ask('POST', '', false)
    expect(status).toBe(409)
    expect(text).toBe(
      'A drill that began at at noon goes on for another 40 s. Wait for its end, or end it with DELETE.',
    )
  })

  const TEXT = /^Expected 1 to 128 bytes of printable text as network\.$/
  test.each<[string, string, number, RegExp]>([
    ['POST', 'severity=page', 400, /^Unknown severity. Expected critical, warning, info.$/],
    ['POST', 'job=a', 400, /^Unknown label job\. Alerts have network, .* address\.$/],
    ['POST', 'began=now', 400, /^Unknown label began\./],
    ['POST', 'network=', 400, TEXT],
    ['POST', `network=${'a'.repeat(129)}`, 400, TEXT],
    // 43 characters of three bytes, and 32 of four with one more.
    ['POST', `network=${'\u20ac'.repeat(43)}`, 400, TEXT],
    ['POST', `network=${'\u{1f600}'.repeat(32)}a`, 400, TEXT],
    ...[
      '%00',
      '%0a',
      '%09',
      '%1b[2J',
      '%7f',
      '%c2%85',
      '%e2%80%a8',
      '%e2%80%a9',
      '%e2%80%ae',
      '%e2%81%a6',
      '%e2%80%8b',
      '%ef%bb%bf',
      '%d8%9c',
    ].map((character) => ['POST', `network=a${character}b`, 400, TEXT] satisfies [string, string, number, RegExp]),
    ['POST', 'jo%1b%e2%80%aeb=a', 400, /^Unknown label jo\?\?b\./],
    ['POST', 'for=16m', 400, /^Expected a duration from 1s to 15m as for, such as 5m\.$/],
    ['POST', 'for=soon', 400, /^Expected a duration from 1s to 15m/],
    ['GET', '', 405, /^Method not allowed\. Use POST or DELETE\.$/],
  ])('%s ?%s is refused', async (method, query, status, text) => {
    expect(await ask(method, query)).toEqual({ status, text: expect.stringMatching(text), asked: [] })
  })

  test('is off without the flag', async () => {
    const reply = await fetch(`http://127.0.0.1:${await open().listen()}/-/drill`, { method: 'POST' })
    expect([reply.status, await reply.text()]).toEqual([403, 'Drills are off; --web.enable-lifecycle turns them on.\n'])
  })
})

describe('a request that changes something', () => {
  const PORT = '19650'
  type Headers = Readonly<Record<string, string>>

  test.each<[string, Headers, number]>([
    ['of a program', {}, 200],
    ['of this site', { 'sec-fetch-site': 'same-origin', origin: 'http://a.example:19650' }, 200],
    // A proxy in front has another name.
    ['of this site, by another name', { 'sec-fetch-site': 'same-origin', origin: 'https://b.example' }, 200],
    ['that a user typed', { 'sec-fetch-site': 'none' }, 200],
    ['of this site, by its origin', { origin: `http://A.example:${PORT}` }, 200],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of a neighbour', { 'sec-fetch-site': 'same-site' }, 403],
    ['of a site of a kind that no one knows', { 'sec-fetch-site': 'other' }, 403],
    [
      'of another site that says to be this one',
      { 'sec-fetch-site': 'cross-site', origin: `http://a.example:${PORT}` },
      403,
    ],
    ['of another site, by its origin', { origin: 'https://evil.example' }, 403],
    ['of another port', { origin: 'http://a.example:3000' }, 403],
    ['of a name that begins like this one', { origin: 'http://a.example.evil.example:19650' }, 403],
    ['of a page that hides where it comes from', { origin: 'null' }, 403],
    ['of an empty origin', { origin: '' }, 403],
    ['of a file', { origin: 'file://' }, 403],
  ])('%s: %j', async (_, headers, code) => {
    const done: string[] = []
    const { server } = open({
      reload: async () => `${done.push('reload')}`,
      drills: {
        begin: async () => ({ isNew: done.push('begin') > 0, began: '', seconds: 1 }),
        end: async () => void done.push('end'),
      },
    })
    const requests = [
      ['POST', '/-/reload'],
      ['PUT', '/-/reload'],
      ['POST', '/-/drill'],
      ['DELETE', '/-/drill'],
    ] as const
    for (const [method, url] of requests) {
      const reply = await inject(server, { method, url, headers: { host: `a.example:${PORT}`, ...headers } })
      expect(reply.statusCode).toBe(code)
      expect(/page of another site.*Send it with a program such as curl/.test(reply.body)).toBe(code === 403)
    }
    expect(done).toEqual(code === 200 ? ['reload', 'reload', 'begin', 'end'] : [])
  })

  test.each(['/metrics', '/-/healthy'])('what only reads, such as %s, is for every site', async (url) => {
    const reply = await inject(open().server, {
      url,
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://x.example' },
    })
    expect(reply.statusCode).toBe(200)
  })
})

describe('/-/reload', () => {
  const done = async () => 'The configuration is reloaded.'
  const refused = async () => {
    throw new Error('stakewatch.yml:3:1: unknown key')
  }
  test.each([
    ['POST', done, 200, 'The configuration is reloaded.\n'],
    ['PUT', done, 200, 'The configuration is reloaded.\n'],
    ['POST', refused, 500, 'Configuration refused, keeping the previous one:\nstakewatch.yml:3:1: unknown key\n'],
    ['POST', undefined, 403, 'Reload over HTTP is off; --web.enable-lifecycle turns it on.\n'],
    ['PUT', undefined, 403, 'Reload over HTTP is off; --web.enable-lifecycle turns it on.\n'],
    ['GET', done, 405, 'Method not allowed. Use POST or PUT.\n'],
    ['GET', undefined, 405, 'Method not allowed. Use POST or PUT.\n'],
    ['DELETE', done, 405, 'Method not allowed. Use POST or PUT.\n'],
  ] as const)('%s with %s gives %i', async (method, reload, code, body) => {
    const { listen, counted } = open({ reload })
    const reply = await fetch(`http://127.0.0.1:${await listen()}/-/reload`, { method })
    expect([reply.status, await reply.text()]).toEqual([code, body])
    expect(reply.headers.get('allow')).toBe(code === 405 ? 'POST, PUT' : null)
    expect(counted).toEqual([['/-/reload', code]])
  })
})
