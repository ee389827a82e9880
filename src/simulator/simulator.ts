// The simulated network over real HTTP: its nodes, the data service, the metrics service, and a control endpoint that
// gives the world's own state.

import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { control, createTime, type OpenWindow, type OrderedFault } from './control/control.ts'
import {
  altered,
  breaksConnection,
  createCache,
  type Fault,
  realWait,
  type Reply,
  send,
  type Wait,
} from './control/faults.ts'
import { handlers } from './handlers/index.ts'
import { nodeNames } from './node/node-actions.ts'
import { answerRpc, type Asked } from './node/node-server.ts'
import { createPaging } from './services/paging.ts'
import { answerRest, refuse, type RestService } from './services/rest-server.ts'
import { type Dialect, methodOf, type Place } from './handler.ts'
import { APIS, createNodeState, type NodeState } from './node/node-state.ts'
import { configFor, type SimulatedNode } from './demo-config.ts'
import { chainIds } from './world/fixed-ids.ts'
import { createWorld, type World, type WorldOptions } from './world/world.ts'

export interface SimulatorOptions {
  seed: number
  /** Unix seconds, whole, at which the network starts. */
  epoch: number
  /** Seconds that have passed since then when it is first asked; default: none. */
  age?: number
  /** Seconds, from wherever, never going back. */
  clock: () => number
  /** How many seconds pass on the network in one of the clock's. */
  speed?: number
  /** How many nodes answer questions: one or more. */
  nodes?: number
  validators?: number
  delegations?: number
  paces?: WorldOptions['paces']
  isCalm?: boolean
  dialect?: Dialect
  /** That of the metrics service; default: the same. */
  metricsDialect?: Dialect
  /** For answers that are late: time may be that of a play. */
  wait?: Wait
  /** By default the network has no daemon that knows of windows. */
  openWindow?: OpenWindow | undefined
  /** Where profiles of the nodes go: by default nowhere. */
  writeProfile?: (path: string, text: string) => void
}

export interface Simulator {
  world: World
  nodes: readonly SimulatedNode[]
  dataUrl: string
  metricsUrl: string
  controlUrl: string
  /** Requests that a handler failed to answer, with the error: the client got a 500. */
  defects: readonly string[]
  /**
   * Answers what is asked of an origin, without a connection. Undefined where nothing is at this origin, or where only a
   * connection can show what is wrong with it.
   */
  ask(origin: string, asked: Asked): Promise<Reply> | undefined
  /** Configuration text for a daemon that watches this network with these collectors. */
  config(collectors: readonly string[]): string
  stop(): Promise<void>
}

/** What serves the requests to an upstream. */
interface Serving {
  world: World
  dialects: { common: Dialect; metrics: Dialect }
  paging: Place['paging']
  time: ReturnType<typeof createTime>
  faults: OrderedFault[]
  /** For each fault, how many requests it could have applied to, and its cache. */
  uses: WeakMap<OrderedFault, { requests: number; cache: ReturnType<typeof createCache> }>
  servers: FastifyInstance[]
  upstreams: Map<string, (asked: Asked) => Promise<Reply> | undefined>
  defects: string[]
  wait: Wait
}

type Answer = (place: Place, asked: Asked) => { reply: Reply; operation?: string; isStuck?: boolean }

