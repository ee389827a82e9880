// Thirty days with everything coming and going: validators, L1s, nodes, their keys and interfaces, and upstreams that fail for a
// while. Daemon and network must hold at the end what they held after the first days.

import { readdirSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collectors } from '../../src/collectors/index.ts'
import type { Disturbance, Judge, Scenario, Violation } from './runner.ts'
import { openStage, type Play, read } from './stage.ts'

const HOUR = 3_600_000
const DAY = 24
/** Unix seconds. */
const EPOCH = 1_780_000_000

export interface MonthOptions {
  days: number
  /** Days that the network has behind it: after sixteen it forgets as much as happens. */
  before: number
  /** Whether the collectors run whose answers take the simulated network long to work out: a twelfth as often. */
  isCostly: boolean
  /** Hours that pass before the first measurement: caches fill, and the first of everything has ended. */
  warmUp: number
  /** Minutes from run to run of each collector. */
  every: number
  /** Hours from look to look. */
  looks: number
}

export const WHOLE: MonthOptions = { days: 30, before: 16, isCostly: true, warmUp: 5 * DAY, every: 360, looks: 12 }
/** For the tests. */
export const A_DAY: MonthOptions = { days: 1, before: 1, isCostly: false, warmUp: 12, every: 240, looks: 2 }

const COSTLY = new Set(['erc20-transfers', 'evm-blocks', 'evm-transactions', 'icm', 'utxos'])

