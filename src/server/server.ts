// The HTTP side of the daemon. It sees functions, not the parts behind them; nothing here asks an upstream.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Format } from '../metrics/exposition.ts'
import type { CutReason } from '../metrics/process-metrics.ts'
import { defaultLimits, guardConnections, isTakenBack, type Limits, type Timing } from './connections.ts'
import type { Gate } from './gate.ts'
import { createGzip } from './gzip.ts'
import { createListener } from './listener.ts'
import { acceptsGzip, contentTypes, negotiate } from './negotiate.ts'
import type { Page } from './pages.ts'
import { TO_PREFIX, withoutPrefix } from './prefix.ts'
import type { Web } from './web-config-reload.ts'
import { NOT_OVER_TLS, rawAnswer, refuseMalformed } from './raw-answers.ts'
import { answerReload, RELOAD_METHODS, RELOAD_PATH } from './reload-endpoint.ts'

/** What a health endpoint tells, in lines for people. */
export interface Health {
  isOk: boolean
  text: string
}

export interface ServerOptions {
  telemetryPath: string
  /** In front of every path, such as /stakewatch; by default nothing. */
  routePrefix?: string
  /** In front of every path in links: the same, unless a proxy in front changes it. */
  linkPrefix?: string
  /** `only` names the metrics that are wanted. Pieces are never changed: an answer that nobody reads costs no copy. */
  body: (format: Format, only?: ReadonlySet<string>) => readonly Uint8Array[]
  /** Metric names by collector, for `collect[]`. */
  collectors: ReadonlyMap<string, readonly string[]>
  /** The metrics win where both have the same path. */
  pages: readonly Page[]
  ready: () => Health
  healthy: () => Health
  /** Reads the configuration again; undefined where that is not allowed over HTTP. */
  reload?: (() => Promise<string>) | undefined
  /** Called once per request, with 499 when its client left or was cut off before it had the whole answer. */
  count: (handler: string, code: number) => void
  /** Called once per connection that was closed for what its client did, or to make room. */
  cut: (reason: CutReason) => void
  clock: Timing
  limits?: Limits
  timeouts?: Timeouts
  /** TLS and who may come in; without it the server speaks plain HTTP with everybody. */
  web?: Secured | undefined
}

/** The web configuration, and the gate that all listeners share. */
export interface Secured {
  config: Web
  gate: Gate
}

/** Milliseconds each. */
export interface Timeouts {
  /** The request line and the headers are complete after this time, and so is the handshake of TLS. */
  readHeader: number
  /** A whole request, with a body that nobody asked for, is complete after this time. */
  read: number
  /** A connection without a request is closed after this time. */
  idle: number
}

/**
 * What fits into the kernel's buffers counts as read. So that a client that reads nothing of it is gone within 30 s too, an
 * idle connection lives no longer than 20 s; a scraper that comes less often opens a new one.
 */
export const defaultTimeouts: Timeouts = { readHeader: 5_000, read: 10_000, idle: 20_000 }
/** A client that sends nothing in the middle of a request for so long is cut off (milliseconds). */
const STALLED = 30_000
/** How often requests are looked at for being late (milliseconds). */
const LOOK_EVERY = 1_000
/** When the server closes, answers under way have so long to be read (milliseconds). */
const CLOSE_WITHIN = 1_500

/** How the path of a page ends that is asked for by name. */
const NAME = '/:name'
/** Less than this fits into a packet or two (bytes). */
const WORTH_COMPRESSING = 2_048

/** The client left, or was cut off, before it had the whole answer. No client sees it; proxies log it under this code. */
const ABANDONED = 499

