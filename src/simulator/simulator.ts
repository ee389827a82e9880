// The simulated network over real HTTP: two nodes, the data service, and a control endpoint that tells the world's own state.

import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { faultType, send, type Reply } from './faults.ts'
import { handlers } from './handlers/index.ts'
import { answerRpc, type Asked } from './node-server.ts'
import { createPaging } from './paging.ts'
import { answerRest } from './rest-server.ts'
import type { Place } from './serve.ts'
import { uptimeOf } from './world/validators.ts'
import { createWorld, type World } from './world/world.ts'

export interface SimulatorOptions {
  seed: number
  /** Unix seconds, whole, at which the network starts. */
  epoch: number
  /** Seconds, from wherever, never going back. */
  clock: () => number
  /** How many seconds pass on the network in one of the clock's. */
  speed?: number
  validators?: number
  delegations?: number
}

interface SimulatedNode {
  name: string
  url: string
  nodeId: string
}

export interface Simulator {
  world: World
  nodes: readonly SimulatedNode[]
  dataUrl: string
  controlUrl: string
  /** Configuration text for a daemon that watches this network. */
  config(): string
  stop(): Promise<void>
}

const NODES = ['node-a', 'node-b'] as const

/** Without an operation the fault holds for every one. Of several faults the first holds. */
const orderedFault = z.strictObject({
  server: z.enum([...NODES, 'data']),
  operation: z.enum(handlers.map(({ operation }) => operation.name)).optional(),
  fault: faultType,
})

type OrderedFault = z.output<typeof orderedFault>

export async function startSimulator({
  seed,
  epoch,
  clock,
  speed = 1,
  validators = 1_000,
  delegations = 12_000,
}: SimulatorOptions): Promise<Simulator> {
  const world = createWorld({ seed, epoch, validators, delegations, observers: NODES.length })
  const ids = [...world.validators.all.keys()]
  const paging = createPaging(seed)
  const faults: OrderedFault[] = []
  const time = createTime(epoch, clock, speed)
  const servers: FastifyInstance[] = []

  /** Serves one upstream on a free port. */
  async function upstream(
    name: string,
    observer: string,
    answer: (place: Place, asked: Asked) => Answered,
  ): Promise<string> {
    return listen(servers, (server) => {
      server.removeAllContentTypeParsers()
      server.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
      server.all('/*', async (request, reply) => {
        world.advance(time.now())
        const { method, url, headers, body } = request
        const asked = { method, url, contentType: headers['content-type'], body: typeof body === 'string' ? body : '' }
        const { reply: proper, operation } = answer({ world, observer, paging }, asked)
        const fault = faults.find((one) => one.server === name && (one.operation ?? operation) === operation)
        await send(reply, proper, fault?.fault)
        return reply
      })
    })
  }

  const nodes = await Promise.all(
    NODES.map(async (name, at) => {
      const nodeId = ids[at]!
      return { name, nodeId, url: await upstream(name, nodeId, (place, asked) => answerRpc(handlers, place, asked)) }
    }),
  )
  const dataUrl = await upstream('data', '', (place, asked) => answerRest(handlers, place, asked))
  const controlUrl = await listen(servers, (server) => control(server, world, time, faults))

  return {
    world,
    nodes,
    dataUrl,
    controlUrl,
    config: () => configFor(nodes, dataUrl, ids),
    async stop() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

type Answered = { reply: Reply; operation?: string }

async function listen(servers: FastifyInstance[], routes: (server: FastifyInstance) => void): Promise<string> {
  const server = Fastify({ forceCloseConnections: true })
  routes(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  servers.push(server)
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

interface Time {
  now(): number
  setSpeed(speed: number): void
}

/** The network's time: it runs at a multiple of the clock's pace, and stands still at 0. */
function createTime(epoch: number, clock: () => number, atFirst: number): Time {
  let since = { clock: clock(), time: epoch, speed: atFirst }
  const now = () => since.time + (clock() - since.clock) * since.speed
  return {
    now,
    setSpeed: (speed) => {
      since = { time: now(), clock: clock(), speed }
    },
  }
}

const actionType = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['disconnect', 'reconnect']), nodeId: z.string() }),
  z.strictObject({ kind: z.literal('speed'), factor: z.number().min(0) }),
])

/** The world in its own terms, and the levers of a test or an incident. */
function control(server: FastifyInstance, world: World, time: Time, faults: OrderedFault[]): void {
  server.addHook('onRequest', async () => world.advance(time.now()))
  server.get('/state', () => stateOf(world))
  server.get('/faults', () => faults)
  server.post('/faults', ({ body }) => faults.push(given(orderedFault, body)))
  server.delete('/faults', () => faults.splice(0).length)
  server.post('/actions', ({ body }) => {
    const action = given(actionType, body)
    if (action.kind === 'speed') time.setSpeed(action.factor)
    else if (world.validators.all.has(action.nodeId)) world.take(action)
    else throw badRequest(`no validator ${action.nodeId}`)
    return { now: world.now() }
  })
}

function given<T extends z.ZodType>(type: T, body: unknown): z.output<T> {
  const parsed = type.safeParse(body)
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error))
  return parsed.data
}

function badRequest(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 400 })
}

function stateOf(world: World) {
  const now = world.now()
  const chains = Object.entries(world.chains).map(([name, chain]) => {
    const head = chain.head()
    return [name, { head, headTime: chain.block(head)!.time, ...chain.totals() }]
  })
  const validators = [...world.validators.all.values()].map((validator) => ({
    nodeId: validator.nodeId,
    start: validator.start,
    end: validator.end,
    weight: String(validator.weight),
    views: Object.fromEntries(
      [...validator.views].map(([observer, view]) => [
        observer,
        { connected: view.since === undefined, uptime: uptimeOf(validator, view, now) },
      ]),
    ),
  }))
  return { now, supply: String(world.supply(now)), chains: Object.fromEntries(chains), validators }
}

/**
 * Watches the two nodes' own validators and four others, one of them with a poor uptime in everybody's eyes and one in
 * the eyes of the first node alone. It asks often: whoever looks at a simulated network wants to see it move.
 */
function configFor(nodes: readonly SimulatedNode[], dataUrl: string, ids: readonly string[]): string {
  const node = ({ name, url, nodeId }: SimulatedNode) => `      - { name: ${name}, url: "${url}", node_id: ${nodeId} }`
  const validator = (id: string, at: number) => `      - { node_id: ${id}, name: val-${at + 1} }`
  return `networks:
  - name: fuji
    upgrade_time: 2026-07-28T15:00:00Z
    nodes:
${nodes.map(node).join('\n')}
    data_api: { url: "${dataUrl}" }
    validators:
${ids.slice(0, 6).map(validator).join('\n')}
    chains:
      - { id: p-chain }
      - { id: x-chain }
      - { id: c-chain }
collectors:
  uptime: { every: 10s }
  supply: { every: 10s }
  blockchain-status: { every: 10s }
  primary-blocks: { every: 5s }
`
}
