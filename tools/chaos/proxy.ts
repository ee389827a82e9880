// What stands between the daemon and one upstream: it lets requests through, breaks some of them as planned, and keeps
// the record by which the daemon is judged.

import { Agent, request } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { random } from '../../src/simulator/world/random.ts'
import { type Answer, type Asked, type Fault, isObject, properly, type Script } from './faults/define.ts'
import { nameOf } from './operations.ts'
import type { Spell, SpellPlan } from './plan.ts'
import { createRequestReader, type HttpRequest } from './requests.ts'
import type { Replies } from './replies.ts'
import type { Upstream } from './setting.ts'
import type { Time } from './time.ts'
import { exactIntegers } from '../../src/lib/raw-json.ts'

/** One request as it went. Times are milliseconds of the run. */
export interface Exchange {
  upstream: Upstream
  operation: Operation | undefined
  /** When it was read. */
  at: number
  /** When the upstream made the proper answer; undefined when it was not asked. */
  answeredAt: number | undefined
  fault: Fault | undefined
  /** Whether the fault made another outcome of it. */
  isChanged: boolean
  /** What went out: the proper answer, another one that can be read as an answer, or none that can. */
  sent: 'proper' | 'other' | 'none'
}

export interface ProxyOptions {
  upstream: Upstream
  time: Time
  seed: number
  /** Undefined where nothing is to be broken. */
  plan: SpellPlan | undefined
  /** Answers of a moment ago that will do; undefined where each question is put to the upstream. */
  replies: Replies | undefined
  /** Called when a request has ended. */
  record: (exchange: Exchange) => void
}

export interface Proxy {
  url: string
  upstream: Upstream
  /** The spell that goes on now, or the last one. */
  spell(): Spell | undefined
  stop(): void
}

const beforeBody = new Set<Fault['phase']>(['request', 'status line', 'status', 'reuse of a connection'])

/** What each connection has of its own. */
const ofTransport = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** How many answers to one question are kept, and how far apart (milliseconds). */
const KEPT = 5
const APART = 45_000