/** Megabytes, and counts. */
export interface Held {
  heap: number
  rss: number
  descriptors: number
  timers: number
  sockets: number
  warnings: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Listeners that pile up, above all. */
const warnings = new Set<string>()
process.on('warning', ({ name, message }) => warnings.add(`${name}: ${message}`))

function measure(): Held {
  // The second one frees what the first one's finalizers let go.
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  return {
    heap: heapUsed / 1e6,
    rss: rss / 1e6,
    descriptors: readdirSync('/proc/self/fd').length,
    timers: resources.filter((one) => one === 'Timeout').length,
    sockets: resources.filter((one) => one.startsWith('TCPSocket')).length,
    warnings: warnings.size,
  }
}

/** By how much the end may be above the beginning. A warning is one too many whenever it came. */
const LIMITS: Readonly<Record<keyof Held, { share: number; more: number }>> = {
  heap: { share: 0.05, more: 2 },
  rss: { share: 0.05, more: 8 },
  descriptors: { share: 0, more: 8 },
  timers: { share: 0, more: 8 },
  sockets: { share: 0, more: 8 },
  warnings: { share: -1, more: 0 },
}

/** Compares the last third of the measurements with the first one: the least of each, as a burst of connections makes more. */
export function growth(all: readonly Held[]): Violation[] {
  const third = Math.max(1, Math.floor(all.length / 3))
  return Object.entries(LIMITS).flatMap(([name, { share, more }]): Violation[] => {
    const least = (some: readonly Held[]) => Math.min(...some.map((one) => one[name as keyof Held]))
    const [first, last] = [least(all.slice(0, third)), least(all.slice(-third))]
    if (last <= first * (1 + share) + more) return []
    return [{ rule: 'growth', subject: name, says: `grew from ${first.toFixed(1)} to ${last.toFixed(1)}` }]
  })
}

interface Order {
  path: 'actions' | 'faults'
  method: 'POST' | 'DELETE'
  body?: object
}

const action = (body: object): Order => ({ path: 'actions', method: 'POST', body })
const fault = (body: object): Order => ({ path: 'faults', method: 'POST', body })
const repaired: Order = { path: 'faults', method: 'DELETE' }

/** Ids of nodes that occur nowhere else. */
const NEWCOMERS = [
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
  'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
] as const
const FEES_OF_A_DAY = 512 * 86_400
const newcomer = (day: number) => NEWCOMERS[1 + (day % 3)]!
const ofElm = (kind: string, more: object) => action({ kind, subnet: 'elm', ...more })

/** By the hour: the subnet is permissioned for three hours, then it is an L1. */
const begins: Readonly<Record<number, Order>> = {
  0: ofElm('add-to-subnet', { nodeId: NEWCOMERS[0], weight: 20, duration: 5 * 86_400 }),
  1: ofElm('create-chain', { secondsPerBlock: 10 }),
  2: ofElm('remove-from-subnet', { nodeId: NEWCOMERS[0] }),
  3: ofElm('convert', { validators: [{ nodeId: NEWCOMERS[0], weight: 50, balance: 90 * FEES_OF_A_DAY }] }),
}

/** Of each day, by the hour; `a` and `b` are the ids that the two nodes have now. */
const daily: Readonly<Record<number, (day: number, a: string, b: string) => Order>> = {
  1: (day) =>
    action({
      kind: 'stake',
      nodeId: newcomer(day),
      amount: 2_000_000_000_000,
      reward: 1_000_000_000,
      fee: 2,
      duration: 2 * 86_400,
    }),
  4: (_, __, b) => action({ kind: 'disconnect', nodeId: b }),
  5: (_, __, b) => action({ kind: 'reconnect', nodeId: b }),
  6: (day) => ofElm('register', { nodeId: newcomer(day), weight: 30, balance: FEES_OF_A_DAY }),
  7: () => action({ kind: 'start', node: 'node-b' }),
  8: () => action({ kind: 'bootstrap', node: 'node-b' }),
  9: () => action({ kind: 'bootstrapped', node: 'node-b' }),
  10: (_, a) => action({ kind: 'restore', nodeId: a, behind: 7_200, pace: 10 }),
  11: (day, _, b) => action({ kind: 'restore', nodeId: b, behind: 7_200, pace: 10, name: `NodeID-upgraded${day}` }),
  13: () => fault({ server: 'data', fault: { kind: 'status', status: 503 } }),
  14: () => repaired,
  15: () => fault({ server: 'node-a', fault: { kind: 'reset' } }),
  16: () => repaired,
  17: () => action({ kind: 'disable', node: 'node-a', api: 'admin' }),
  18: () => action({ kind: 'enable', node: 'node-a', api: 'admin' }),
  20: (day) => ofElm('set-weight', { nodeId: newcomer(day), weight: 0 }),
}

/** False when there was nothing of the kind to act on. */
async function order({ simulator }: Play, { path, method, body }: Order): Promise<boolean> {
  const content = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(`${simulator.controlUrl}/${path}`, { method, ...content })
  await answer.text()
  return answer.ok
}

export async function month({ days, before, isCostly, warmUp, every, looks }: MonthOptions): Promise<Scenario<Held>> {
  const atFirst = measure()
  const held: Held[] = []
  const orders = { done: 0, refused: 0 }
  const play = await openStage({
    network: {
      seed: 1,
      epoch: EPOCH - before * DAY * 3_600,
      age: before * DAY * 3_600,
      validators: 60,
      delegations: 600,
      dialect: 'live',
      metricsDialect: 'document',
    },
    config({ world, config: text }) {
      world.advance(EPOCH)
      world.take({ kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })
      const config = read(text(collectors.map(({ name }) => name)))
      const settings = collectors.map(({ name }) => {
        const isDear = COSTLY.has(name)
        const own = { enabled: isCostly || !isDear, every: every * (isDear ? 12 : 1) * 60_000 }
        return [name, { ...config.collectors[name], ...own }] as const
      })
      return { ...config, collectors: Object.fromEntries(settings) }
    },
  })
  const ordered = (at: number, what: (a: string, b: string) => Order): Disturbance => ({
    at: at * HOUR,
    name: 'an order',
    async happen() {
      const [a = '', b = ''] = [...[...play.simulator.world.validators.all.values()][0]!.views.keys()]
      orders[(await order(play, what(a, b))) ? 'done' : 'refused'] += 1
    },
  })
  const judge: Judge<Held> = {
    see(seen, now) {
      if (now >= warmUp * HOUR) held.push(seen)
      return []
    },
    async atLast() {
      const { text } = await play.get('/metrics')
      const valuesOf = (metric: string) =>
        Array.from(text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\S+)$`, 'gm')), ([, value]) => Number(value))
      const runs = valuesOf('stakewatch_collector_runs_total').reduce((sum, value) => sum + value, 0)
      const expected = valuesOf('stakewatch_collector_interval_seconds').reduce(
        (sum, value) => sum + (days * DAY * 3_600) / value,
        0,
      )
      await play.stopDaemon()
      await play.simulator.stop()
      // Sockets take some turns to close.
      for (let turns = 0; turns < 100; turns += 1) await turn()
      const after = measure()
      return judgeEnd({
        held,
        left: {
          timers: Math.max(0, after.timers - atFirst.timers) + play.waiting(),
          sockets: Math.max(0, after.sockets - atFirst.sockets),
        },
        runs,
        expected,
        orders: orders.done,
      })
    },
  }
  return {
    stage: {
      ...play,
      async look() {
        await play.get('/metrics')
        await play.idle()
        return measure()
      },
      end: () => play.simulator.stop(),
    },
    disturbances: [
      ...Object.entries(begins).map(([hour, what]) => ordered(Number(hour), () => what)),
      ...Array.from({ length: days }, (_, day) =>
        Object.entries(daily).map(([hour, what]) => ordered(day * DAY + Number(hour), (a, b) => what(day, a, b))),
      ).flat(),
    ],
    judges: [judge],
    until: days * DAY * HOUR,
    every: looks * HOUR,
    figures: () => ({ orders, first: held[0], last: held.at(-1) }),
  }
}

interface End {
  held: readonly Held[]
  /** After the daemon has stopped, beyond what there was before it started. */
  left: { timers: number; sockets: number }
  runs: number
  expected: number
  orders: number
}

export function judgeEnd({ held, left, runs, expected, orders }: End): Violation[] {
  const says = [
    ...Object.entries(left).flatMap(([what, count]) =>
      count > 0 ? [`${count} ${what} are left after it stopped`] : [],
    ),
    // What does not run holds nothing.
    ...(runs < 0.9 * expected || runs === 0 ? [`${runs} of ${Math.floor(expected)} runs`] : []),
    ...(orders === 0 ? ['nothing came or went'] : []),
  ]
  return [...growth(held), ...says.map((one) => ({ rule: 'end', subject: 'the daemon', says: one }))]
}
