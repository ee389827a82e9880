// What rude clients can do to the server, over real sockets. Time passes where a test says so.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { afterEach, describe, expect, test } from 'vitest'
import { webFlags } from '../../src/commands/io.ts'
import { listeningOf, type SecurityFlags } from '../../src/commands/serve/web-flags.ts'
import type { Limits } from '../../src/server/connections.ts'
import type { ServerOptions } from '../../src/server/server.ts'
import { openServer } from '../support/open-server.ts'

const SCRAPE = 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'
/** 64 MB: more than the sockets between client and server hold. */
const huge = Array<Uint8Array>(64).fill(new Uint8Array(1_048_576).fill(120))
const small = [new TextEncoder().encode('stakewatch_a 1\n')]

/** Bodies of 64 MB take their time on a machine that is busy. */
const soon = { timeout: 120_000 }

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function open(options: Partial<ServerOptions> = {}, limits: Partial<Limits> = {}) {
  let bodies = 0
  const { body = () => small, ...others } = options
  const opened = await openServer(() => ({
    body(...asked) {
      bodies += 1
      return body(...asked)
    },
    limits: { answerWithin: 25_000, pipelined: 8, connections: 512, bodies: 256, ...limits },
    ...others,
  }))
  return { ...opened, bodies: () => bodies }
}

/** A client that reads nothing until the test lets it. */
function client(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, closed }
}

/** All that the server sends until it closes the connection. */
async function conversation(port: number, sent: string): Promise<string> {
  const { socket, closed } = client(port)
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
  socket.write(sent, 'latin1')
  await closed
  return received
}

const answer = (port: number, path = '/metrics') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject)
  })

/** Asks for a body and reads its first bytes only. */
async function unread(port: number) {
  const { socket, closed } = client(port)
  socket.write(SCRAPE)
  await once(socket, 'readable')
  return { socket, closed }
}

/** What a client that was cut off sees is that what it did not read is missing. */
async function drained({ socket, closed }: { socket: Socket; closed: Promise<void> }): Promise<number> {
  let received = 0
  socket.on('data', (chunk: Buffer) => (received += chunk.length))
  await closed
  return received
}

describe('pipelined requests', () => {
  test('a few are answered in their order', async () => {
    const { port, counted } = await open({ body: (format) => [new TextEncoder().encode(`${format}\n`)] })
    const openmetrics = SCRAPE.replace('host', 'accept: application/openmetrics-text\r\nhost')
    const healthy = 'GET /-/healthy HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const received = await conversation(port, SCRAPE.repeat(3) + openmetrics.repeat(3) + SCRAPE + healthy)
    const bodies = received.split(/^HTTP\/1\.1 200 OK\r\n/m).map((one) => one.split('\r\n\r\n', 2)[1])
    expect(bodies.slice(1)).toEqual([
      ...Array<string>(3).fill('text\n'),
      ...Array<string>(3).fill('openmetrics\n'),
      'text\n',
      'healthy\n',
    ])
    expect(counted.filter((one) => one.endsWith(' 200'))).toHaveLength(8)
  })

  test.each(['/metrics', '/-/healthy', '/nothing'])(
    '1,500 for %s, of a client that reads nothing, close its connection when a few dozen were looked at',
    async (path) => {
      const { port, cut, counted, bodies, clock } = await open({ body: () => huge })
      const { closed, socket } = client(port)
      socket.write(SCRAPE.replace('/metrics', path).repeat(1_500))
      await expect.poll(() => cut, soon).toEqual(['pipelined'])
      socket.resume()
      await closed
      expect(bodies()).toBeLessThan(64)
      expect(counted.length).toBeGreaterThan(0)
      expect(counted.length).toBeLessThan(64)
      expect(new Set(counted)).toEqual(new Set([`${path === '/nothing' ? 'other' : path} 499`]))
      expect(clock.pending()).toBe(0)
      const next = await answer(port, '/-/healthy')
      expect(await text(next)).toBe('healthy\n')
    },
  )

  test('what a client sends while it does not read waits, and nothing of it is lost', async () => {
    const sent = 6
    const { port, counted } = await open({ body: () => huge.slice(0, 8) })
    const { socket } = client(port)
    socket.write(SCRAPE)
    await once(socket, 'readable')
    // A slice ends in the middle of a request.
    const long = SCRAPE.replace('host', `x-filler: ${'y'.repeat(900)}\r\nhost`)
    socket.write(long.repeat(sent))
    let received = 0
    const wanted = (sent + 1) * 8 * 1_048_576
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > wanted) resolve()
      })
    })
    await expect.poll(() => counted.length, soon).toBe(sent + 1)
    expect(new Set(counted)).toEqual(new Set(['/metrics 200']))
  })
})

