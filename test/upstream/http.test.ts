import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { type Attempts, createHttp, type HttpOptions, type HttpRequest } from '../../src/upstream/http.ts'
import {
  answer,
  type Behaviour,
  breakOff,
  closedPort,
  createHostileServer,
  drip,
  dripHeaders,
  inTurn,
  raw,
  reset,
  silence,
} from '../support/hostile-server.ts'
import { createTlsUpstream } from '../support/tls-upstream.ts'
import { failure } from './asking.ts'

/** Far more than any of these requests needs, so that nothing but the deadline under test ends one. */
const AMPLE = 200_000
/** Long enough for a request to arrive on a busy machine. */
const SHORT = 200

function createSender(options: Partial<HttpOptions> = {}) {
  const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now, ...options })
  onTestFinished(() => http.close())
  return (url: string, request: Partial<HttpRequest> = {}) =>
    http.send({
      method: 'GET',
      url,
      headers: {},
      signal: AbortSignal.timeout(AMPLE),
      retry: true,
      maxBytes: 1_000_000,
      ...request,
    })
}

describe('the deadline', () => {
  test.each<[string, Behaviour]>([
    ['a connection that is accepted and never answered', silence],
    ['headers that never end', dripHeaders],
    ['a body that never ends', drip],
    ['a body that stops', (response) => response.writeHead(200, { 'content-length': '9' }).write('{')],
  ])('holds until the body is read: %s', async (_, behave) => {
    const server = await createHostileServer(behave)
    const send = createSender()
    const started = performance.now()
    const error = await failure(send(server.url, { signal: AbortSignal.timeout(SHORT) }))
    const took = performance.now() - started
    expect(error.code).toBe('timeout')
    expect(took).toBeGreaterThan(SHORT - 5)
    expect(server.received).toHaveLength(1)
    // The socket is given back: the server sees it go.
    await server.idle()
  })

  test('holds while a connection is made: a TLS greeting without an answer', async () => {
    const server = await createHostileServer(silence)
    const url = server.url.replace('http:', 'https:')
    expect((await failure(createSender()(url, { signal: AbortSignal.timeout(SHORT) }))).code).toBe('timeout')
    // The server may learn of it later.
    await vi.waitFor(() => expect(server.connections()).toBe(1))
    expect(server.received).toEqual([])
  })

  test('ends the wait for another attempt, and what failed before it is said', async () => {
    const server = await createHostileServer(answer(503, 'busy', { 'retry-after': '5' }))
    const { status } = await createSender()(server.url, { signal: AbortSignal.timeout(SHORT) })
    expect([status, server.received.length]).toEqual([503, 1])
  })

  test('that comes in a later attempt keeps what the attempt before saw', async () => {
    const server = await createHostileServer(inTurn(answer(502, ''), silence))
    const error = await failure(createSender()(server.url, { signal: AbortSignal.timeout(SHORT) }))
    expect(error).toMatchObject({ code: 'timeout', details: 'the attempt before: HTTP 502' })
  })

  test('that has passed already sends nothing', async () => {
    const server = await createHostileServer(answer(200, '{}'))
    const reason = new BaseError('aborted', 'stakewatch is stopping')
    expect(await failure(createSender()(server.url, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(server.connections()).toBe(0)
  })

  test('closing ends what is under way, without another attempt', async () => {
    const http = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now })
    const server = await createHostileServer(() => http.close())
    const signal = AbortSignal.timeout(AMPLE)
    const request = { method: 'GET', headers: {}, signal, retry: true, maxBytes: 1_000 } as const
    expect((await failure(http.send({ ...request, url: server.url }))).code).toBe('aborted')
    await server.idle()
    expect(server.received).toHaveLength(1)
  })
})

describe('a broken connection', () => {
  const broken: [string, Behaviour][] = [
    ['reset before the headers', reset],
    ['closed before the headers', ({ socket }) => socket?.end()],
    ['reset in the body', breakOff('reset', { 'content-length': '100' })],
    ['a body shorter than its content-length', breakOff('end', { 'content-length': '100' })],
    ['a chunked body without its end', breakOff('end')],
    ['two lengths', raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nab')],
  ]

  test.each(broken)('is tried three times in all: %s', async (_, behave) => {
    const server = await createHostileServer(behave)
    const error = await failure(createSender()(server.url))
    expect(error.code).toBe('network')
    expect(error.message).toMatch(/^the connection failed \(\w+\)$/)
    expect(server.received).toHaveLength(3)
  })

  test.each(broken)('is never tried again for an action: %s', async (_, behave) => {
    const server = await createHostileServer(behave)
    expect((await failure(createSender()(server.url, { method: 'POST', retry: false }))).code).toBe('network')
    expect(server.received).toHaveLength(1)
  })

  test('that no server accepts says so', async () => {
    const error = await failure(createSender()(await closedPort()))
    expect(error).toMatchObject({ code: 'network', message: 'the connection failed (ECONNREFUSED)' })
  })

  test.each([
    ['a port that is closed', async () => closedPort(), false],
    ['a name that does not exist', async () => 'http://stakewatch.invalid/', false],
    ['a certificate that is refused', async () => (await createTlsUpstream()).url, false],
    ['a certificate of another host', async () => (await createTlsUpstream({ name: 'other.test' })).url, false],
    ['a connection that breaks off', async () => (await createHostileServer(reset)).url, true],
    ['an answer', async () => (await createHostileServer(answer(200, '{}'))).url, true],
  ])('says whether a request left the machine: %s', async (_, at, wasSent) => {
    const said: boolean[] = []
    const attempts: Attempts = { mayRetry: () => false, ended: (_outcome, sent) => void said.push(sent) }
    await createSender()(await at(), { attempts }).catch(() => {})
    expect(said).toEqual([wasSent])
  })

  test('an answer that is not HTTP is a wrong address and not tried again', async () => {
    const server = await createHostileServer(raw('\x15\x03\x03\x00\x02\x02\x32'))
    const error = await failure(createSender()(server.url))
    expect(error.code).toBe('bad_response')
    expect(error.message).toContain('not HTTP')
    expect(server.received).toHaveLength(1)
  })

  test.each([
    ['value', { 'x-key': 'with\na line' }],
    ['name', { 'x key': 'value' }],
  ])('a header whose %s cannot be sent is a mistake of the configuration', async (_, headers) => {
    const server = await createHostileServer(answer(200, '{}'))
    expect((await failure(createSender()(server.url, { headers }))).code).toBe('config')
    expect(server.connections()).toBe(0)
  })
})

describe('attempts', () => {
  test.each([
    [200, 1],
    [201, 1],
    [204, 1],
    [302, 1],
    [400, 1],
    [401, 1],
    [403, 1],
    [404, 1],
    [429, 1],
    [500, 3],
    [501, 1],
    [502, 3],
    [503, 3],
    [504, 3],
  ])('status %i: %i', async (status, attempts) => {
    const server = await createHostileServer(answer(status, '', { location: '/elsewhere' }))
    expect((await createSender()(server.url)).status).toBe(status)
    expect(server.received).toHaveLength(attempts)
    expect(server.received.every(({ url }) => url === '/')).toBe(true)
  })

  test('a refusal whose text breaks off is a refusal, with its status and its pause', async () => {
    const server = await createHostileServer((response) => {
      response.writeHead(429, { 'content-length': '100', 'retry-after': '60' })
      response.write('slow', () => response.destroy())
    })
    const answer = await createSender()(server.url)
    expect([answer.status, answer.headers['retry-after'], server.received.length]).toEqual([429, '60', 1])
  })

  test('an action that fails is not repeated', async () => {
    const server = await createHostileServer(answer(503, ''))
    expect((await createSender()(server.url, { method: 'POST', retry: false })).status).toBe(503)
    expect(server.received).toHaveLength(1)
  })

  // Full jitter: a tenth of 200 ms, then of 400 ms, after what the upstream asks for. Timers may be a millisecond early.
  test.each<[number, string, Record<string, string>, number[]]>([
    [429, 'small', { 'retry-after': '0.05' }, [50 + 20, 50 + 40]],
    [429, 'zero', { 'retry-after': '0' }, [20, 40]],
    [429, 'larger than is worth waiting', { 'retry-after': '6' }, []],
    [429, 'without end', { 'retry-after': '1e999' }, []],
    [429, 'absent', {}, []],
    [429, 'a date that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, [20, 40]],
    [429, 'a date far ahead', { 'retry-after': 'Wed, 21 Oct 2815 07:28:00 GMT' }, []],
    [429, 'negative', { 'retry-after': '-5' }, []],
    [429, 'not a number', { 'retry-after': 'soon' }, []],
    [503, 'small', { 'retry-after': '0.05' }, [50 + 20, 50 + 40]],
    [503, 'larger than is worth waiting', { 'retry-after': '6' }, []],
    [503, 'absent', {}, [20, 40]],
    [503, 'negative', { 'retry-after': '-5' }, [20, 40]],
  ])('%i with a retry-after %s', async (status, _, headers, pauses) => {
    const server = await createHostileServer(answer(status, '', headers))
    expect((await createSender({ random: () => 0.1, now: Date.now })(server.url)).status).toBe(status)
    const times = server.received.map(({ at }) => at)
    expect(times).toHaveLength(1 + pauses.length)
    for (const [index, pause] of pauses.entries()) {
      expect(times[index + 1]! - times[index]!).toBeGreaterThanOrEqual(pause - 2)
    }
  })
})

describe('size', () => {
  const LIMIT = 100_000
  const ENDLESS = 'x'.repeat(16_384)

  test.each<[string, Record<string, string>]>([
    ['announced', { 'content-length': String(1024 * LIMIT) }],
    ['not announced', {}],
  ])('a body over the limit is not read to its end: %s', async (_, headers) => {
    const server = await createHostileServer((response) => {
      response.writeHead(200, headers)
      const more = () => {
        while (!response.destroyed && response.write(ENDLESS));
      }
      response.on('drain', more)
      more()
    })
    const error = await failure(createSender()(server.url, { maxBytes: LIMIT }))
    expect(error).toMatchObject({ code: 'too_large', message: 'the answer is larger than 100000 bytes' })
    await server.idle()
    expect(server.received).toHaveLength(1)
    // What had left the server is bounded by the buffers in between, not by what it had to say.
    expect(server.bytesSent()).toBeLessThan(100 * LIMIT)
  })

  test('the limit itself is read, a byte more is refused', async () => {
    const server = await createHostileServer(inTurn(answer(200, 'x'.repeat(LIMIT)), answer(200, 'x'.repeat(LIMIT + 1))))
    const send = createSender()
    expect((await send(server.url, { maxBytes: LIMIT })).text).toHaveLength(LIMIT)
    expect((await failure(send(server.url, { maxBytes: LIMIT }))).code).toBe('too_large')
  })

  test('compression is not asked for, and refused: a small answer could become of any size', async () => {
    const server = await createHostileServer((response) =>
      // It need not end: nothing of it is read.
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('{}')),
    )
    const error = await failure(createSender()(server.url))
    expect(error).toMatchObject({
      code: 'bad_response',
      message: 'the answer is compressed, which was not asked for',
    })
    expect(server.received.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity'])
  })

  test('a compressed failure is known by its status, and tried again like any', async () => {
    const page = gzipSync('<h1>Bad Gateway</h1>')
    const server = await createHostileServer((response) =>
      response.writeHead(502, { 'content-encoding': 'gzip' }).end(page),
    )
    expect(await createSender()(server.url)).toMatchObject({ status: 502, text: '' })
    expect(server.received).toHaveLength(3)
  })
})

describe('what is sent', () => {
  test('the request as it was given, and who we are', async () => {
    const server = await createHostileServer(answer(200, '{}'))
    await createSender()(server.url, { method: 'POST', headers: { 'x-one': '1' }, body: '{"a":1}' })
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { 'user-agent': 'stakewatch/test', 'x-one': '1' },
    })
  })

  test('no request waits for another one at its origin: accounts bound how many there are', async () => {
    let release = () => {}
    const all = new Promise<void>((resolve) => (release = resolve))
    const server = await createHostileServer(async (response, _, number) => {
      if (number === 20) release()
      await all
      response.end('{}')
    })
    const send = createSender()
    const signal = AbortSignal.timeout(AMPLE)
    await Promise.all(Array.from({ length: 20 }, () => send(server.url, { signal })))
    expect([server.connections(), server.mostInFlight()]).toEqual([20, 20])
  })
})
