// Node's servers: plain HTTP, or TLS with HTTP/1.1 and HTTP/2, as the web configuration says. Each handshake uses the
// configuration of its moment.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
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
  /** Milliseconds. */
  handshakeTimeout: number
  /** For a connection that sends and reads nothing (milliseconds). */
  timeout: number
  /** The same for HTTP/2, where it may be waiting for the next request. */
  idle: number
  /** Requests in progress on one HTTP/2 connection. */
  streams: number
}

export function createListener(options: ListenerOptions, web: Web | undefined, listener: RequestListener): Server {
  const { tls, http2 } = web?.current() ?? {}
  const { streams, idle, timeout, ...others } = options
  if (!web || !tls) return createServer(others, listener).setTimeout(timeout)
  const secured = { ...others, ...contextOf(tls), ...requestOf(tls) }
  // Loaded only here: they take 8 MiB.
  const server = http2
    ? process.getBuiltinModule('node:http2').createSecureServer(
        { ...secured, allowHTTP1: true, settings: { maxConcurrentStreams: streams } },
        // Node's compatibility layer: what HTTP/2 adds to requests and responses is not used here.
        listener as never,
      )
    : process.getBuiltinModule('node:https').createServer(secured, listener)
  // The timeout of the socket would end a session that waits for its next request.
  server.on('session', (session: ServerHttp2Session) => session.setTimeout(idle))
  keepUpToDate(server, tls, web)
  server.setTimeout(timeout)
  // connections.ts knows what differs.
  return server as unknown as Server
}

/** Throws a BaseError when the platform cannot use the configuration, such as a certificate with too short a key. */
export function proveTls({ tls }: WebConfig): void {
  if (!tls) return
  try {
    createSecureContext(contextOf(tls))
  } catch (cause) {
    const reason = cause instanceof Error && 'reason' in cause ? String(cause.reason) : 'no reason given'
    throw new BaseError('config', `tls_server_config: OpenSSL refuses it: ${reason}`, { cause })
  }
}

function keepUpToDate(server: TlsServer, first: TlsConfig, web: Web): void {
  let used = first
  server.prependListener('connection', () => {
    // Only a restart switches TLS off.
    const tls = web.current().tls ?? used
    if (tls === used) return
    used = tls
    // Tickets of the old context do not resume, so that a client of a removed authority has to show a certificate again.
    server.setSecureContext(contextOf(tls))
    // Node has no method for these two options of a server that runs.
    Object.assign(server, requestOf(tls))
  })
  // After Node's own listeners, and before anything of the connection is read.
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2' && !mayStay(socket, used)) socket.destroy()
  })
  server.on('session', (session: ServerHttp2Session) => {
    if (!mayStay(session.socket as TLSSocket, used)) session.destroy()
  })
}

/** `mayStay` decides after the handshake whether the certificate is enough. */
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
    // At its default level OpenSSL refuses the old versions, whatever else is allowed.
    ciphers: isOld(tls) ? `${suites}:@SECLEVEL=0` : suites,
    honorCipherOrder: tls.prefersOwnOrder,
    ...(tls.curves && { ecdhCurve: tls.curves.join(':') }),
  }
}

function isOld({ minVersion }: TlsConfig): boolean {
  return minVersion === 'TLSv1' || minVersion === 'TLSv1.1'
}