describe('a client that does not read', () => {
  test('is cut off 25 s after it asked', async () => {
    const { port, clock, cut, counted } = await open({ body: () => huge })
    const stuck = await unread(port)
    clock.advance(24_999)
    expect(cut).toEqual([])
    clock.advance(1)
    expect(cut).toEqual(['unread'])
    expect(await drained(stuck)).toBeLessThan(64 * 1_048_576)
    expect(counted).toEqual(['/metrics 499'])
  })

  test('is cut off as well when it reads a little now and then', async () => {
    const { port, clock, cut } = await open({ body: () => huge })
    const slow = await unread(port)
    for (let seconds = 0; seconds < 24; seconds += 1) {
      slow.socket.read(1)
      clock.advance(1_000)
      expect(cut).toEqual([])
    }
    slow.socket.read(1)
    clock.advance(1_000)
    expect(cut).toEqual(['unread'])
    await drained(slow)
  })

  test('has nothing running out any more once it has read', async () => {
    const { port, clock, cut } = await open({ body: () => huge })
    let received = 0
    for await (const chunk of await answer(port)) received += (chunk as Buffer).length
    expect(received).toBe(64 * 1_048_576)
    await expect.poll(clock.pending, soon).toBe(0)
    clock.advance(60_000)
    expect(cut).toEqual([])
  })

  test('costs no copy of the body, plain or compressed', async () => {
    // Random, so that it does not shrink.
    const noise = Array.from({ length: 16 }, () => crypto.getRandomValues(new Uint8Array(65_536)))
    const pieces = Array<Uint8Array[]>(16).fill(noise).flat()
    const { port, counted } = await open({ body: () => pieces })
    // The compressed body is there before the measurement.
    const gzip = SCRAPE.replace('host', 'accept-encoding: gzip\r\nhost')
    await conversation(port, gzip.replace('host', 'connection: close\r\nhost'))
    const before = process.memoryUsage().arrayBuffers
    const stuck = Array.from({ length: 100 }, () => client(port))
    await Promise.all(
      stuck.map(async ({ socket }, at) => {
        socket.write(at % 2 === 0 ? SCRAPE : gzip)
        await once(socket, 'readable')
      }),
    )
    // 16 MB each; the clients of this process hold 64 KB each.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1_048_576)
    expect(counted).toEqual(['/metrics 200'])
  })
})

