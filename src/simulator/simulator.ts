// The simulated network over real HTTP: two nodes, the data service, and a control endpoint that tells the world's own state.

import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Fault, faultType, send, type Reply } from './faults.ts'
import { handlers } from './handlers/index.ts'
import { answerRpc, type Asked } from './node-server.ts'
import { createPaging } from './paging.ts'
import { answerRest } from './rest-server.ts'
import type { Place } from './serve.ts'
import { uptimeOf } from './world/validators.ts'
import { createWorld, type World } from './world/world.ts'

export interface SimulatorOptions {
  seed: number
  /** Unix seconds at which the network starts. */
  epoch: number
  /** The network's clock: Unix seconds, never going back. */
  clock: () => number
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

const NODES = ['node-a', 'node-b']

export async function startSimulator({
  seed,
  epoch,
  clock,
  validators = 1_000,
  delegations = 12_000,
}: SimulatorOptions): Promise<Simulator> {
  const world = createWorld({ seed, epoch, validators, delegations, observers: NODES.length })
  const ids = [...world.validators.all.keys()]
  const paging = createPaging(seed)
  const faults: Fault[] = []
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
        world.advance(clock())
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
  const controlUrl = await listen(servers, (server) => control(server, world, clock, faults))

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

/** The world in its own terms, and the levers of a test or an incident. */
function control(server: FastifyInstance, world: World, clock: () => number, faults: Fault[]): void {
  server.addHook('onRequest', async () => world.advance(clock()))
  server.get('/state', () => stateOf(world))
  server.get('/faults', () => faults)
  server.post('/faults', ({ body }) => faults.push(faultType.parse(body)))
  server.delete('/faults', () => faults.splice(0).length)
  server.post('/actions', ({ body }) => {
    world.take(z.strictObject({ kind: z.enum(['disconnect', 'reconnect']), nodeId: z.string() }).parse(body))
    return { now: world.now() }
  })
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
  return { now, supply: String(world.supply()), chains: Object.fromEntries(chains), validators }
}

/** Watches the two nodes' own validators and four others, one of them with a poor uptime. */
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
`
}
