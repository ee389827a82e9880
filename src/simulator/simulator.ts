// The simulated network over real HTTP: two nodes, the data service, the metrics service, and a control endpoint that
// tells the world's own state.

import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { faultType, send, type Reply } from './faults.ts'
import { handlers } from './handlers/index.ts'
import { answerRpc, type Asked } from './node-server.ts'
import { createPaging } from './paging.ts'
import { answerRest, refuse, type RestService } from './rest-server.ts'
import type { Place } from './serve.ts'
import { feeOf, uptimeOf } from './world/validators.ts'
import { type Action, createWorld, type World } from './world/world.ts'

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
  metricsUrl: string
  controlUrl: string
  /** Configuration text for a daemon that watches this network. */
  config(): string
  stop(): Promise<void>
}

const NODES = ['node-a', 'node-b'] as const

/** Without an operation the fault holds for every one. Of several faults the first holds. */
const orderedFault = z.strictObject({
  server: z.enum([...NODES, 'data', 'metrics']),
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
  const dataUrl = await upstream('data', '', withAllowance('data', clock, epoch))
  const metricsUrl = await upstream('metrics', '', withAllowance('metrics', clock, epoch))
  const controlUrl = await listen(servers, (server) => control(server, world, time, faults))

  return {
    world,
    nodes,
    dataUrl,
    metricsUrl,
    controlUrl,
    config: () => configFor(nodes, { dataUrl, metricsUrl }, world, epoch),
    async stop() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

type Answered = { reply: Reply; operation?: string }

/** Request units a minute of a service without a key (upstream facts 1.2). */
const ALLOWANCE = 6_000

/**
 * A service that refuses what is beyond its allowance. A minute is over when it is over on the clock or on the network:
 * the network's time may stand still, or run ahead of those who ask.
 */
function withAllowance(service: RestService, clock: () => number, epoch: number) {
  const served = handlers.filter(({ operation }) => operation.service === service)
  const since = clock()
  let minute = ''
  let spent = 0
  return (place: Place, asked: Asked): Answered => {
    const elapsed = clock() - since
    const now = `${Math.floor(elapsed / 60)} ${Math.floor((place.world.now() - epoch) / 60)}`
    if (now !== minute) [minute, spent] = [now, 0]
    const answered = answerRest(service, served, place, asked)
    spent += served.find(({ operation }) => operation.name === answered.operation)?.operation.cost ?? 0
    if (spent <= ALLOWANCE) return answered
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
  z.strictObject({ kind: z.literal('top-up'), validationId: z.string(), amount: z.int().positive() }),
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
    else if (isThere(world, action)) world.take(action)
    else throw badRequest('no such validator')
    return { now: world.now() }
  })
}

function isThere({ validators, l1s }: World, action: Action): boolean {
  return action.kind === 'top-up' ? l1s.find(action.validationId) !== undefined : validators.all.has(action.nodeId)
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
    return [name, { head, headTime: chain.time(head), ...chain.totals() }]
  })
  const validators = [...world.validators.all.values()].map((validator) => ({
    nodeId: validator.nodeId,
    start: validator.start,
    end: validator.end,
    weight: String(validator.weight),
    owner: validator.owner,
    reward: String(validator.reward),
    delegations: validator.delegations.length,
    /** What it keeps of the rewards of its delegators. */
    fees: String(validator.delegations.reduce((sum, one) => sum + feeOf(validator, one), 0n)),
    views: Object.fromEntries(
      [...validator.views].map(([observer, view]) => [
        observer,
        { connected: view.since === undefined, uptime: uptimeOf(validator, view, now) },
      ]),
    ),
  }))
  // As of the last block, as the nodes and the data service tell them.
  const chainTime = world.chains.P.time(world.chains.P.head())!
  const l1s = world.l1s.all.map(({ name, subnetId, validators: paying, legacy }) => ({
    name,
    subnetId,
    validators: paying.map((one) => ({
      nodeId: one.nodeId,
      validationId: one.validationId,
      weight: String(one.weight),
      balance: String(world.l1s.balance(one, chainTime)),
    })),
    legacy: legacy.map(({ nodeId, weight }) => ({ nodeId, weight: String(weight) })),
  }))
  const evm = world.evm.map((chain) => {
    const { number, time, cumulative } = chain.block(chain.head())!
    return { chainId: chain.chainId, head: number, headTime: time, transactions: cumulative }
  })
  return {
    now,
    supply: String(world.supply(now)),
    chains: Object.fromEntries(chains),
    validators,
    l1s,
    feeMarket: world.l1s.market.at(chainTime),
    evm,
  }
}

interface Services {
  dataUrl: string
  metricsUrl: string
}

/**
 * Watches the two nodes' own validators and four others, one of them with a poor uptime in everybody's eyes and one in
 * the eyes of the first node alone. It asks often: whoever looks at a simulated network wants to see it move.
 */
function configFor(
  nodes: readonly SimulatedNode[],
  { dataUrl, metricsUrl }: Services,
  world: World,
  epoch: number,
): string {
  // Most validations began before the upgrade: when they are renewed, they need more uptime than before.
  const upgrade = new Date(Math.max(0, epoch - 7 * 86_400) * 1_000).toISOString()
  const evmKey = (chainId: number) =>
    world.evm.some((one) => one.chainId === chainId) ? `, evm_chain_id: ${chainId}` : ''
  const watched = [...world.validators.all.values()].slice(0, 6)
  const rows = (items: readonly string[]) => items.map((item) => `      - { ${item} }`).join('\n')
  return `networks:
  - name: fuji
    upgrade_time: ${upgrade}
    nodes:
${rows(nodes.map(({ name, url, nodeId }) => `name: ${name}, url: "${url}", node_id: ${nodeId}`))}
    data_api: { url: "${dataUrl}" }
    metrics_api: { url: "${metricsUrl}" }
    validators:
${rows(watched.map(({ nodeId }, at) => `node_id: ${nodeId}, name: val-${at + 1}`))}
    subnets:
${rows(world.l1s.all.map(({ subnetId, name }) => `id: ${subnetId}, name: ${name}, validators: all`))}
    chains:
      - { id: p-chain }
      - { id: x-chain }
      - { id: c-chain, evm_chain_id: 43113 }
${rows(world.l1s.all.map(({ blockchainId, name, evmChainId }) => `id: ${blockchainId}, name: ${name}${evmKey(evmChainId)}`))}
    addresses:
      - { name: operator, addresses: [${watched[2]!.owner}, ${watched[5]!.owner}] }
      - { name: delegator, addresses: [${watched[0]!.delegations[0]?.owner ?? watched[0]!.owner}] }
collectors:
${SOON.map(([name, every]) => `  ${name}: { every: ${every} }`).join('\n')}
`
}

/** How often a simulated network is asked: within the allowance of its services. */
const SOON = [
  ['uptime', '10s'],
  ['validators', '10s'],
  ['supply', '10s'],
  ['blockchain-status', '10s'],
  ['primary-blocks', '5s'],
  ['evm-blocks', '5s'],
  ['l1-validators', '10s'],
  ['subnet', '30s'],
  ['subnet-uptime', '30s'],
  ['delegations', '30s'],
  ['pending-rewards', '30s'],
  ['avg-tps', '30s'],
] as const
