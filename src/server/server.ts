// The HTTP side of the daemon. It sees functions, not the parts behind them; nothing here asks an upstream.

import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Format } from '../metrics/exposition.ts'
import { contentTypes, negotiate } from './negotiate.ts'

export interface ServerOptions {
  telemetryPath: string
  body: (format: Format) => readonly Uint8Array[]
  landing: () => string
  ready: () => boolean
  /** Called once per answered request. */
  count: (handler: string, code: number) => void
}

/** Longer than any scrape interval: a scraper keeps its connection. */
const KEEP_ALIVE = 5 * 60_000

export function createServer({ telemetryPath, body, landing, ready, count }: ServerOptions): FastifyInstance {
  const server = Fastify({ keepAliveTimeout: KEEP_ALIVE, forceCloseConnections: 'idle' })
  const paths = new Set(['/', '/-/healthy', '/-/ready', telemetryPath])
  const plain = (reply: FastifyReply, code: number, text: string) =>
    reply.code(code).type('text/plain; charset=utf-8').send(`${text}\n`)

  server.get(telemetryPath, (request, reply) => {
    const format = negotiate(request.headers.accept)
    const pieces = body(format)
    const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
    return reply
      .type(contentTypes[format])
      .header('content-length', length)
      .send(Readable.from(pieces, { objectMode: false }))
  })
  server.get('/-/healthy', (_, reply) => plain(reply, 200, 'stakewatch is healthy.'))
  server.get('/-/ready', (_, reply) =>
    ready() ? plain(reply, 200, 'stakewatch is ready.') : plain(reply, 503, 'stakewatch is starting or stopping.'),
  )
  if (telemetryPath !== '/') {
    server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(landing()))
  }
  server.setNotFoundHandler((request: FastifyRequest, reply) => {
    const [path = ''] = request.url.split('?')
    if (!paths.has(path)) return plain(reply, 404, `Nothing is served at ${path}; the metrics are at ${telemetryPath}.`)
    return plain(reply.header('allow', 'GET, HEAD'), 405, `${path} answers GET and HEAD only.`)
  })
  server.addHook('onResponse', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    count(paths.has(path) ? path : 'other', reply.statusCode)
  })
  return server
}

/** `:19650`, `127.0.0.1:19650`, `[::1]:19650`; undefined when the text is none of these. */
export function parseListenAddress(text: string): { host: string; port: number } | undefined {
  const found = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text)
  const port = Number(found?.[3])
  if (!found || port > 65_535) return undefined
  return { host: found[1] ?? (found[2] || '::'), port }
}
