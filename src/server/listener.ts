// The listeners of Node's that requests arrive at: plain HTTP, or TLS with HTTP/1.1 and HTTP/2, as the web configuration has
// it. New handshakes use what the configuration has by then.

import { createServer, METHODS, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContextOptions,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls'
import type { WebConfig } from '../config/web/web-config.ts'
import type { TlsConfig } from '../config/web/web-tls.ts'
import { BaseError } from '../errors.ts'
import { mayStay } from './client-certificate.ts'
import type { Web } from './web-config-reload.ts'

export interface ListenerOptions extends ServerOptions {
  /** A handshake is complete after this time (milliseconds). */
  handshakeTimeout: number
  /** A connection without a request stays open for so long (milliseconds). */
  idle: number
  /** Requests of one HTTP/2 connection that may be under way. */
  streams: number
}

export function createListener(options: ListenerOptions, web: Web | undefined, listener: RequestListener): Server {
  const { tls, http2 } = web?.current() ?? {}
  if (!web || !tls) return createServer(options, listener)
  const { streams, idle, ...others } = options
  const secured = { ...others, ...contextOf(tls), ...requestOf(tls) }
  // Loaded only here: they would take 8 MiB of every daemon without TLS.
  const server = http2
    ? process.getBuiltinModule('node:http2').createSecureServer(
        { ...secured, allowHTTP1: true, settings: { maxConcurrentStreams: streams } },
        // Node's own layer of compatibility: what HTTP/2 adds to these is not used here.
        withKnownMethods(listener) as never,
      )
    : process.getBuiltinModule('node:https').createServer(secured, listener)
  // Or the time-out of a socket would end what waits for the next request.
  server.on('session', (session: ServerHttp2Session) => session.setTimeout(idle))
  keepUpToDate(server, tls, web)
  // For who is served by it, it is a server of HTTP; what differs is known in connections.ts.
  return server as unknown as Server
}

/** The parser of HTTP/1.1 refuses other methods; HTTP/2 takes any word for one, and no route knows what to do with it. */
function withKnownMethods(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (METHODS.includes(request.method ?? '')) return listener(request, response)
    response.writeHead(501, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    response.end('No such method is known here.\n')
  }
}

/** Throws a BaseError when the platform cannot use this, as of a certificate whose key is too short. */
export function proveTls({ tls }: WebConfig): void {
  if (!tls) return
  try {
    createSecureContext(contextOf(tls))
  } catch (cause) {
    const reason =
      cause instanceof Error && 'reason' in cause ? String(cause.reason) : 'for a reason that it does not tell'
    throw new BaseError('config', `tls_server_config: OpenSSL refuses it: ${reason}`, { cause })
  }
}

function keepUpToDate(server: TlsServer, first: TlsConfig, web: Web): void {
  let used = first
  server.prependListener('connection', () => {
    // TLS is not switched off while it runs.
    const tls = web.current().tls ?? used
    if (tls === used) return
    used = tls
    // Tickets of the old context do not resume: who was signed by an authority that is gone has to show a certificate anew.
    server.setSecureContext(contextOf(tls))
    Object.assign(server, requestOf(tls))
  })
  const listeners = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  // Nobody hears of a client that may not stay.
  server.on('secureConnection', (socket: TLSSocket) => {
    if (!mayStay(socket, used)) return socket.destroy()
    for (const listener of listeners) listener.call(server, socket)
    return undefined
  })
}

/** Which certificate is enough is decided after the handshake, by `mayStay`. */
function requestOf({ policy }: TlsConfig) {
  return { requestCert: policy !== 'NoClientCert', rejectUnauthorized: false }
}

function contextOf(tls: TlsConfig): SecureContextOptions {
  const suites = tls.cipherSuites?.join(':') ?? DEFAULT_CIPHERS
  return {
    cert: tls.cert,
    key: tls.key.reveal(),
    ...(tls.clientCa !== undefined && { ca: tls.clientCa }),
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    // OpenSSL refuses the old versions at its default level, whatever else is allowed.
    ciphers: isOld(tls) ? `${suites}:@SECLEVEL=0` : suites,
    honorCipherOrder: tls.prefersOwnOrder,
    ...(tls.curves && { ecdhCurve: tls.curves.join(':') }),
  }
}

function isOld({ minVersion }: TlsConfig): boolean {
  return minVersion === 'TLSv1' || minVersion === 'TLSv1.1'
}
