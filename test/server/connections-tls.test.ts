// What rude clients can do over TLS and HTTP/2: the same bounds hold as over plain HTTP. Time passes where a test says so.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { get, type RequestOptions } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { loadWebConfig } from '../../src/config/web/web-config.ts'
import type { Limits } from '../../src/server/connections.ts'
import { createGate } from '../../src/server/gate.ts'
import { createListener, defaultTimeouts, validateTls, type Timeouts } from '../../src/server/listener.ts'
import type { HttpServer } from '../../src/server/server.ts'
import { createWebConfigReloader } from '../../src/server/web-config-reload.ts'
import { certificate } from '../support/certificates.ts'

import { openServer } from '../support/open-server.ts'

const soon = { timeout: 120_000 }
/** 64 MB: more than the sockets between client and server hold. */
const huge = Array<Uint8Array>(64).fill(new Uint8Array(1_048_576).fill(120))
const { cert, key } = certificate('stakewatch', { names: { ip: '127.0.0.1' } })
const SCRAPE = 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'

const held: { destroy(): unknown }[] = []
afterEach(() => {
  for (const one of held.splice(0)) one.destroy()
})

function configOf(http2: boolean) {
  const yaml = `tls_server_config: { cert_file: a, key_file: b }\nhttp_server_config: { http2: ${http2} }\n`
  const readFile = (path: string) => (path === 'a' ? cert : key)
  const source = {
    read: () => loadWebConfig(yaml, { file: 'web.yml', env: {}, readFile }),
    isChanged: () => Promise.resolve(false),
  }
  return createWebConfigReloader(source, { validate: validateTls, reread: () => {} })
}

function open(
  http2: boolean,
  limits: Partial<Limits> = {},
  pieces: readonly Uint8Array[] = huge,
  timeouts: Timeouts = defaultTimeouts,
) {
  return openServer((clock) => {
    const config = configOf(http2)
    return {
      body: () => pieces,
      limits: { answerWithin: 25_000, pipelined: 8, connections: 512, bodies: 256, ...limits },
      timeouts,
      web: { config, gate: createGate(config, clock) },
    }
  })
}

async function client(port: number): Promise<{ socket: TLSSocket; closed: Promise<void> }> {
  const socket = connect({ port, host: '127.0.0.1', ca: cert }).on('error', () => {})
  held.push(socket)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'secureConnect'), closed])
  return { socket, closed }
}

function session(port: number): ClientHttp2Session {
  const http2 = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert }).on('error', () => {})
  held.push(http2)
  return http2
}

const connectionsOf = ({ server }: HttpServer) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

/** Asks and reads nothing. */
function unread(http2: ClientHttp2Session): ClientHttp2Stream {
  return http2.request({ ':path': '/metrics' }).on('error', () => {})
}

const status = (port: number, path = '/-/healthy', options: RequestOptions = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, ca: cert, agent: false, ...options }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })

describe.each([true, false])('TLS, HTTP/2 offered: %s', (http2) => {
  test('1,500 pipelined requests of a client that reads nothing close its connection when a few dozen were looked at', async () => {
    const { port, cut, counted, clock } = await open(http2)
    const { socket, closed } = await client(port)
    socket.write(SCRAPE.repeat(1_500))
    await expect.poll(() => cut, soon).toEqual(['pipelined'])
    socket.resume()
    await closed
    expect(counted.length).toBeGreaterThan(0)
    expect(counted.length).toBeLessThan(64)
    expect(new Set(counted)).toEqual(new Set(['/metrics 499']))
    expect(clock.pending()).toBe(0)
    expect(await status(port)).toBe(200)
  })

  test('a few pipelined requests are answered', async () => {
    const { port, counted } = await open(http2, {}, [new TextEncoder().encode('stakewatch_a 1\n')])
    const { socket } = await client(port)
    socket.write(SCRAPE.repeat(4) + SCRAPE.replace('host', 'connection: close\r\nhost'))
    expect((await text(socket)).match(/^stakewatch_a 1$/gm)).toHaveLength(5)
    expect(counted).toEqual(Array<string>(5).fill('/metrics 200'))
  })

  test('a client that does not read is cut off 25 s after it asked', async () => {
    const { port, clock, cut, counted } = await open(http2)
    const { socket, closed } = await client(port)
    socket.write(SCRAPE)
    await once(socket, 'readable')
    clock.advance(24_999)
    expect(cut).toEqual([])
    clock.advance(1)
    expect(cut).toEqual(['unread'])
    socket.resume()
    await closed
    expect(counted).toEqual(['/metrics 499'])
  })

  test('who begins no handshake is among the idle ones, which make room', async () => {
    const { port, cut } = await open(http2, { connections: 3 })
    const silent = await Promise.all(
      [1, 2, 3].map(async () => {
        const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
        held.push(socket)
        await once(socket, 'connect')
        return socket.resume()
      }),
    )
    expect(await status(port)).toBe(200)
    expect(cut).toEqual(['crowded'])
    await expect.poll(() => silent.filter(({ closed }) => closed).length, soon).toBe(1)
  })

  test('beyond a number of unread bodies: 503; the oldest one makes room after a second', async () => {
    const { port, clock, cut } = await open(http2, { bodies: 1 })
    const { socket, closed } = await client(port)
    socket.write(SCRAPE)
    await once(socket, 'readable')
    expect(await status(port, '/metrics')).toBe(503)
    expect(await status(port)).toBe(200)
    clock.advance(1_000)
    expect(await status(port, '/metrics')).toBe(200)
    expect(cut).toEqual(['crowded'])
    socket.resume()
    await closed
  })

  test('a client that does not read does not keep the server open for ever', async () => {
    const { server, port, clock } = await open(http2)
    const { socket, closed } = await client(port)
    socket.write(SCRAPE)
    await once(socket, 'readable')
    const closing = server.close()
    clock.advance(1_500)
    await closing
    expect(server.server.listening).toBe(false)
    socket.resume()
    await closed
  })

  test('clients that are idle do not keep the server open at all', async () => {
    const { server, port } = await open(http2, {}, [])
    const { socket, closed } = await client(port)
    socket.write(SCRAPE)
    await once(socket, 'data')
    const other = http2 ? session(port) : undefined
    if (other) await text(unread(other))
    // No time passes.
    await server.close()
    expect(server.server.listening).toBe(false)
    await closed
  })

  test.each([
    ['a request', SCRAPE, /^HTTP\/1\.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server\.\n$/],
    // An alert of TLS, in bytes.
    ['nonsense', 'nonsense\r\n\r\n', /^(?!.*HTTP)/s],
  ])('who sends %s without TLS reads the reason in plain text, and is no request', async (_, sent, answer) => {
    const { server, port, counted, cut } = await open(http2)
    const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
    held.push(socket)
    const received = text(socket)
    socket.write(sent)
    expect(await received).toMatch(answer)
    await expect.poll(async () => connectionsOf(server), soon).toBe(0)
    expect([counted, cut]).toEqual([[], []])
    expect(await status(port)).toBe(200)
  })

  test('clients that send nothing are cut off', () => {
    let made: Server | undefined
    const web = configOf(http2)
    createListener({ timeouts: defaultTimeouts, streams: 8, web, prepare: (server) => (made = server) })
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = made!
    expect([headersTimeout, requestTimeout, timeout, keepAliveTimeout]).toEqual([5_000, 10_000, 30_000, 20_000])
  })

  test('half of a request is answered after its time, on a connection that was already used', async () => {
    // The handshake has this long too, also on a busy machine.
    const { port, counted, cut } = await open(http2, {}, [], { readHeader: 2_000, read: 2_500, idle: 20_000 })
    const { socket } = await client(port)
    socket.write(`${SCRAPE}GET /metrics HTTP/1.1\r\nhost: `)
    expect((await text(socket)).match(/^HTTP.*$/gm)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 408 Request Timeout'])
    expect([counted, cut]).toEqual([['/metrics 200', 'other 408'], []])
  })

  test('who begins no handshake is cut off', async () => {
    const { server, port } = await open(http2, {}, [], { readHeader: 50, read: 100, idle: 20_000 })
    const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
    held.push(socket)
    await once(socket.resume(), 'close')
    await expect.poll(async () => connectionsOf(server), soon).toBe(0)
  })
})

describe('HTTP/2', () => {
  test('a client may send eight requests at a time, and they are answered', async () => {
    const { port, counted, cut } = await open(true, {}, huge.slice(0, 1))
    const http2 = session(port)
    await once(http2, 'remoteSettings')
    expect(http2.remoteSettings.maxConcurrentStreams).toBe(8)
    const eight = await Promise.all(Array.from({ length: 8 }, async () => text(unread(http2))))
    expect(eight.map(({ length }) => length)).toEqual(Array<number>(8).fill(1_048_576))
    await expect.poll(() => counted, soon).toEqual(Array<string>(8).fill('/metrics 200'))
    expect(cut).toEqual([])
  })

  test('one after another as often as it likes, over one connection', async () => {
    const { port, counted } = await open(true, {}, [new TextEncoder().encode('stakewatch_a 1\n')])
    const http2 = session(port)
    for (let at = 0; at < 30; at += 1) expect(await text(unread(http2))).toBe('stakewatch_a 1\n')
    expect(counted).toEqual(Array<string>(30).fill('/metrics 200'))
  })

  test('who does not read is cut off 25 s after it asked, with all its requests', async () => {
    const { server, port, clock, cut, counted } = await open(true)
    const http2 = session(port)
    const streams = [unread(http2), unread(http2)]
    await Promise.all(streams.map(async (stream) => once(stream, 'response')))
    clock.advance(24_999)
    expect(cut).toEqual([])
    clock.advance(1)
    await expect.poll(async () => connectionsOf(server), soon).toBe(0)
    expect(cut).toEqual(['unread'])
    expect(counted).toEqual(['/metrics 499', '/metrics 499'])
    expect(clock.pending()).toBe(0)
  })

  test('who gives up a request is counted as such, and keeps its connection', async () => {
    const { port, clock, counted, cut } = await open(true)
    const http2 = session(port)
    const stream = unread(http2)
    await once(stream, 'response')
    stream.close(8)
    await expect.poll(() => counted, soon).toEqual(['/metrics 499'])
    expect(clock.pending()).toBe(0)
    const next = http2.request({ ':path': '/-/healthy' })
    expect(await text(next)).toBe('healthy\n')
    expect(cut).toEqual([])
  })

  test('who takes back request after request is disconnected when it has done so a few dozen times', async () => {
    // More than what may be on its way unread.
    const { server, port, counted, cut } = await open(true, {}, [new Uint8Array(100_000).fill(120)])
    const http2 = session(port)
    for (let at = 0; at < 100 && cut.length === 0 && !http2.closed && !http2.destroyed; at += 1) {
      const stream = unread(http2)
      await new Promise<void>((resolve) => stream.once('response', () => resolve()).once('close', () => resolve()))
      stream.close(8)
    }
    await expect.poll(async () => connectionsOf(server), soon).toBe(0)
    expect(cut).toEqual(['pipelined'])
    // With those that were on their way.
    expect(counted.length).toBeGreaterThanOrEqual(33)
    expect(counted.length).toBeLessThanOrEqual(33 + 8)
    expect(new Set(counted)).toEqual(new Set(['/metrics 499']))
    expect(await status(port)).toBe(200)
  })

  test('CONNECT is refused', async () => {
    const { port } = await open(true)
    const http2 = session(port)
    const stream = http2.request({ ':method': 'CONNECT', ':authority': 'example.org:443' })
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(headers[':status']).toBe(405)
  })
})
