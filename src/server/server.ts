// The HTTP side of the daemon: from a request to the route that answers it.

import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { CutReason } from '../self/instance.ts'
import { createGuard, defaultLimits, type Guard, type Limits, type SteadyClock } from './connections.ts'
import type { Gate } from './gate.ts'
import { createListener, defaultTimeouts, type Timeouts } from './listener.ts'
import {
  createFinder,
  type Found,
  type Page,
  pageRoutesOf,
  READ,
  type Reply,
  type Route,
  type RouteOptions,
  routesOf,
  textReply,
  withoutPrefix,
} from './routes.ts'
import type { WebConfigReloader } from './web-config-reload.ts'

export interface ListenerSettings {
  /** Called once per request, with 499 if the client did not get the whole answer. */
  count: (handler: string, code: number) => void
  /** Called for each connection that was closed because of what its client did, or to make room. */
  cut: (reason: CutReason) => void
  clock: SteadyClock
  limits?: Limits
  timeouts?: Timeouts
  /** TLS and access control; without it the server speaks plain HTTP with everyone. */
  web?: AccessControl | undefined
}

export type ServerOptions = RouteOptions & ListenerSettings

/** What a listener serves. */
interface Site {
  routes: readonly Route[]
  routePrefix: string
  notFound: Reply
  failed: (error: unknown) => Reply
}

/** The web configuration, and the gate that all listeners share. */
interface AccessControl {
  config: WebConfigReloader
  gate: Gate
}

export type HttpServer = ReturnType<typeof createServer>

/** The handler of requests that no route answers. */
const OTHER = 'other'
/** How long answers in progress may take once the server closes (milliseconds). */
const CLOSE_WITHIN = 1_500

export function createServer(options: ServerOptions) {
  const { telemetryPath, routePrefix = '', linkPrefix = routePrefix } = options
  const notFound = textReply(404, `Not found. The metrics are at ${linkPrefix}${telemetryPath}.`)
  return serverOf({ routes: routesOf(options), routePrefix, notFound, failed }, options)
}

/** Serves these pages alone, without a prefix, and says nothing about the rest. */
export function createPublicServer(pages: readonly Page[], settings: ListenerSettings): HttpServer {
  const notFound = textReply(404, 'Not found.')
  return serverOf({ routes: pageRoutesOf(pages), routePrefix: '', notFound, failed: () => failedInPublic }, settings)
}

function serverOf({ routes, routePrefix, notFound, failed }: Site, settings: ListenerSettings) {
  const { limits = defaultLimits, timeouts = defaultTimeouts, clock, cut, count, web } = settings
  const find = createFinder(routes)

  async function reply(request: IncomingMessage, response: ServerResponse, found: Found | undefined): Promise<Reply> {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return textReply(400, 'Missing Host header.')
    if (!found) return notFound
    const { route, name } = found
    if (!route.methods.includes(request.method ?? '')) return methodNotAllowed(route)
    if (!READ.includes(request.method ?? '')) {
      const refused = refuseCrossSite(request.headers)
      if (refused) return refused
    }
    if (route.isLimited && !guard.admit(request, response)) return busy
    return route.answer({ method: request.method ?? '', headers: request.headers, query: queryOf(request.url), name })
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decoded(withoutPrefix(request.url ?? '', routePrefix))
    const found = path === undefined ? undefined : find(path)
    if (!guard.begin(request, response, found?.route.path ?? OTHER)) return
    if (web && !(await web.gate.admit(request, response))) return
    send(request, response, await reply(request, response, found).catch(failed))
  }
  const listener: RequestListener = (request, response) => void answer(request, response)
  const guard = createGuard({ clock, limits, cut, ended: count })
  const prepare = (one: Server) => {
    guard.watch(one)
    // No route reads a body or knows an expectation: the answer to the request says enough.
    one.on('request', listener).on('checkContinue', listener).on('checkExpectation', listener)
    answerUnparsed(one, guard, (code) => count(OTHER, code))
  }
  const { server, close } = createListener({ timeouts, streams: limits.pipelined, web: web?.config, prepare })
  return {
    server,
    /** Rejects with the platform's error when the address is not free. */
    async listen(address: { host: string; port: number } | { fd: number }): Promise<void> {
      await once(server.listen(address), 'listening')
    },
    async close(): Promise<void> {
      if (!server.listening) return
      const callOff = clock.after(CLOSE_WITHIN, guard.closeAll)
      await new Promise<void>(close)
      callOff()
    },
  }
}