export async function startProxy({ upstream, time, seed, plan, replies, record }: ProxyOptions): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const name = `${upstream.network}/${upstream.source}`
  const sockets = new Set<Socket>()
  const closed = new WeakMap<Socket, Promise<void>>()
  const earlier = new Map<string, { body: string; at: number }[]>()
  let latest: { question: string; body: string } | undefined
  let [connections, requests] = [0, 0]
  let isStopped = false

  function current(): Spell | undefined {
    const spell = plan?.at(time.now())
    return spell && time.now() < spell.until ? spell : undefined
  }

  function strikes(spell: Spell | undefined, ...number: (string | number)[]): Spell | undefined {
    return spell && random(seed, name, ...number).next() < spell.chance ? spell : undefined
  }

  function serve(socket: Socket): void {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    const left = Promise.withResolvers<void>()
    closed.set(socket, left.promise)
    socket.on('close', () => {
      sockets.delete(socket)
      left.resolve()
    })
    socket.setNoDelay(true)
    const { fault } = strikes(current(), 'connection', connections) ?? {}
    if (fault?.onConnection !== undefined) {
      const refused = { operation: undefined, answeredAt: undefined, fault, isChanged: true, sent: 'none' as const }
      record({ upstream, at: time.now(), ...refused })
      return disturb(socket, fault.onConnection)
    }
    const read = createRequestReader()
    let carried = 0
    let queue = Promise.resolve()
    socket.on('data', (bytes) => {
      for (const one of read(bytes)) {
        const isReused = carried > 0
        carried += 1
        queue = queue.then(() => exchange(socket, one, isReused))
      }
    })
  }

  function disturb(socket: Socket, how: NonNullable<Fault['onConnection']>): void {
    if (how === 'reset' || how === 'refuse') socket.resetAndDestroy()
    else if (how === 'close') socket.end()
    else if (how === 'hang') socket.pause()
    else socket.end(how.greet)
  }

  async function exchange(socket: Socket, asked: HttpRequest, isReused: boolean): Promise<void> {
    if (socket.destroyed || isStopped) return
    const at = time.now()
    requests += 1
    const number = requests
    const { operation, id, question } = nameOf(upstream, asked.method, asked.url, asked.body)
    const spell = strikes(current(), 'request', number)
    const { answer: proper, at: answeredAt } = await (replies
      ? replies.get(`${upstream.target} ${question}`, id, () => ask(asked))
      : ask(asked).then((answer) => ({ answer, at: time.now() })))
    const details: Asked = {
      service: upstream.service,
      operation: operation?.name ?? '',
      id,
      isReused,
      before: (earlier.get(question) ?? []).map((one) => ({ body: one.body, age: answeredAt - one.at })),
      other: latest && latest.question !== question ? latest.body : undefined,
    }
    if (plan) remember(question, proper, answeredAt)
    // A refusal says what it says by its status: what happens to its body makes no difference.
    const isStruck = spell && (proper.status === 200 || beforeBody.has(spell.fault.phase))
    const script = isStruck ? spell.fault.make?.(proper, details, random(seed, name, 'dice', number)) : undefined
    const done = await play(socket, script ?? properly(proper))
    const fault = script && spell?.fault
    const { isChanged, sent } = outcomeOf(fault, proper, script ?? [], done, operation)
    record({ upstream, operation, at, answeredAt, fault: isChanged ? fault : undefined, isChanged, sent })
  }

  function remember(question: string, { status, body }: Answer, at: number): void {
    if (status !== 200) return
    latest = { question, body }
    const kept = earlier.get(question) ?? []
    if (at - (kept.at(-1)?.at ?? -Infinity) < APART) return
    earlier.set(question, [...kept, { body, at }].slice(-KEPT - 12))
  }

  /** A kept connection that the upstream closed at this very moment is no fault of ours: a new one is tried. */
  async function ask(asked: HttpRequest): Promise<Answer> {
    try {
      return await askOver(agent, asked)
    } catch (error) {
      if (isStopped) return { status: 503, headers: {}, body: '' }
      if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return askOver(false, asked)
      throw error
    }
  }

  function askOver(connections: Agent | false, { method, url, headers, body }: HttpRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(upstream.target)
      const passed = Object.entries(headers).filter(([key]) => !ofTransport.has(key))
      const asking = request({
        agent: connections,
        hostname,
        port,
        method,
        path: url,
        headers: { ...Object.fromEntries(passed), 'content-length': Buffer.byteLength(body) },
      })
      asking.on('response', (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () => {
          const kept = Object.entries(answer.headers).filter(([key]) => !ofTransport.has(key))
          resolve({
            status: answer.statusCode!,
            headers: Object.fromEntries(kept.map(([key, value]) => [key, [value].flat().join(', ')])),
            body: Buffer.concat(pieces).toString(),
          })
        })
      })
      asking.on('error', reject)
      asking.end(body)
    })
  }

  /** Whether the client was there to the end. */
  async function play(socket: Socket, script: Script): Promise<boolean> {
    const gone = closed.get(socket)!
    for (const step of script) {
      if (socket.destroyed) return false
      if ('write' in step) socket.write(step.write)
      else if ('wait' in step) await Promise.race([gone, pause(time.real(step.wait))])
      else if (step.end === 'close') socket.end()
      else if (step.end === 'reset') socket.resetAndDestroy()
      else if (step.end === 'hang') {
        await gone
        return false
      }
    }
    return true
  }

  const server = createServer(serve)
  const port = await listen(server, 0)
  let isOpen = true
  let before: Spell | undefined

  /** A fault of new connections ends the open ones; a port that refuses has no listener. */
  async function follow(): Promise<void> {
    const spell = current()
    if (spell !== before && spell?.fault.onConnection !== undefined) for (const socket of sockets) socket.destroy()
    before = spell
    const wanted = spell?.fault.onConnection !== 'refuse'
    if (wanted === isOpen) return
    isOpen = wanted
    if (wanted) await listenAgain()
    else server.close()
  }

  async function listenAgain(): Promise<void> {
    if (isStopped || (await isListening())) return
    await pause(10)
    await listenAgain()
  }

  const isListening = () =>
    listen(server, port).then(
      () => true,
      () => false,
    )
  const following = setInterval(() => void follow(), 20)

  return {
    url: `http://127.0.0.1:${port}`,
    upstream,
    spell: () => plan?.at(time.now()),
    stop() {
      isStopped = true
      clearInterval(following)
      server.close()
      for (const socket of sockets) socket.destroy()
      agent.destroy()
    },
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Whether the daemon's outcome of the request is another one than without the fault, and what it was sent. */
function outcomeOf(
  fault: Fault | undefined,
  proper: Answer,
  script: Script,
  isDone: boolean,
  operation: Operation | undefined,
): Pick<Exchange, 'isChanged' | 'sent'> {
  if (fault === undefined) return { isChanged: false, sent: isDone ? 'proper' : 'none' }
  if (fault.counts === 'always') return { isChanged: true, sent: 'none' }
  if (fault.counts === 'if given up') return { isChanged: !isDone, sent: isDone ? 'proper' : 'none' }
  const read = reading(bodyOf(script), operation)
  if (isDeepStrictEqual(reading(proper.body, operation), read))
    return { isChanged: false, sent: isDone ? 'proper' : 'none' }
  return { isChanged: true, sent: isDone && typeof read !== 'string' ? 'other' : 'none' }
}

/** The body of the first answer: what follows it belongs to no question. */
function bodyOf(script: Script): string {
  const [step] = script
  if (!step || !('write' in step)) return ''
  const sent = Buffer.from(step.write)
  const start = sent.indexOf('\r\n\r\n') + 4
  const [, length] = /^content-length: (\d+)\r$/im.exec(sent.toString('latin1', 0, start)) ?? []
  return sent.toString('utf8', start, length === undefined ? undefined : start + Number(length))
}

/** What a client reads in the body: only to count faults, never to judge the daemon. */
function reading(body: string, operation: Operation | undefined): unknown {
  if (!operation) return body
  try {
    const all: unknown = JSON.parse(body, operation.integers === 'exact' ? exactIntegers : undefined)
    if (operation.service !== 'node') return { value: parseAnswer(operation, all) }
    if (!isObject(all)) return 'no envelope'
    const { id, result, error } = all
    if (error !== undefined && error !== null) return { error, id: id ?? null }
    return { id: id ?? null, value: parseAnswer(operation, result) }
  } catch {
    return 'unreadable'
  }
}
