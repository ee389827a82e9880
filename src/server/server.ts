// The HTTP side of the daemon. It sees functions, not the parts behind them; nothing here asks an upstream.

import { isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Format } from '../metrics/exposition.ts'
import { contentSecurityPolicy } from './landing.ts'
import { createGzip } from './gzip.ts'
import { acceptsGzip, contentTypes, negotiate } from './negotiate.ts'

/** What a health endpoint tells, in lines for people. */
interface Told {
  isOk: boolean
  text: string
}

export interface ServerOptions {
  telemetryPath: string
  /** `only` names the metrics that are wanted. */
  body: (format: Format, only?: ReadonlySet<string>) => readonly Uint8Array[]
  /** Metric names by collector, for `collect[]`. */
  collectors: ReadonlyMap<string, readonly string[]>
  landing: () => string
  ready: () => Told
  healthy: () => Told
  /** Called once per answered request. */
  count: (handler: string, code: number) => void
}

/** Longer than any scrape interval: a scraper keeps its connection. */
const KEEP_ALIVE = 5 * 60_000
/** A client that neither sends nor reads for so long is cut off. */
const STALLED = 60_000
const HEADERS_WITHIN = 5_000
/** When the server closes, bodies under way have so long to be read. */
const CLOSE_WITHIN = 3_000

export function createServer({
  telemetryPath,
  body,
  collectors,
  landing,
  ready,
  healthy,
  count,
}: ServerOptions): FastifyInstance {
  const server = Fastify({
    keepAliveTimeout: KEEP_ALIVE,
    connectionTimeout: STALLED,
    requestTimeout: STALLED,
    http: { headersTimeout: HEADERS_WITHIN },
    // A path that cannot be decoded: no hook hears of it.
    frameworkErrors: (_, request, reply) => {
      void refuse(request, reply)
      count('other', reply.statusCode)
    },
  })
  const gzip = createGzip()
  const paths = new Set(['/', '/-/healthy', '/-/ready', telemetryPath])
  const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = paths.has(pathOf(request))
    if (!known) return plain(reply, 404, `Nothing is served here; the metrics are at ${telemetryPath}.`)
    return plain(reply.header('allow', 'GET, HEAD'), 405, 'Only GET and HEAD are answered here.')
  }

  // Before the body of a request is looked at: no route reads one.
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    return request.is404 ? refuse(request, reply) : undefined
  })
  server.get(telemetryPath, async (request, reply) => {
    const wanted = [(request.query as Record<string, string | string[]>)['collect[]'] ?? []].flat()
    const unknown = wanted.find((name) => !collectors.has(name))
    if (unknown !== undefined) {
      return plain(reply, 400, `collect[] knows no such collector; it may be: ${[...collectors.keys()].join(', ')}.`)
    }
    const only = wanted.length === 0 ? undefined : new Set(wanted.flatMap((name) => collectors.get(name)!))
    const format = negotiate(request.headers.accept)
    const pieces = body(format, only)
    reply.type(contentTypes[format]).header('vary', 'Accept, Accept-Encoding')
    if (acceptsGzip(request.headers['accept-encoding'])) {
      return reply.header('content-encoding', 'gzip').send(await gzip(pieces))
    }
    const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
    return reply.header('content-length', length).send(Readable.from(pieces, { objectMode: false }))
  })
  const tell = (reply: FastifyReply, { isOk, text }: Told) => plain(reply, isOk ? 200 : 503, text)
  server.get('/-/healthy', (_, reply) => tell(reply, healthy()))
  server.get('/-/ready', (_, reply) => tell(reply, ready()))
  if (telemetryPath !== '/') {
    server.get('/', (_, reply) =>
      reply
        .headers({ 'content-security-policy': contentSecurityPolicy, 'x-frame-options': 'DENY' })
        .type('text/html; charset=utf-8')
        .send(landing()),
    )
  }
  server.setErrorHandler((error: Error, _, reply) => plain(reply, 500, `A defect of stakewatch: ${error.message}`))
  server.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? pathOf(request)
    count(paths.has(path) ? path : 'other', reply.statusCode)
  })
  server.addHook('preClose', async () => {
    setTimeout(() => server.server.closeAllConnections(), CLOSE_WITHIN).unref()
  })
  return server
}

function plain(reply: FastifyReply, code: number, text: string): FastifyReply {
  return reply.code(code).type('text/plain; charset=utf-8').send(`${text}\n`)
}

/** `:19650`, `127.0.0.1:19650`, `[::1]:19650`; undefined when the text is none of these. */
export function parseListenAddress(text: string): { host: string; port: number } | undefined {
  const { v6, host, port } = /^(?:\[(?<v6>.+)\]|(?<host>[^:[\]\s]*)):(?<port>\d{1,5})$/.exec(text)?.groups ?? {}
  if (port === undefined || Number(port) > 65_535 || (v6 !== undefined && !isIPv6(v6))) return undefined
  return { host: v6 ?? (host || '::'), port: Number(port) }
}
