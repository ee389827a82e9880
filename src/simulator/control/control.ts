// The control endpoint: the world in its own terms, and the levers of a test or an incident.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import { counts } from './counts.ts'
import { faultType } from './faults.ts'
import { handlers } from '../handlers/index.ts'
import { act, nodeActionTypes } from '../node/node-actions.ts'
import type { NodeState } from '../node/node-state.ts'
import { AVAX } from '../world/fixed-ids.ts'
import type { Trader } from '../world/trade.ts'
import { sumOf } from '../world/wallet-drafts.ts'
import { feeOf } from '../world/stakes.ts'
import { uptimeOf } from '../world/views.ts'
import { actionTypes } from '../world/actions.ts'
import type { World } from '../world/world.ts'

// Maintenance windows that the control endpoint opens. They belong to the configuration of the daemon, not to the network: only
// a demo, which has both, can open one.

const names = z.array(z.string().min(1)).optional()

export const windowAction = z.strictObject({
  kind: z.literal('open-window'),
  name: z.string().min(1),
  /** How long it is open, from now on. */
  seconds: z.int().positive(),
  validators: names,
  nodes: names,
  chains: names,
  subnets: names,
  wallets: names,
})

export type OrderedWindow = z.output<typeof windowAction>

/** The configuration with the window: `now` is in milliseconds. The demo's configuration ends its network with the windows. */
export function withWindow(config: string, { kind: _, name, seconds, ...covers }: OrderedWindow, now: number): string {
  const [from, to] = [now, now + seconds * 1_000].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`)
  return config.replace(
    '\ncollectors:',
    () => `\n      - ${JSON.stringify({ name, from, to, ...covers })}\ncollectors:`,
  )
}

/** Without an operation the fault applies to all operations. Of several faults the first applies. */
const orderedFault = z.strictObject({
  /** The name of a node or of a service. */
  server: z.string(),
  operation: z.enum(handlers.map(({ operation }) => operation.name)).optional(),
  fault: faultType,
  /** Applies to one in N requests; default: to each. */
  every: z.int().min(1).optional(),
})

export type OrderedFault = z.output<typeof orderedFault>

const SERVICES = ['data', 'metrics']

interface Time {
  now(): number
  setSpeed(speed: number): void
  /** The header of a server whose clock is `fast` seconds fast; undefined where the network's time has another speed. */
  date(fast: number): string | undefined
}

/** The network's time: it runs at a multiple of the clock's speed, and stops at 0. */
export function createTime(epoch: number, clock: () => number, atFirst: number): Time {
  let since = { clock: clock(), time: epoch, speed: atFirst }
  const now = () => since.time + (clock() - since.clock) * since.speed
  return {
    now,
    date: (fast) => (since.speed === 1 ? new Date((now() + fast) * 1_000).toUTCString() : undefined),
    setSpeed: (speed) => {
      since = { time: now(), clock: clock(), speed }
    },
  }
}

const actionType = z.discriminatedUnion('kind', [
  ...actionTypes,
  ...nodeActionTypes,
  windowAction,
  z.strictObject({ kind: z.literal('speed'), factor: z.number().min(0) }),
])

const countsType = z.strictObject({
  of: z.literal(Object.keys(counts) as (keyof typeof counts)[]),
  since: z.coerce.number().min(0),
})

/** Opens a maintenance window in the configuration of the daemon; throws where that refuses it. */
export type OpenWindow = (window: OrderedWindow) => void

/** The world in its own terms, and the levers of a test or an incident. */
export function control(
  server: FastifyInstance,
  world: World,
  nodes: ReadonlyMap<string, NodeState>,
  time: Time,
  faults: OrderedFault[],
  openWindow?: OpenWindow,
): void {
  server.addHook('onRequest', async () => world.advance(time.now()))
  // As JSON alone: the page of any other site could send a browser's forms here.
  server.addContentTypeParser('*', ({ url }, _, done) =>
    done(Object.assign(new Error(`expected JSON: curl --json '{ "kind": … }' HOST:PORT${url}`), { statusCode: 415 })),
  )
  server.get('/state', () => stateOf(world))
  server.get('/counts/:of', ({ params, query }) => {
    const { of, since } = given(countsType, { ...(params as object), ...(query as object) })
    return counts[of](world, since)
  })
  server.get('/faults', () => faults)
  server.post('/faults', ({ body }) => {
    const fault = given(orderedFault, body)
    if (!nodes.has(fault.server) && !SERVICES.includes(fault.server))
      throw badRequest(`no such server: ${fault.server}`)
    return faults.push(fault)
  })
  server.delete('/faults', () => faults.splice(0).length)
  server.post('/actions', ({ body }) => {
    const action = given(actionType, body)
    if (action.kind === 'speed') time.setSpeed(action.factor)
    else if (action.kind === 'open-window') opened(openWindow, action)
    else if ('node' in action) {
      const node = nodes.get(action.node)
      if (!node) throw badRequest(`no such node: ${action.node}`)
      act(node, action, world)
    } else if (!world.take(action)) throw badRequest('the subject of the action does not exist')
    else if (action.kind === 'restore') {
      const node = [...nodes.values()].find(({ nodeId }) => nodeId === action.nodeId)!
      node.nodeId = action.name ?? node.nodeId
    }
    return { now: world.now() }
  })
}

function opened(openWindow: OpenWindow | undefined, window: OrderedWindow): void {
  if (!openWindow) throw badRequest('windows belong to the configuration of a daemon: only a demo opens them')
  try {
    openWindow(window)
  } catch (thrown) {
    throw badRequest(String(thrown))
  }
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
    /** Of all rewards that were paid for stakes with it. */
    paid: Object.fromEntries(
      Object.entries(world.staking.totals(validator.nodeId)).map(([type, { count, amount }]) => [
        type,
        { count, amount: String(amount) },
      ]),
    ),
    views: Object.fromEntries(
      [...validator.views].map(([observer, view]) => [
        observer,
        { connected: view.since === undefined, uptime: uptimeOf(validator, view, now) },
      ]),
    ),
  }))
  // At the time of the last block, as the nodes and the data service report them.
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
    const balances = Object.entries(world.evmWallets).map(([name, address]) => [
      name,
      String(chain.balance(address, number)),
    ])
    return {
      chainId: chain.chainId,
      head: number,
      headTime: time,
      transactions: cumulative,
      balances: Object.fromEntries(balances),
    }
  })
  return {
    now,
    supply: String(world.supply(chainTime)!),
    chains: Object.fromEntries(chains),
    validators,
    l1s,
    feeMarket: world.l1s.market.at(chainTime),
    evm,
    icm: messagesSince(world, now - 86_400),
    traders: world.trade.traders.map((trader) => tokensOf(trader, world)),
  }
}

/** Those sent since then, by their state. */
function messagesSince({ icm }: World, since: number) {
  const counts = { pending: 0, delivered: 0 }
  for (const one of icm.sent()) {
    if (one.time < since) break
    counts[icm.isDelivered(one) ? 'delivered' : 'pending'] += 1
  }
  return counts
}

/** What a wallet has of the staking token: for the C-Chain what waits to be imported there, and `outside` what came and went. */
function tokensOf({ address, evm }: Trader, { ledger, trade, chains }: World) {
  const unspent = [...ledger.unspentOf(address)].filter(({ asset }) => asset === AVAX)
  const on = (chain: PrimaryChain) => String(sumOf(unspent.filter(({ destination }) => destination === chain)))
  const outside = String(trade.outside(evm, chains.C.head()))
  return { address, evm, tokens: { P: on('P'), X: on('X'), C: on('C') }, outside }
}