/** Answers what Node does not make a request of. */
function answerUnparsed(server: Server, guard: Guard, count: (code: number) => void): void {
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    const code = refuseMalformed(error, socket, guard.isBusy(socket))
    if (code !== undefined) count(code)
  })
  // Before the listener that closes the connection. Without a handshake there is no request to count.
  server.prependListener('tlsClientError', ({ code }: Error & { code?: string }, socket: TLSSocket) => {
    if (code === 'ERR_SSL_HTTP_REQUEST') guard.under(socket)?.write(NOT_OVER_TLS)
  })
  server.on('connect', (_, socket: Socket | ServerResponse) => {
    // HTTP/2 passes a response instead.
    if ('setHeader' in socket) {
      socket.statusCode = 405
      socket.end()
      return
    }
    socket.end(rawAnswer(405, 'Method Not Allowed'), () => socket.destroy())
    count(405)
  })
}

/** The path of a URL; undefined if it cannot be decoded. */
function decoded(url: string): string | undefined {
  try {
    return decodeURI(url.split(/[?#]/, 1)[0]!)
  } catch {
    return undefined
  }
}

function queryOf(url = ''): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1).split('#', 1)[0])
}

function failed(error: unknown): Reply {
  return textReply(500, `Internal error: ${error instanceof Error ? error.message : 'unknown'}`)
}

const failedInPublic = textReply(500, 'Internal error.')

const busy = textReply(503, 'Too many requests in progress, retry in a second.', { 'retry-after': '1' })

function methodNotAllowed({ methods }: Route): Reply {
  return textReply(405, `Method not allowed. Use ${methods.join(' or ')}.`, { allow: methods.join(', ') })
}

function send(request: IncomingMessage, response: ServerResponse, { code, headers, pieces }: Reply): void {
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  response.writeHead(code, { 'x-content-type-options': 'nosniff', 'content-length': length, ...headers })
  if (request.method === 'HEAD' || length === 0) response.end()
  // Node takes a response for idle as soon as it has ended, and closes its connection when the server closes.
  else if (pieces.length === 1 && request.httpVersionMajor === 1) response.write(pieces[0], () => response.end())
  else Readable.from(slicesOf(pieces), { objectMode: false }).pipe(response)
}

/** An HTTP/2 session holds 10 MB at most, whatever its client reads: more at once resets it (bytes). */
const SLICE = 1_048_576

function* slicesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) yield piece.subarray(at, at + SLICE)
  }
}

const REMEDY =
  'This request comes from a page of another site, which must not change anything here. Send it with a program such as curl.'

/** What a user typed, and our own pages. Programs such as curl send neither header. */
const OWN = ['same-origin', 'none']

/**
 * Requests that a page of another site makes a browser send carry what the browser knows, such as passwords, and come from inside
 * the network: they must not change anything.
 */
function refuseCrossSite(headers: IncomingHttpHeaders): Reply | undefined {
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = site === undefined ? origin === undefined || hostOf(origin) === hostAsked(headers) : isOwnSite(site)
  return isOwn ? undefined : textReply(403, REMEDY)
}

function isOwnSite(site: string | string[]): boolean {
  return typeof site === 'string' && OWN.includes(site)
}

/** Browsers say `null` where they keep the origin to themselves. */
function hostOf(origin: string): string | undefined {
  return URL.parse(origin)?.host || undefined
}

/** HTTP/2 has a name of its own for it. */
function hostAsked({ host, ':authority': authority }: IncomingHttpHeaders): string | undefined {
  const asked = host ?? (typeof authority === 'string' ? authority : undefined)
  // As in an origin: browsers leave out the port that the scheme presets in both.
  return asked?.toLowerCase()
}

/** What Node could not parse, or waited for in vain. */
const malformed: Readonly<Record<string, [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
}

/** Returns the status; undefined if the connection broke or already has its answer. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket, isBusy: boolean): number | undefined {
  // Node reports each further chunk of nonsense as well.
  if (socket.writableEnded) return undefined
  const { code = '' } = error
  if (!/^(HPE_|ERR_HTTP_)/.test(code) || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const [status, reason] = malformed[code] ?? [400, 'Bad Request']
  // The client would take it for a part of the answer in progress.
  if (isBusy) socket.destroy()
  else socket.end(rawAnswer(status, reason), () => socket.destroy())
  return status
}

/** The words of Go's servers, which other exporters use. */
export const NOT_OVER_TLS = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

/** Written to a bare socket, where Node has parsed no request. */
function rawAnswer(code: number, reason: string): string {
  const text = `${reason}\n`
  return `HTTP/1.1 ${code} ${reason}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}