export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { seed, epoch, age = 0, clock, speed = 1, nodes: count = 2, dialect = 'document', wait = realWait } = options
  const { validators = 1_000, delegations = 12_000, paces = {}, isCalm = false, writeProfile = () => {} } = options
  const observers = Math.max(count, LEAST_OBSERVERS)
  const world = createWorld({ seed, epoch, validators, delegations, observers, paces, isCalm })
  const ids = [...world.validators.all.keys()]
  const states = new Map(
    nodeNames(count).map((name, at) => {
      const apis = new Set(at === 0 ? APIS : INDEX_ALONE)
      const write: typeof writeProfile = (file, text) => writeProfile(`${name}/${file}`, text)
      return [name, createNodeState(ids[at]!, apis, chainAliases, write)]
    }),
  )
  const time = createTime(epoch + age, clock, speed)
  const dialects = { common: dialect, metrics: options.metricsDialect ?? dialect }
  const own = {
    paging: createPaging(seed),
    faults: [],
    uses: new WeakMap(),
    servers: [],
    upstreams: new Map(),
    defects: [],
  }
  const serving: Serving = { world, dialects, time, wait, ...own }
  const nodes = await Promise.all(
    [...states].map(async ([name, node]) => {
      const url = await serve(serving, name, node, (place, asked) => answerRpc(methods, place, asked))
      return { name, nodeId: node.nodeId, url }
    }),
  )
  const dataUrl = await serve(serving, 'data', undefined, withAllowance('data', clock, epoch))
  const metricsUrl = await serve(serving, 'metrics', undefined, withAllowance('metrics', clock, epoch))
  const { servers, defects, faults, upstreams } = serving
  const controlUrl = await listen(servers, (server) => control(server, world, states, time, faults, options.openWindow))
  return {
    world,
    nodes,
    dataUrl,
    metricsUrl,
    controlUrl,
    defects,
    ask: (origin, asked) => upstreams.get(origin)?.(asked),
    config: (collectors) => configFor(nodes, { dataUrl, metricsUrl }, world, collectors),
    async stop() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** What an upstream says, and what is wrong with it. */
interface Said {
  reply: Reply
  fault: Fault | undefined
  /** The header; undefined where the upstream has none. */
  date: string | undefined
}

/** Serves one upstream on a free port. */
async function serve(serving: Serving, name: string, node: NodeState | undefined, answer: Answer): Promise<string> {
  const { world, dialects, paging, time, defects, faults, wait } = serving
  function say(asked: Asked): Said {
    world.advance(time.now())
    const place = {
      world: world.seenBy(node?.nodeId ?? name),
      paging,
      dialect: name === 'metrics' ? dialects.metrics : dialects.common,
      ...(node ? { node } : {}),
    }
    try {
      return withFaults(serving, name, asked, answer(place, asked))
    } catch (error) {
      defects.push(`${name}: ${asked.method} ${asked.url} ${asked.body}: ${(error as Error).stack}`)
      return { reply: BROKEN, fault: undefined, date: undefined }
    }
  }
  const url = await listen(serving.servers, (server) => {
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    server.all('/*', async (request, reply) => {
      const { reply: said, fault, date } = say(askedBy(request))
      // Without a date of its own the platform would send that of this machine.
      reply.raw.sendDate = false
      if (date !== undefined) reply.raw.setHeader('date', date)
      await send(reply, said, fault, wait)
      return reply
    })
  })
  serving.upstreams.set(url, (asked) => {
    if (faults.some(({ server, fault }) => server === name && breaksConnection(fault))) return undefined
    return answered(say(asked), wait)
  })
  return url
}

async function answered({ reply, fault, date }: Said, wait: Wait): Promise<Reply> {
  const { headers, ...said } = altered(reply, fault)!
  if (fault?.kind === 'latency') await wait(fault.ms)
  return { ...said, headers: { ...headers, ...(date !== undefined && { date }) } }
}

function askedBy({ method, url, headers, body }: FastifyRequest): Asked {
  return {
    method,
    url,
    host: headers.host ?? '',
    contentType: headers['content-type'],
    key: keyIn(headers),
    body: typeof body === 'string' ? body : '',
  }
}

/** Every key is accepted; the second header is the live services' own name for it. */
export const keyIn = (headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined =>
  [headers['x-data-api-key'], headers['x-glacier-api-key']].flat().find(Boolean)

/** An answer, and the first fault of the server and the operation. */
function withFaults(
  { faults, uses, time }: Serving,
  name: string,
  { method, url, body }: Asked,
  { reply: proper, operation, isStuck }: ReturnType<Answer>,
): Said {
  const ordered = faults.find((one) => one.server === name && (one.operation ?? operation) === operation)
  const use = (ordered && uses.get(ordered)) ?? { requests: 0, cache: createCache() }
  if (ordered) uses.set(ordered, use)
  const isApplied = use.requests % (ordered?.every ?? 1) === 0
  use.requests += 1
  const fault = isApplied ? ordered?.fault : undefined
  const reply = fault?.kind === 'cached' ? use.cache(`${method} ${url} ${body}`, proper) : proper
  const date = time.date(fault?.kind === 'clock' ? fault.seconds : 0)
  return { reply, fault: fault ?? (isStuck ? NO_ANSWER : undefined), date }
}

const methods = handlers.map(methodOf)

/** A validator never observes itself: where one node answers, another validator observes it and answers no questions. */
const LEAST_OBSERVERS = 2

/** The APIs of all nodes but the first, which has the admin API as well. */
const INDEX_ALONE = ['index'] as const

/** The names that a node has for the chains of the primary network from its start on. */
const chainAliases = {
  [chainIds.P]: ['P', 'platform'],
  [chainIds.X]: ['X', 'avm'],
  [chainIds.C]: ['C', 'evm'],
}

/** What a server answers that fails to answer. */
const BROKEN = { status: 500, headers: { 'content-type': 'application/json' }, text: '{"statusCode":500}' }

/** Longer than any client waits. */
const NO_ANSWER = { kind: 'latency', ms: 120_000 } as const

/** Request units a minute of a service, without a key and with any (document 1, Authentication). */
const ALLOWANCE = { keyless: 6_000, keyed: 10_000 }

/**
 * A service that refuses what is beyond its allowance. A minute ends when it ends on the clock or on the network: the
 * network's time may stop, or run faster than the clients' time.
 */
function withAllowance(service: RestService, clock: () => number, epoch: number) {
  const served = handlers.filter(({ operation }) => operation.service === service)
  const since = clock()
  let minute = ''
  let spent = { keyless: 0, keyed: 0 }
  return (place: Place, asked: Asked): ReturnType<Answer> => {
    const elapsed = clock() - since
    const now = `${Math.floor(elapsed / 60)} ${Math.floor((place.world.now() - epoch) / 60)}`
    if (now !== minute) [minute, spent] = [now, { keyless: 0, keyed: 0 }]
    const who = asked.key === undefined ? 'keyless' : 'keyed'
    const answered = answerRest(service, served, place, asked)
    spent[who] += served.find(({ operation }) => operation.name === answered.operation)?.operation.cost ?? 0
    if (spent[who] <= ALLOWANCE[who]) return answered
    const left = Math.ceil(60 - (elapsed % 60))
    return { ...answered, reply: refuse(service, 429, 'rate limit exceeded', { 'retry-after': String(left) }) }
  }
}

async function listen(servers: FastifyInstance[], routes: (server: FastifyInstance) => void): Promise<string> {
  const server = Fastify({ forceCloseConnections: true })
  routes(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}
