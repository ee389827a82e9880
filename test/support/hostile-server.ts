// An upstream that misbehaves on purpose: a bare server on loopback, with counts of what reached it.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

interface Received {
  method: string
  /** Path and query, as they were sent. */
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** Milliseconds of a clock that is never set. */
  at: number
}

/** What the server does with a request: answers, breaks off, or nothing at all. */
export type Behaviour = (response: ServerResponse, request: Received, number: number) => unknown

export interface HostileServer {
  /** Base URL without a slash at its end. */
  url: string
  received: readonly Received[]
  /** Connections that were ever made. */
  connections(): number
  /** The most requests without an answer at any time. */
  mostInFlight(): number
  /** Resolves as soon as no connection is open. */
  idle(): Promise<void>
  /** Bytes that left this side of all connections. */
  bytesSent(): number
}

/** Lives as long as the test. */
export async function createHostileServer(behave: Behaviour): Promise<HostileServer> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const all: Socket[] = []
  const waiting = new Set<() => void>()
  let inFlight = 0
  let most = 0
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    most = Math.max(most, (inFlight += 1))
    response.on('close', () => (inFlight -= 1))
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', url = '', headers } = request
    const body = Buffer.concat(pieces).toString()
    received.push({ method, url, headers, body, at: performance.now() })
    await behave(response, received.at(-1)!, received.length)
  }
  // Whether an idle connection stays is for its client to decide.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => void serve(request, response))
  // What is not HTTP, such as a TLS greeting, waits for an answer that does not come.
  server.on('clientError', () => {})
  server.on('connection', (socket) => {
    sockets.add(socket)
    all.push(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of waiting) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => all.length,
    mostInFlight: () => most,
    idle: () =>
      new Promise<void>((resolve) => {
        if (sockets.size === 0) resolve()
        else waiting.add(resolve)
      }),
    bytesSent: () => all.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  }
}

/** An address where no server listens. */
export async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

/** Takes the request and never says a word. */
export const silence: Behaviour = () => undefined

/** Headers at once, then one byte after the other without an end. */
export const drip: Behaviour = async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(' ')
    await wait(3)
  }
}

/** A header line after the other without an end. */
export const dripHeaders: Behaviour = async (response) => {
  const socket = response.socket!
  socket.write('HTTP/1.1 200 OK\r\n')
  for (let line = 0; !response.destroyed; line += 1) {
    socket.write(`x-${line}: 1\r\n`)
    await wait(3)
  }
}

export const reset: Behaviour = ({ socket }) => socket?.resetAndDestroy()

/** The connection breaks off in the middle of a body, in order or not. */
export const breakOff =
  (how: 'reset' | 'end', headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(200, headers)
    response.write('{"half":', () => (how === 'end' ? response.socket?.end() : response.socket?.resetAndDestroy()))
  }

/** Bytes on the wire that a server library would not send. */
export const raw =
  (text: string): Behaviour =>
  ({ socket }) =>
    socket?.end(text)

/** A whole answer; what is not a string is sent as JSON. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))

/** One behaviour after the other; the last one stays. */
export const inTurn =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (response, request, number) =>
    (behaviours[number - 1] ?? behaviours.at(-1)!)(response, request, number)

/** A JSON-RPC envelope with the id of the request; members given here win. */
export const envelope =
  (members: object, headers: Record<string, string> = {}): Behaviour =>
  (response, request) => {
    const { id } = JSON.parse(request.body) as { id: unknown }
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...members }))
  }
