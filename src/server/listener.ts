// Node's servers: plain HTTP, or TLS with HTTP/1.1 and HTTP/2, as the web configuration says. Each handshake uses the
// configuration of its moment.

import type { Server } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
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
import { entryOf } from '../lib/entry.ts'
import type { WebConfigReloader } from './web-config-reload.ts'
import type { X509Certificate } from 'node:crypto'

/** An import of it loads Node's own copy of undici for one of its exports: 13 MiB, and 50 ms of a start. */
const http = process.getBuiltinModule('node:http')

/** Milliseconds each. */
export interface Timeouts {
  /** For the request line and the headers, and for the TLS handshake. */
  readHeader: number
  /** For a whole request with its body, which no route wants. */
  read: number
  /** For a connection without a request. */
  idle: number
}

/**
 * What fits into the kernel's buffers counts as read. A client that reads nothing of it is idle then, and an idle connection
 * ends after 20 s, so that it is gone within 30 s too. A scraper that comes less often opens a new connection.
 */
export const defaultTimeouts: Timeouts = { readHeader: 5_000, read: 10_000, idle: 20_000 }
/** A client that sends nothing for this long in the middle of a request is cut off (milliseconds). */
const STALLED = 30_000
/** How often Node checks whether requests are late (milliseconds). */
const CHECK_EVERY = 1_000

export interface ListenerOptions {
  timeouts: Timeouts
  /** Requests in progress on one HTTP/2 connection. */
  streams: number
  web: WebConfigReloader | undefined
  /** Called once for each HTTP or HTTPS server, before its first connection. */
  prepare: (server: Server) => void
}

export interface Listener {
  server: TcpServer
  /** Closes idle connections, and calls back once the others have ended. */
  close(done: () => void): void
}

export function createListener(options: ListenerOptions): Listener {
  const { timeouts, web, prepare } = options
  const { tls, http2 = false } = web?.current() ?? {}
  if (web && tls) return createTlsListener(options, web, { first: tls, http2 })
  const server = http.createServer(nodeOptions(timeouts)).setTimeout(STALLED)
  prepare(server)
  return { server, close: (done) => server.close(done) }
}

/**
 * One server accepts all connections and passes each to a TLS server. Whether a TLS server asks for client certificates cannot
 * change, so there is one that does and one that does not.
 */
function createTlsListener(
  options: ListenerOptions,
  web: WebConfigReloader,
  { first, http2 }: { first: TlsConfig; http2: boolean },
): Listener {
  const servers = new Map<boolean, TlsServer>()
  let used = first

  function serverFor(tls: TlsConfig): TlsServer {
    const requestCert = tls.policy !== 'NoClientCert'
    const server = entryOf(servers, requestCert, () => createTlsServer(options, { http2, requestCert }, () => used))
    // Tickets of an old context do not resume, so that a client of a removed authority has to show a certificate again.
    server.setSecureContext(contextOf(tls))
    return server
  }

  let server = serverFor(first)
  const front = createTcpServer({ noDelay: true }, (socket) => {
    // Only a restart switches TLS off.
    const tls = web.current().tls ?? used
    if (tls !== used) {
      used = tls
      server = serverFor(tls)
    }
    server.emit('connection', socket)
  })
  return {
    server: front,
    close(done) {
      front.close(done)
      for (const one of servers.values()) one.close()
    },
  }
}

function createTlsServer(
  { timeouts, streams, prepare }: ListenerOptions,
  { http2, requestCert }: { http2: boolean; requestCert: boolean },
  used: () => TlsConfig,
): TlsServer {
  // `isClientAllowed` decides after the handshake whether the certificate is enough.
  const secured = { ...nodeOptions(timeouts), requestCert, rejectUnauthorized: false }
  // Loaded only here: they take 8 MiB.
  const server = http2
    ? process
        .getBuiltinModule('node:http2')
        .createSecureServer({ ...secured, allowHTTP1: true, settings: { maxConcurrentStreams: streams } })
    : process.getBuiltinModule('node:https').createServer(secured)
  server.setTimeout(STALLED)
  // After Node's own listeners, and before anything of the connection is read.
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2' && !isClientAllowed(socket, used())) socket.destroy()
  })
  server.on('session', (session: ServerHttp2Session) => {
    // The timeout of the socket would end a session that waits for its next request.
    session.setTimeout(Math.max(timeouts.idle, STALLED))
    if (!isClientAllowed(session.socket as TLSSocket, used())) session.destroy()
  })
  // connections.ts knows what differs.
  prepare(server as unknown as Server)
  // Node looks for late requests from then on. This server gets its connections from another one, which listens.
  server.emit('listening')
  return server
}

function nodeOptions({ idle, read, readHeader }: Timeouts) {
  return {
    keepAliveTimeout: idle,
    requestTimeout: read,
    headersTimeout: readHeader,
    handshakeTimeout: readHeader,
    connectionsCheckingInterval: CHECK_EVERY,
    // Node's own answer to a missing host has no text.
    requireHostHeader: false,
  }
}

/** Throws a BaseError when the platform cannot use the configuration, such as a certificate with too short a key. */
export function validateTls({ tls }: WebConfig): void {
  if (!tls) return
  try {
    createSecureContext(contextOf(tls))
  } catch (cause) {
    const reason = cause instanceof Error && 'reason' in cause ? String(cause.reason) : 'no reason given'
    throw new BaseError('config', `tls_server_config: OpenSSL refuses it: ${reason}`, { cause })
  }
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

/** Whether a client may stay after the handshake. */
function isClientAllowed(socket: TLSSocket, { policy, allowedSans }: TlsConfig): boolean {
  const certificate = socket.getPeerX509Certificate()
  switch (policy) {
    case 'VerifyClientCertIfGiven':
      return certificate === undefined || socket.authorized
    case 'RequireAnyClientCert':
      return certificate !== undefined && isNamed(certificate, allowedSans)
    case 'RequireAndVerifyClientCert':
      return certificate !== undefined && socket.authorized && isNamed(certificate, allowedSans)
    case 'NoClientCert':
    case 'RequestClientCert':
    default:
      return true
  }
}

function isNamed(certificate: X509Certificate, allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || namesOf(certificate).some((name) => allowed.includes(name))
}

/** The DNS names, IP addresses, mail addresses and URIs of the certificate, as they are usually written. */
function namesOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  // Node quotes a name that has a comma or a quotation mark, so that one name cannot pass for two.
  const entries = subjectAltName.matchAll(/(DNS|IP Address|email|URI):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy)
  return entries
    .map(([, kind, value = '']) => {
      const name = value.startsWith('"') ? String(JSON.parse(value)) : value
      return kind === 'IP Address' && name.includes(':')
        ? (URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name)
        : name
    })
    .toArray()
}
