// What clients may hold of the server: connections, requests and unread answers, each bounded for one client and for all.
// It holds for plain HTTP, for TLS and for HTTP/2, where a connection has several requests at a time.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { CutReason } from '../metrics/process-metrics.ts'

export interface Limits {
  /** An answer that is not read completely after so long is cut off, however slowly it is being read (milliseconds). */
  answerWithin: number
  /** Requests of one connection that arrive together, or wait for their answers to be read. */
  pipelined: number
  connections: number
  /** Bodies under way, on all connections together. */
  bodies: number
}

export const defaultLimits: Limits = { answerWithin: 25_000, pipelined: 8, connections: 512, bodies: 256 }

/** What the deadlines need of a clock. */
export interface Timing {
  now(): { steady: number }
  /** Does the work once, after so many milliseconds. Gives what calls it off. */
  after(milliseconds: number, work: () => void): () => void
}

export interface GuardOptions {
  clock: Timing
  limits: Limits
  /** Called for each connection that is closed here. */
  cut: (reason: CutReason) => void
  /** Called for each request whose client left, or was cut off, before it had the whole answer. */
  abandoned: (request: IncomingMessage) => void
}

export interface Guard {
  /** Whether a body may be sent as this answer; false when too many are under way. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Whether the connection has an answer under way. */
  isBusy(socket: Socket): boolean
  /** Nothing that arrives on the connection is looked at any more. */
  ignore(socket: Socket): void
  /** What is written to it goes to the client as it is: the socket under one of TLS whose handshake has failed. */
  under(socket: TLSSocket): Socket | undefined
  closeAll(): void
}

interface Connection {
  /** What ends it: after the handshake of TLS the socket around the one that carries it. */
  socket: Socket | TLSSocket
  isIgnored: boolean
  /** Requests that its client took back, as HTTP/2 lets it do. */
  takenBack: number
  /** Requests in what was read last. */
  read: number
  /** Requests without a complete answer, each with what calls off its deadline. */
  open: Map<ServerResponse, { request: IncomingMessage; cancel: () => void }>
}

/** Nobody waits for the body of a scrape for longer than this without being slow (milliseconds). */
const YIELDS_AFTER = 1_000
/** A scraper whose time is over takes one back; who takes back many only makes work. It may connect again (requests). */
const MOST_TAKEN_BACK = 32
/** What is parsed at once holds a few dozen requests; what is read at once would hold thousands (bytes). */
const SLICE = 1_024

