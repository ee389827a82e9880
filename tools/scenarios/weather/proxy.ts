// What stands between the daemon and one upstream: it lets requests through, breaks some of them as planned, and says what became
// of each.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Clock } from '../../../src/lib/clock.ts'
import { pathOf } from '../../../src/operations/define.ts'
import { operations } from '../../../src/operations/index.ts'
import { random } from '../../../src/simulator/world/random.ts'
import type { Answer, Asked, Fault, Step } from './faults.ts'

export interface Upstream {
  network: string
  /** Label `source`. */
  source: string
  service: Asked['service']
  /** Where it is in truth. */
  target: string
}

/** One request as it went. Times are milliseconds of the play. */
export interface Exchange {
  upstream: Upstream
  /** The document's name of the operation; '' where the request names none. */
  operation: string
  /** Request units. */
  cost: number
  at: number
  answeredAt: number
  /** What struck it. */
  fault: Fault | undefined
  /** What the client has of it. */
  sent: 'the truth' | Fault['gives']
}

/** A time in which one fault strikes an upstream, each of its requests with the same chance. */
export interface Spell {
  fault: Fault
  chance: number
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>

interface ProxyOptions {
  upstream: Upstream
  seed: number
  clock: Clock
  now: () => number
  record: (exchange: Exchange) => void
}

/** How many answers to one question are kept, and how far apart (milliseconds). */
const KEPT = 17
const APART = 45_000
const ofTransport = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'host'])

const byName = new Map(operations.map((one) => [one.name, one]))
const routes = operations
  .filter(({ via }) => !('rpc' in via))
  .flatMap((operation) => {
    const { via } = operation
    const paths = [pathOf(operation), ...('get' in via && via.moved ? [via.moved.get] : [])]
    const method = 'post' in via ? 'POST' : 'GET'
    return paths.map((path) => ({
      operation,
      pattern: new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`),
    }))
  })

export async function startProxy({ upstream, seed, clock, now, record }: ProxyOptions) {
  const name = `${upstream.network}/${upstream.source}`
  const sockets = new Set<Socket>()
  const earlier = new Map<string, { body: string; at: number }[]>()
  let latest: { question: string; body: string } | undefined
  let spell: Spell | undefined
  let [requests, connections] = [0, 0]

  const strikes = (...number: (string | number)[]) =>
    spell && random(seed, name, ...number).next() < spell.chance ? spell.fault : undefined

  async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = asked
    const body = (await buffer(asked)).toString()
    const at = now()
    requests += 1
    const called = upstream.service === 'node' ? (JSON.parse(body) as { method: string; params: unknown }) : undefined
    const question = called ? `${url} ${called.method} ${JSON.stringify(called.params)}` : `${method} ${url} ${body}`
    const operation = called
      ? byName.get(called.method)
      : routes.find(({ pattern }) => pattern.test(`${method} ${url}`))?.operation
    const struck = strikes('request', requests)
    const dice = random(seed, name, 'dice', requests)
    const proper = await forward(asked, body)
    const answeredAt = now()
    const before = (earlier.get(question) ?? []).map((one) => ({ body: one.body, age: answeredAt - one.at }))
    const other = latest && latest.question !== question ? latest.body : undefined
    if (proper.status === 200) remember(question, proper.body, answeredAt)
    const isApplied = struck && (proper.status === 200 || struck.bytes !== undefined)
    const changed = isApplied ? struck.answer?.(proper, { service: upstream.service, before, other }, dice) : undefined
    const steps = isApplied ? struck.bytes?.(proper, other) : undefined
    const fault = changed !== undefined || steps !== undefined ? struck : undefined
    const isThrough = await send(response, steps ?? [], changed ?? proper)
    const isTrue = !fault || (fault.bytes && fault.gives === 'nothing' && isThrough)
    const sent = isTrue ? (isThrough ? 'the truth' : 'nothing') : fault.gives
    const { name: operationName = '', cost = 0 } = operation ?? {}
    record({ upstream, operation: operationName, cost, at, answeredAt, fault, sent })
  }

  function remember(question: string, body: string, at: number): void {
    latest = { question, body }
    const kept = earlier.get(question) ?? []
    if (at - (kept.at(-1)?.at ?? -Infinity) >= APART) earlier.set(question, [...kept, { body, at }].slice(-KEPT))
  }

  async function forward({ method = '', url = '', headers }: IncomingMessage, body: string): Promise<Answer> {
    const passed = Object.entries(headers).flatMap(([key, value]): [string, string][] =>
      ofTransport.has(key) ? [] : [[key, String(value)]],
    )
    const answered = await fetch(`${upstream.target}${url}`, {
      method,
      headers: passed,
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body }),
    })
    const kept = [...answered.headers].filter(([key]) => !ofTransport.has(key))
    return { status: answered.status, headers: Object.fromEntries(kept), body: await answered.text() }
  }

  /** Whether the client was there to the proper end. */
  async function send(response: ServerResponse, steps: readonly Step[], { status, headers, body }: Answer) {
    const socket = response.socket!
    const gone = new Promise<void>((resolve) => response.once('close', () => resolve()))
    for (const step of steps) {
      if (socket.destroyed) return false
      if ('write' in step) socket.write(step.write)
      else if ('wait' in step) {
        await Promise.race([gone, new Promise<void>((resolve) => void clock.after(step.wait, resolve))])
      } else {
        if (step.end === 'close') socket.end()
        else if (step.end === 'reset') socket.resetAndDestroy()
        await gone
        return false
      }
    }
    response.sendDate = false
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    await gone
    return response.writableFinished
  }

  // At the end of a play the upstream is gone first.
  const server = createServer((asked, response) => void answer(asked, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    const fault = strikes('connection', connections)
    if (fault?.connection === undefined) return
    record({ upstream, operation: '', cost: 0, at: now(), answeredAt: now(), fault, sent: 'nothing' })
    if (typeof fault.connection === 'object') socket.end(fault.connection.greet)
    else socket.resetAndDestroy()
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://127.0.0.1:${port}`,
    upstream,
    async begin(next: Spell) {
      spell = next
      // A fault of new connections ends the open ones.
      if (next.fault.connection !== undefined) cut()
      if (next.fault.connection === 'refuse') await new Promise<void>((resolve) => server.close(() => resolve()))
    },
    async over() {
      spell = undefined
      if (!server.listening) await listen(port)
    },
    stop() {
      server.close()
      cut()
    },
  }
}