describe('crowds', () => {
  test('the connection that has been idle for longest makes room', async () => {
    const { port, cut } = await open({}, { connections: 3 })
    const [first, second, third] = [client(port), client(port), client(port)]
    for (const { socket } of [first, second, third]) await once(socket, 'connect')
    // The first one is used, so that the second one has been idle for longest.
    await expect.poll(async () => (first.socket.write(SCRAPE), first.socket.read() !== null), soon).toBe(true)
    const scrape = await answer(port)
    expect([scrape.statusCode, await text(scrape)]).toEqual([200, 'stakewatch_a 1\n'])
    await drained(second)
    expect(cut).toEqual(['crowded'])
    expect([first.socket.destroyed, third.socket.destroyed]).toEqual([false, false])
  })

  test('a thousand idle connections keep no scraper out', async () => {
    const { port, cut, server } = await open({}, { connections: 100 })
    const idle = Array.from({ length: 1_000 }, () => client(port))
    await Promise.all(idle.map(async ({ socket }) => once(socket, 'connect')))
    // The kernel accepts some of them late, so that a scrape would overtake them.
    await expect.poll(() => cut.length, soon).toBe(900)
    const scrape = await answer(port)
    expect(scrape.statusCode).toBe(200)
    await text(scrape)
    expect(cut.length).toBe(901)
    const held = await new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)))
    expect(held).toBeLessThanOrEqual(100)
    expect(new Set(cut)).toEqual(new Set(['crowded']))
  })

  test('beyond a number of unread bodies: 503, while the daemon stays healthy; the oldest one makes room', async () => {
    const { port, clock, cut, counted } = await open({ body: () => huge }, { bodies: 2 })
    const [first, second] = [await unread(port), await unread(port)]
    const refused = await answer(port)
    expect([refused.statusCode, refused.headers['retry-after'], await text(refused)]).toEqual([
      503,
      '1',
      'Too many requests in progress, retry in a second.\n',
    ])
    const landing = await answer(port, '/')
    expect([landing.statusCode, (await text(landing)).length > 0]).toEqual([503, true])
    expect((await answer(port, '/-/healthy')).statusCode).toBe(200)
    expect((await answer(port, '/-/ready')).statusCode).toBe(200)
    clock.advance(1_000)
    const scrape = await answer(port)
    expect(scrape.statusCode).toBe(200)
    expect(cut).toEqual(['crowded'])
    for await (const _ of scrape);
    await drained(first)
    expect(second.socket.destroyed).toBe(false)
    await expect
      .poll(() => counted.toSorted(), soon)
      .toEqual(['/ 503', '/-/healthy 200', '/-/ready 200', '/metrics 200', '/metrics 499', '/metrics 503'])
  })

  test('the default of --web.max-requests: 40 scrapes at a time, 503 for each one beyond, and room when one is over', async () => {
    const flags = webFlags(new Command()).parse([], { from: 'user' }).opts<SecurityFlags>()
    const { limits } = listeningOf(flags, { readFile: () => '' })
    const { port, counted, cut } = await open({ body: () => huge }, limits)
    const under = []
    for (let count = 0; count < 40; count += 1) under.push(await unread(port))
    for (let count = 0; count < 3; count += 1) expect((await answer(port)).statusCode).toBe(503)
    expect((await answer(port, '/-/healthy')).statusCode).toBe(200)
    expect([counted.filter((one) => one.startsWith('/metrics')), cut]).toEqual([Array(3).fill('/metrics 503'), []])
    under[7]!.socket.destroy()
    await expect.poll(() => counted, soon).toContain('/metrics 499')
    const next = await answer(port)
    expect([next.statusCode, (await answer(port)).statusCode]).toEqual([200, 503])
    next.destroy()
  })

  test('beyond a number of unread bodies: who holds several goes at once, who holds one stays', async () => {
    const { port, cut } = await open({ body: () => huge }, { bodies: 4 })
    const modest = await unread(port)
    const greedy = client(port)
    await once(greedy.socket, 'connect')
    greedy.socket.write(SCRAPE.repeat(3))
    await once(greedy.socket, 'readable')
    const scrape = await answer(port)
    expect(scrape.statusCode).toBe(200)
    expect(cut).toEqual(['pipelined'])
    for await (const _ of scrape);
    await drained(greedy)
    expect(modest.socket.destroyed).toBe(false)
  })

  test('where all connections have bodies under way, the oldest one makes room for a new connection', async () => {
    const { port, clock, cut } = await open({ body: () => huge }, { connections: 2 })
    const first = await unread(port)
    await unread(port)
    // None of them is older than a second.
    await drained(client(port))
    expect(cut).toEqual(['crowded'])
    clock.advance(1_000)
    expect((await answer(port, '/-/healthy')).statusCode).toBe(200)
    expect(cut).toEqual(['crowded', 'crowded'])
    await drained(first)
  })
})

