// What clients may hold of the server: connections, requests and unread answers, each bounded for one client and for all.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CutReason } from '../metrics/self.ts'

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
}

interface Connection {
  isIgnored: boolean
  /** Requests in what was read last. */
  read: number
  /** Requests without a complete answer, each with what calls off its deadline. */
  open: Map<ServerResponse, { request: IncomingMessage; cancel: () => void }>
}

/** Nobody waits for the body of a scrape for longer than this without being slow (milliseconds). */
const YIELDS_AFTER = 1_000
/** What is parsed at once holds a few dozen requests; what is read at once would hold thousands (bytes). */
const SLICE = 1_024

export function guardConnections(server: Server, { clock, limits, cut, abandoned }: GuardOptions): Guard {
  const connections = new Map<Socket, Connection>()
  // Both in the order of time: the oldest comes first.
  const idle = new Set<Socket>()
  const bodies = new Map<ServerResponse, { socket: Socket; since: number }>()

  function forget(socket: Socket): void {
    const connection = connections.get(socket)
    if (!connection) return
    connections.delete(socket)
    idle.delete(socket)
    connection.isIgnored = true
    for (const [response, { request, cancel }] of connection.open) {
      cancel()
      bodies.delete(response)
      abandoned(request)
    }
    connection.open.clear()
  }

  function close(socket: Socket, reason: CutReason): void {
    cut(reason)
    forget(socket)
    socket.destroy()
  }

  function closeLongestIdle(): boolean {
    const [socket] = idle
    if (socket) close(socket, 'crowded')
    return socket !== undefined
  }

  function closeLongestUnread(): boolean {
    const [body] = bodies.values()
    if (!body || clock.now().steady - body.since < YIELDS_AFTER) return false
    close(body.socket, 'crowded')
    return true
  }

  /** Whoever asks for several at once goes before anybody who asks for one has to. */
  function closeGreediest(): boolean {
    const held = Map.groupBy(bodies.values(), ({ socket }) => socket)
    const [greediest] = [...held].toSorted(([, a], [, b]) => b.length - a.length)
    if (!greediest || greediest[1].length === 1) return false
    close(greediest[0], 'pipelined')
    return true
  }

  server.on('connection', (socket) => {
    if (connections.size >= limits.connections && !closeLongestIdle() && !closeLongestUnread()) {
      cut('crowded')
      socket.destroy()
      return
    }
    const connection: Connection = { isIgnored: false, read: 0, open: new Map() }
    connections.set(socket, connection)
    idle.add(socket)
    socket.once('close', () => forget(socket))
    parseInSlices(socket, connection)
  })

  // Before the listener that answers.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    idle.delete(socket)
    connection.open.set(response, { request, cancel: clock.after(limits.answerWithin, () => close(socket, 'unread')) })
    response.once('close', () => {
      // Where the client has left, this comes before the connection's own end.
      if (!response.writableFinished) return forget(socket)
      connection.open.get(response)?.cancel()
      connection.open.delete(response)
      if (connection.open.size === 0 && connections.has(socket)) idle.add(socket)
    })
    connection.read += 1
    if (Math.max(connection.read, connection.open.size) > limits.pipelined) close(socket, 'pipelined')
  })

  return {
    admit(request, response) {
      // The connection may have been closed while the request was looked at.
      if (request.socket.destroyed) return false
      if (bodies.size >= limits.bodies && !closeGreediest() && !closeLongestUnread()) return false
      // It may be its own that was closed.
      if (request.socket.destroyed) return false
      bodies.set(response, { socket: request.socket, since: clock.now().steady })
      response.once('close', () => bodies.delete(response))
      return true
    },
    isBusy: (socket) => (connections.get(socket)?.open.size ?? 0) > 0,
    ignore(socket) {
      const connection = connections.get(socket)
      if (connection) connection.isIgnored = true
    },
  }
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
