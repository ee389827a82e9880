// Limits on what clients hold: connections, requests and unread answers, for each client and in total. They apply to plain
// HTTP, TLS and HTTP/2, where one connection carries several requests at a time.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../lib/clock.ts'
import type { CutReason } from '../self/instance.ts'

export interface Limits {
  /** A client has to read an answer completely within this time, however steadily it reads (milliseconds). */
  answerWithin: number
  /** Unanswered requests on one connection. */
  pipelined: number
  connections: number
  /** Bodies in progress, on all connections together. */
  bodies: number
}

export const defaultLimits: Limits = { answerWithin: 25_000, pipelined: 8, connections: 512, bodies: 256 }

/** What the deadlines need of a clock. */
export interface SteadyClock extends Pick<Clock, 'after'> {
  now(): { steady: number }
}

export interface GuardOptions {
  clock: SteadyClock
  limits: Limits
  /** Called for each connection that the guard closes. */
  cut: (reason: CutReason) => void
  /** Called once per request, with 499 if the client did not get the whole answer. */
  ended: (handler: string, code: number) => void
}

export type Guard = ReturnType<typeof createGuard>

interface Connection {
  /** After the TLS handshake the TLS socket, before it the TCP socket. */
  socket: Socket | TLSSocket
  /** Requests that an HTTP/2 client reset. */
  resets: number
  /** Requests without a complete answer, each with a function that cancels its deadline. */
  open: Map<ServerResponse, { handler: string; cancel: () => void }>
}

interface State extends GuardOptions {
  connections: Set<Connection>
  /** By TCP socket, TLS socket and HTTP/2 session. */
  owners: WeakMap<object, Connection>
  /** By the addresses of both ends: no public API leads from a TLS socket to its TCP socket. */
  byEnds: Map<string, Connection>
  /** Oldest first. */
  idle: Set<Connection>
  /** Oldest first. */
  bodies: Map<ServerResponse, { connection: Connection; since: number }>
}

/** The client did not get the whole answer. Proxies log such requests under this code. */
const ABANDONED = 499
/** A client that has not read a body for this long may be closed to make room (milliseconds). */
const YIELDS_AFTER = 1_000
/** A scraper resets a request that timed out. More resets than this only make work; the client may connect again. */
const MOST_RESETS = 32