describe('each request ends in an answer or a closed connection, and is counted', () => {
  const host = 'host: x\r\n'
  const end = 'connection: close\r\n\r\n'
  test.each<[string, string, string, string]>([
    ['HTTP/1.0', 'GET /metrics HTTP/1.0\r\n\r\n', '200 OK', '/metrics 200'],
    ['HTTP/1.1 without a host', `GET /metrics HTTP/1.1\r\n${end}`, '400 Bad Request', '/metrics 400'],
    ['a body for no one', `GET /metrics HTTP/1.1\r\n${host}content-length: 3\r\n${end}abc`, '200 OK', '/metrics 200'],
    ['expecting 100', `GET /metrics HTTP/1.1\r\n${host}expect: 100-continue\r\n${end}`, '200 OK', '/metrics 200'],
    ['another expectation', `GET /metrics HTTP/1.1\r\n${host}expect: cake\r\n${end}`, '200 OK', '/metrics 200'],
    [
      'an upload that waits for leave',
      `POST /metrics HTTP/1.1\r\n${host}expect: 100-continue\r\ncontent-length: 9\r\n${end}`,
      '405 Method Not Allowed',
      '/metrics 405',
    ],
    [
      'an upgrade',
      `GET /metrics HTTP/1.1\r\n${host}upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
      '200 OK',
      '/metrics 200',
    ],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, '405 Method Not Allowed', 'other 405'],
    ['OPTIONS of all', `OPTIONS * HTTP/1.1\r\n${host}${end}`, '404 Not Found', 'other 404'],
    ['an absolute URL', `GET http://x/metrics HTTP/1.1\r\n${host}${end}`, '200 OK', '/metrics 200'],
    ['an unknown method', `BREW /metrics HTTP/1.1\r\n${host}${end}`, '400 Bad Request', 'other 400'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 Bad Request', 'other 400'],
    ['HTTP/3.7', `GET /metrics HTTP/3.7\r\n${host}${end}`, '400 Bad Request', 'other 400'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', '400 Bad Request', 'other 400'],
    ['noise', '\0\0\0\0\r\n\r\n', '400 Bad Request', 'other 400'],
    ['a header without a colon', `GET /metrics HTTP/1.1\r\n${host}nonsense\r\n\r\n`, '400 Bad Request', 'other 400'],
    [
      'two lengths',
      `GET /metrics HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
      '400 Bad Request',
      'other 400',
    ],
    [
      'a length and chunks',
      `POST /metrics HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
      '400 Bad Request',
      'other 400',
    ],
    [
      'a URL of 20,000 bytes',
      `GET /metrics?${'x'.repeat(20_000)} HTTP/1.1\r\n${host}${end}`,
      '431 Request Header Fields Too Large',
      'other 431',
    ],
    [
      'headers of 20,000 bytes',
      `GET /metrics HTTP/1.1\r\n${host}x: ${'y'.repeat(20_000)}\r\n${end}`,
      '431 Request Header Fields Too Large',
      'other 431',
    ],
    ['a URL of 10,000 bytes', `GET /metrics?${'x'.repeat(10_000)} HTTP/1.1\r\n${host}${end}`, '200 OK', '/metrics 200'],
  ])('%s', async (_, sent, status, count) => {
    const { port, counted, cut } = await open()
    const received = await conversation(port, sent)
    expect(received.match(/^HTTP\/1\.1 .*$/gm)).toEqual([`HTTP/1.1 ${status}`])
    expect(received).toMatch(/^content-type: text\/plain; /im)
    expect([counted, cut]).toEqual([[count], []])
    expect((await answer(port)).statusCode).toBe(200)
  })

  test('a client that has closed its side gets its answer', async () => {
    const { port, counted } = await open()
    const { socket, closed } = client(port)
    const received = text(socket)
    socket.end(SCRAPE)
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nstakewatch_a 1\n$/)
    await closed
    expect(counted).toEqual(['/metrics 200'])
  })

  test('nonsense after a request whose answer is under way ends both', async () => {
    const { port, counted } = await open({ body: () => huge })
    const rude = await unread(port)
    rude.socket.write('nonsense\r\n\r\n')
    expect(await drained(rude)).toBeLessThan(64 * 1_048_576)
    expect(counted.toSorted()).toEqual(['/metrics 499', 'other 400'])
  })

  test('nonsense is answered once, however much of it there is', async () => {
    const { port, counted } = await open()
    const received = await conversation(port, 'nonsense\r\n\r\n'.repeat(5_000))
    expect(received.match(/^HTTP/gm) ?? []).toHaveLength(1)
    expect(counted).toEqual(['other 400'])
  })

  test('a client that leaves in the middle of a body is counted as such', async () => {
    const { port, counted, clock } = await open({ body: () => huge })
    const leaving = await unread(port)
    leaving.socket.destroy()
    await expect.poll(() => counted, soon).toEqual(['/metrics 499'])
    expect(clock.pending()).toBe(0)
  })
})