export function createServer({
  telemetryPath,
  routePrefix = '',
  linkPrefix = routePrefix,
  body,
  collectors,
  pages,
  ready,
  healthy,
  reload,
  count,
  cut,
  clock,
  limits = defaultLimits,
  timeouts = defaultTimeouts,
  web,
}: ServerOptions): FastifyInstance {
  const server = Fastify({
    serverFactory(handler) {
      const options = {
        keepAliveTimeout: timeouts.idle,
        idle: Math.max(timeouts.idle, STALLED),
        requestTimeout: timeouts.read,
        headersTimeout: timeouts.readHeader,
        handshakeTimeout: timeouts.readHeader,
        connectionsCheckingInterval: LOOK_EVERY,
        // Node's own answer to a missing host has no text and is not counted.
        requireHostHeader: false,
        streams: limits.pipelined,
      }
      // In front of the framework: what it answers before it looks for a route passes the gate as well.
      const listener = web ? web.gate.guarded(handler, countRefused) : handler
      return createListener(options, web?.config, listener).setTimeout(STALLED)
    },
    // A path that cannot be decoded: no hook hears of it.
    frameworkErrors: (_, request, reply) => {
      void refuse(request, reply)
      count('other', reply.statusCode)
    },
    clientErrorHandler: (error, socket) => {
      const code = refuseMalformed(error, socket, guard)
      if (code !== undefined) count('other', code)
    },
  })
  function countRefused(request: IncomingMessage, code: number): void {
    count(handlerOf(pathOf(request)), code)
  }
  const guard = guardConnections(server.server, {
    clock,
    limits,
    cut,
    abandoned(request) {
      left.add(request)
      count(handlerOf(pathOf(request)), ABANDONED)
    },
  })
  // Before the listener that closes the connection. There was no handshake, so that no request is counted.
  server.server.prependListener('tlsClientError', ({ code }: Error & { code?: string }, socket: TLSSocket) => {
    if (code === 'ERR_SSL_HTTP_REQUEST') guard.under(socket)?.write(NOT_OVER_TLS)
  })
  // Before all others: to them a path is one without the prefix.
  server.server.prependListener('request', (request: IncomingMessage) => {
    request.url = withoutPrefix(request.url ?? '', routePrefix)
  })
  // No body is ever wanted, and nothing else is expected of this server: the answer to the request says what is.
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.server.on(event, (request, response) => server.server.emit('request', request, response))
  }
  server.server.on('connect', (_, socket: Socket | ServerResponse) => {
    // HTTP/2 gives an answer to write instead.
    if ('setHeader' in socket) {
      socket.statusCode = 405
      socket.end()
      return
    }
    guard.ignore(socket)
    socket.end(rawAnswer(405, 'Method Not Allowed'), () => socket.destroy())
    count('other', 405)
  })
  const gzip = createGzip()
  const gzipOfPages = createGzip()
  const others = pages.filter(({ path }) => path !== telemetryPath)
  const paths = new Set([...others.map(({ path }) => path), '/-/healthy', '/-/ready', RELOAD_PATH, telemetryPath])
  const pathOf = ({ url = '' }: { url?: string | undefined }) => url.split('?', 1)[0] ?? ''
  /** Requests that are counted as abandoned. */
  const left = new WeakSet<object>()
  /** One for all that a page is asked for by name. */
  const named = others.flatMap(({ path }) => (path.endsWith(NAME) ? [path.slice(0, -NAME.length + 1)] : []))
  const handlerOf = (path: string) => {
    if (paths.has(path)) return path
    const start = named.find((one) => path.startsWith(one) && !path.slice(one.length).includes('/'))
    return start === undefined ? 'other' : `${start}:name`
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = paths.has(handlerOf(pathOf(request)))
    if (!known) return plain(reply, 404, `Nothing is served here; the metrics are at ${linkPrefix}${telemetryPath}.`)
    const methods = pathOf(request) === RELOAD_PATH ? RELOAD_METHODS : ['GET', 'HEAD']
    return plain(reply.header('allow', methods.join(', ')), 405, `Only ${methods.join(' and ')} are answered here.`)
  }

  // Before the body of a request is looked at: no route reads one.
  server.addHook('onRequest', async (request, reply) => {
    // Of requests that came after too many others.
    if (request.raw.socket.destroyed) return reply.hijack()
    reply.header('x-content-type-options', 'nosniff')
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return plain(reply, 400, 'A request of HTTP/1.1 has a Host header.')
    }
    return request.is404 ? refuse(request, reply) : undefined
  })
  server.get(telemetryPath, async (request, reply) => {
    const wanted = [(request.query as Record<string, string | string[]>)['collect[]'] ?? []].flat()
    const unknown = wanted.find((name) => !collectors.has(name))
    if (unknown !== undefined) {
      return plain(reply, 400, `collect[] knows no such collector; it may be: ${[...collectors.keys()].join(', ')}.`)
    }
    if (!guard.admit(request.raw, reply.raw)) return busy(reply)
    const only = wanted.length === 0 ? undefined : new Set(wanted.flatMap((name) => collectors.get(name)!))
    const format = negotiate(request.headers.accept)
    const pieces = body(format, only)
    reply.type(contentTypes[format]).header('vary', 'Accept, Accept-Encoding')
    const compressed = acceptsGzip(request.headers['accept-encoding'])
      ? await (only ? gzip.chosen(pieces) : gzip.whole(pieces))
      : undefined
    return sendBody(reply, pieces, compressed)
  })
  const tell = (reply: FastifyReply, { isOk, text }: Health) => plain(reply, isOk ? 200 : 503, text)
  if (routePrefix !== '') server.get(TO_PREFIX, (_, reply) => reply.redirect(`${linkPrefix}/`))
  server.get('/-/healthy', (_, reply) => tell(reply, healthy()))
  server.get('/-/ready', (_, reply) => tell(reply, ready()))
  server.route({
    method: RELOAD_METHODS,
    url: RELOAD_PATH,
    // Before a body is looked at: there is nothing to tell.
    async onRequest(_, reply) {
      const { code, text } = await answerReload(reload)
      return plain(reply, code, text)
    },
    handler: () => {},
  })
  for (const { path, answer } of others) {
    server.get(path, async (request, reply) => {
      if (!guard.admit(request.raw, reply.raw)) return busy(reply)
      const { name = '' } = request.params as { name?: string }
      const query = request.query as Record<string, unknown>
      const { code = 200, type, headers = {}, body: text } = await answer({ query, name })
      // What was so a moment ago is not kept.
      reply
        .code(code)
        .type(type)
        .headers({ 'cache-control': 'no-store', vary: 'Accept-Encoding', ...headers })
      const bytes = Buffer.from(text)
      const compressed =
        bytes.length > WORTH_COMPRESSING && acceptsGzip(request.headers['accept-encoding'])
          ? await gzipOfPages.chosen([bytes])
          : undefined
      return sendBody(reply, [bytes], compressed)
    })
  }
  server.setErrorHandler((error: Error, _, reply) => plain(reply, 500, `A defect of stakewatch: ${error.message}`))
  server.addHook('onResponse', async (request, reply) => {
    if (!left.has(request.raw) && !isTakenBack(reply.raw))
      count(handlerOf(request.routeOptions.url ?? pathOf(request)), reply.statusCode)
  })
  server.addHook('preClose', async () => {
    setTimeout(guard.closeAll, CLOSE_WITHIN).unref()
  })
  return server
}

function plain(reply: FastifyReply, code: number, text: string): FastifyReply {
  return reply
    .code(code)
    .header('x-content-type-options', 'nosniff')
    .type('text/plain; charset=utf-8')
    .send(`${text}\n`)
}

function sendBody(
  reply: FastifyReply,
  plainly: readonly Uint8Array[],
  compressed: readonly Uint8Array[] | undefined,
): FastifyReply {
  if (compressed) reply.header('content-encoding', 'gzip')
  const pieces = compressed ?? plainly
  if (pieces.length === 1) return reply.send(pieces[0])
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return reply.header('content-length', length).send(Readable.from(pieces, { objectMode: false }))
}

function busy(reply: FastifyReply): FastifyReply {
  return plain(reply.header('retry-after', '1'), 503, 'Too many answers are under way; ask again in a second.')
}