export function createGuard(options: GuardOptions) {
  const state: State = {
    ...options,
    connections: new Set(),
    owners: new WeakMap(),
    byEnds: new Map(),
    idle: new Set(),
    bodies: new Map(),
  }
  const { owners, byEnds, connections } = state
  return {
    /** Applies the limits to the server's connections. */
    watch: (server: Server) => watch(state, server),
    /** Tracks a request until its answer is complete. False if the guard has closed its connection. */
    begin: (request: IncomingMessage, response: ServerResponse, handler: string): boolean =>
      begin(state, request, response, handler),
    /** Whether a body may be sent; false when too many are in progress. */
    admit: (request: IncomingMessage, response: ServerResponse): boolean => admit(state, request, response),
    /** Whether the connection has an answer in progress. */
    isBusy: (socket: Socket): boolean => (owners.get(socket)?.open.size ?? 0) > 0,
    /** The TCP socket under a TLS socket whose handshake failed. */
    under: (socket: TLSSocket): Socket | undefined => byEnds.get(endsOf(socket))?.socket,
    closeAll() {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

function watch(state: State, server: Server): void {
  const { owners, byEnds, limits } = state
  const isTls = 'setSecureContext' in server
  server.on('connection', (socket: Socket) => {
    accept(state, socket)
    if (!isTls) boundRequests(socket, limits)
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = byEnds.get(endsOf(socket))
    if (!connection) return socket.destroy()
    connection.socket = socket
    owners.set(socket, connection)
    if (socket.alpnProtocol !== 'h2') boundRequests(socket, limits)
    return undefined
  })
  server.on('session', (session: ServerHttp2Session) => {
    // A client whose certificate is not enough: listener.ts has destroyed its session.
    if (session.destroyed) return
    const connection = byEnds.get(endsOf(session.socket))
    if (connection) owners.set(session, connection)
    else session.destroy()
  })
}

function accept(state: State, socket: Socket): void {
  const { connections, owners, byEnds, idle, limits } = state
  // Node removes its own listener when it hands over a socket, such as that of a CONNECT request.
  socket.on('error', () => socket.destroy())
  if (connections.size >= limits.connections && !closeLongestIdle(state) && !closeLongestUnread(state)) {
    state.cut('crowded')
    socket.destroy()
    return
  }
  const connection: Connection = { socket, resets: 0, open: new Map() }
  const ends = endsOf(socket)
  connections.add(connection)
  owners.set(socket, connection)
  byEnds.set(ends, connection)
  idle.add(connection)
  socket.once('close', () => {
    if (byEnds.get(ends) === connection) byEnds.delete(ends)
    forget(state, connection)
  })
}

/**
 * Node parses all that was read at once, up to 64 KiB, even after the connection was closed: thousands of requests, each of
 * which costs memory and an error. The request that is one too many closes the connection; what follows it is blanked.
 */
function boundRequests(socket: Socket, { pipelined }: Limits): void {
  socket.prependListener('data', (chunk: Buffer) => {
    let end = 0
    for (let requests = 0; requests <= pipelined; requests += 1) {
      const at = chunk.indexOf('\r\n\r\n', end)
      if (at < 0) return
      end = at + 4
    }
    chunk.fill(0, end)
  })
}

function begin(state: State, request: IncomingMessage, response: ServerResponse, handler: string): boolean {
  const { connections, idle, clock, limits } = state
  const connection = ownerOf(state, request)
  if (!connection || !connections.has(connection)) return false
  idle.delete(connection)
  const cancel = clock.after(limits.answerWithin, () => close(state, connection, 'unread'))
  connection.open.set(response, { handler, cancel })
  response.once('close', () => {
    if (!connection.open.has(response)) return
    if (isComplete(response)) end(state, connection, response, response.statusCode)
    // An HTTP/2 client may reset a request and stay. With HTTP/1.1 the connection is closing.
    else if (!('stream' in request)) return forget(state, connection)
    else {
      end(state, connection, response, ABANDONED)
      connection.resets += 1
      if (connection.resets > MOST_RESETS) return close(state, connection, 'pipelined')
    }
    if (connection.open.size === 0 && connections.has(connection)) idle.add(connection)
  })
  if (connection.open.size > limits.pipelined) close(state, connection, 'pipelined')
  return connections.has(connection)
}

function admit(state: State, request: IncomingMessage, response: ServerResponse): boolean {
  const { bodies, clock, limits } = state
  const connection = ownerOf(state, request)
  if (!connection || request.socket.destroyed) return false
  if (bodies.size >= limits.bodies && !closeGreediest(state) && !closeLongestUnread(state)) return false
  // The connection that made room may be this one.
  if (request.socket.destroyed) return false
  bodies.set(response, { connection, since: clock.now().steady })
  response.once('close', () => bodies.delete(response))
  return true
}

function ownerOf({ owners }: State, request: IncomingMessage | Http2ServerRequest): Connection | undefined {
  return owners.get(('stream' in request ? request.stream.session : undefined) ?? request.socket)
}

function end(state: State, connection: Connection, response: ServerResponse, code: number): void {
  const { handler, cancel } = connection.open.get(response)!
  connection.open.delete(response)
  cancel()
  state.bodies.delete(response)
  state.ended(handler, code)
}

function forget(state: State, connection: Connection): void {
  if (!state.connections.delete(connection)) return
  state.idle.delete(connection)
  for (const response of connection.open.keys()) end(state, connection, response, ABANDONED)
}

function close(state: State, connection: Connection, reason: CutReason): void {
  // Each of its requests may want to close it.
  if (!state.connections.has(connection)) return
  state.cut(reason)
  forget(state, connection)
  connection.socket.destroy()
}

function closeLongestIdle(state: State): boolean {
  const [connection] = state.idle
  if (connection) close(state, connection, 'crowded')
  return connection !== undefined
}

function closeLongestUnread(state: State): boolean {
  const [body] = state.bodies.values()
  if (!body || state.clock.now().steady - body.since < YIELDS_AFTER) return false
  close(state, body.connection, 'crowded')
  return true
}

/** A connection with several bodies makes room before any with one. */
function closeGreediest(state: State): boolean {
  const held = Map.groupBy(state.bodies.values(), ({ connection }) => connection)
  const [greediest] = [...held].toSorted(([, a], [, b]) => b.length - a.length)
  if (!greediest || greediest[1].length === 1) return false
  close(state, greediest[0], 'pipelined')
  return true
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket | TLSSocket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ')
}

/** Whether the client got the whole answer. A stream that its client reset counts as finished, so ask for that first. */
function isComplete(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response ? response.writableEnded && response.stream.rstCode === 0 : response.writableFinished
}