export function guardConnections(server: Server, { clock, limits, cut, abandoned }: GuardOptions): Guard {
  const connections = new Set<Connection>()
  const isTls = 'setSecureContext' in server
  /** By the socket that carries it, and by the socket of TLS or the session of HTTP/2 around that. */
  const owners = new WeakMap<object, Connection>()
  /** By its two ends, as the platform does not tell what is around what. */
  const byEnds = new Map<string, Connection>()
  // Both in the order of time: the oldest comes first.
  const idle = new Set<Connection>()
  const bodies = new Map<ServerResponse, { connection: Connection; since: number }>()

  const ownerOf = (request: IncomingMessage | Http2ServerRequest) =>
    owners.get(('stream' in request ? request.stream.session : undefined) ?? request.socket)

  function forget(connection: Connection): void {
    if (!connections.delete(connection)) return
    idle.delete(connection)
    connection.isIgnored = true
    for (const response of connection.open.keys()) giveUp(connection, response)
  }

  function giveUp(connection: Connection, response: ServerResponse): void {
    const { request, cancel } = connection.open.get(response)!
    connection.open.delete(response)
    cancel()
    bodies.delete(response)
    abandoned(request)
  }

  function close(connection: Connection, reason: CutReason): void {
    // Each of its requests may want it.
    if (!connections.has(connection)) return
    cut(reason)
    forget(connection)
    connection.socket.destroy()
  }

  function closeLongestIdle(): boolean {
    const [connection] = idle
    if (connection) close(connection, 'crowded')
    return connection !== undefined
  }

  function closeLongestUnread(): boolean {
    const [body] = bodies.values()
    if (!body || clock.now().steady - body.since < YIELDS_AFTER) return false
    close(body.connection, 'crowded')
    return true
  }

  /** Whoever asks for several at once goes before anybody who asks for one has to. */
  function closeGreediest(): boolean {
    const held = Map.groupBy(bodies.values(), ({ connection }) => connection)
    const [greediest] = [...held].toSorted(([, a], [, b]) => b.length - a.length)
    if (!greediest || greediest[1].length === 1) return false
    close(greediest[0], 'pipelined')
    return true
  }

  server.on('connection', (socket: Socket) => {
    if (connections.size >= limits.connections && !closeLongestIdle() && !closeLongestUnread()) {
      cut('crowded')
      socket.destroy()
      return
    }
    const connection: Connection = { socket, isIgnored: false, takenBack: 0, read: 0, open: new Map() }
    const ends = endsOf(socket)
    connections.add(connection)
    owners.set(socket, connection)
    byEnds.set(ends, connection)
    idle.add(connection)
    socket.once('close', () => {
      if (byEnds.get(ends) === connection) byEnds.delete(ends)
      forget(connection)
    })
    if (!isTls) parseInSlices(socket, connection)
  })

  // After the handshake. Node's own listener comes first: it has given the socket to its parser.
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = byEnds.get(endsOf(socket))
    if (!connection) return socket.destroy()
    connection.socket = socket
    owners.set(socket, connection)
    if (socket.alpnProtocol !== 'h2') parseInSlices(socket, connection)
    return undefined
  })
  server.on('session', (session: ServerHttp2Session) => {
    const connection = byEnds.get(endsOf(session.socket))
    if (connection) owners.set(session, connection)
    else session.destroy()
  })

  // Before the listener that answers.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = ownerOf(request)
    if (!connection || !connections.has(connection)) return
    idle.delete(connection)
    const cancel = clock.after(limits.answerWithin, () => close(connection, 'unread'))
    connection.open.set(response, { request, cancel })
    response.once('close', () => {
      if (!connection.open.has(response)) return
      if (!isComplete(response)) {
        // A client of HTTP/2 may give up a request and stay. Elsewhere this comes before the connection's own end.
        if (!('stream' in request)) return forget(connection)
        giveUp(connection, response)
        connection.takenBack += 1
        if (connection.takenBack > MOST_TAKEN_BACK) return close(connection, 'pipelined')
      }
      connection.open.get(response)?.cancel()
      connection.open.delete(response)
      if (connection.open.size === 0 && connections.has(connection)) idle.add(connection)
    })
    // HTTP/2 has its own bound of requests at a time, and is not parsed in slices.
    if (!('stream' in request)) connection.read += 1
    if (Math.max(connection.read, connection.open.size) > limits.pipelined) close(connection, 'pipelined')
  })

  return {
    admit(request, response) {
      const connection = ownerOf(request)
      // The connection may have been closed while the request was looked at.
      if (request.socket.destroyed) return false
      // A request that is injected comes over none.
      if (!connection) return true
      if (bodies.size >= limits.bodies && !closeGreediest() && !closeLongestUnread()) return false
      // It may be its own that was closed.
      if (request.socket.destroyed) return false
      bodies.set(response, { connection, since: clock.now().steady })
      response.once('close', () => bodies.delete(response))
      return true
    },
    isBusy: (socket) => (owners.get(socket)?.open.size ?? 0) > 0,
    ignore(socket) {
      const connection = owners.get(socket)
      if (connection) connection.isIgnored = true
    },
    under: (socket) => byEnds.get(endsOf(socket))?.socket,
    closeAll() {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket | TLSSocket): string {
  return [remoteAddress, remotePort, localAddress, localPort].join(' ')
}

/** Whether the client had the whole answer. A stream that was reset is finished as well. */
function isComplete(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response ? response.writableEnded && !isTakenBack(response) : response.writableFinished
}

/** A request of HTTP/2 that its client has reset. */
export function isTakenBack(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response && response.stream.rstCode !== 0
}

/** Node's parser goes through all that was read, whatever becomes of the connection meanwhile. */
function parseInSlices(socket: Socket, connection: Connection): void {
  const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[]
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    connection.read = 0
    for (let at = 0; at < chunk.length && !connection.isIgnored; at += SLICE) {
      // Node stops reading while its answers are not read: the rest comes again afterwards.
      if (socket.isPaused()) return socket.unshift(chunk.subarray(at))
      for (const parse of parsers) parse.call(socket, chunk.subarray(at, at + SLICE))
    }
    return undefined
  })
}
