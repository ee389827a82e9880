// Bad weather: faults between the daemon and its upstreams, kills, pauses, sleeps of the machine and jumps of its clock. The same
// seed plans the same. An oracle that reads the world looks at every scrape.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { configFor } from '../../src/simulator/demo-config.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { random } from '../../src/simulator/world/random.ts'
import type { Disturbance, Scenario } from './runner.ts'
import { openStage, type Play, read } from './stage.ts'
import { type Fault, faults } from './weather/faults.ts'
import { createHistory, createRecord } from './weather/history.ts'
import { createOracle, type Polled, type Seen, type Watched } from './weather/oracle.ts'
import { type Proxy, startProxy, type Upstream } from './weather/proxy.ts'
import { createNotes } from './weather/truth.ts'

const EPOCH = 1_795_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Networks of the configuration: all of them are the simulated one in truth. The last grants less than it costs. */
const NETWORKS = [
  { name: 'healthy', role: 'healthy', granted: 6_000 },
  { name: 'ash', role: 'honest', granted: 6_000 },
  { name: 'elder', role: 'lying', granted: 6_000 },
  { name: 'birch', role: 'honest', granted: 1_800 },
] as const

/** Seconds from run to run: what is cheap to answer is asked often, as more requests meet more faults. */
const USUAL = 60
const PACES: Readonly<Record<string, readonly string[]>> = {
  15: ['index-head', 'node-uptime', 'avg-tps', 'native-balances'],
  30: ['blockchain-status', 'uptime', 'primary-blocks', 'evm-blocks'],
  180: ['icm', 'evm-transactions', 'erc20-transfers', 'transactions', 'utxos', 'rewards', 'subnet', 'pending-rewards'],
  300: ['blockchains', 'balances', 'stakes', 'node-admin'],
  3_600: ['signature-probe'],
}
const paceOf = (name: string) => Number(Object.entries(PACES).find(([, names]) => names.includes(name))?.[0] ?? USUAL)
/** The age that a collector accepts of an answer, in milliseconds; none accepts more than a minute but these. */
const accepted: Readonly<Record<string, number>> = { blockchains: HOUR }

const polled = collectors.map(({ name, metrics, uses, memory }): Polled => {
  const every = paceOf(name) * 1_000
  return {
    name,
    metrics: new Set(metrics.map((metric) => metric.name)),
    operations: uses.map((operation) => ({ name: operation.name, service: operation.service })),
    every,
    ttl: Math.max(3 * every, 5 * MINUTE),
    maxAge: accepted[name] ?? MINUTE,
    isStored: memory !== undefined,
  }
})

const upstreamsOf = ({ nodes, dataUrl, metricsUrl }: Simulator, network: string): Upstream[] => [
  ...nodes.map(({ name, url }) => ({ network, source: name, service: 'node' as const, target: url })),
  { network, source: 'data-api', service: 'data', target: dataUrl },
  { network, source: 'metrics-api', service: 'metrics', target: metricsUrl },
]

function configText({ nodes, world }: Simulator, proxies: readonly Proxy[]): string {
  const names = collectors.map(({ name }) => name)
  const networks = NETWORKS.map(({ name, granted }) => {
    const urlOf = (source: string) =>
      proxies.find(({ upstream }) => upstream.network === name && upstream.source === source)!.url
    const seen = nodes.map((node) => ({ ...node, url: urlOf(node.name) }))
    const services = { dataUrl: urlOf('data-api'), metricsUrl: urlOf('metrics-api') }
    const [only] = (parse(configFor(seen, services, world, names)) as { networks: [Record<string, object>] }).networks
    const budget = { per_minute: granted, per_day: 8_000_000 }
    return { ...only, name, network: 'fuji', data_api: { ...only['data_api'], network: 'fuji', budget } }
  })
  const settings = names.map((name) => [name, { enabled: true, every: `${paceOf(name)}s` }])
  // Requests that wait for a moment of the machine wait for some steps.
  return stringify({ networks, defaults: { timeout: '40s' }, collectors: Object.fromEntries(settings) })
}

/** Between two spells all is well, so that what follows from one is not taken for a consequence of the next. */
const CALM = 12_000
/** A spell of one of these may strike every request, for longer than any published value lives. */
const sure = new Set(['reset-after-request', 'no-answer', 'unavailable', 'connection-refused', 'login-page'])
const OUTAGE = 700_000

/** Kinds come in turns, in another order each time, so that each gets its share. */
export function spells(seed: number, { upstream, begin, over }: Proxy, kinds: readonly Fault[], until: number) {
  const name = `${upstream.network}/${upstream.source}`
  const planned: Disturbance[] = []
  let bag: Fault[] = []
  let at = random(seed, name, 'start').between(0, 30_000)
  for (let number = 1; at < until; number += 1) {
    const dice = random(seed, name, 'spell', number)
    const ranked = () =>
      kinds.map((kind) => ({ kind, rank: dice.next() })).filter(({ kind }) => dice.next() < (kind.weight ?? 1))
    while (bag.length === 0)
      bag = ranked()
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ kind }) => kind)
    const fault = bag.pop()!
    const isOutage = sure.has(fault.name) && dice.next() < 0.2
    const lasting = isOutage ? OUTAGE : dice.between(30_000, MINUTE)
    const chance = isOutage ? 1 : 0.5 + 0.45 * dice.next()
    planned.push({ at, name: fault.name, happen: () => begin({ fault, chance }) })
    planned.push({ at: at + lasting, name: 'over', happen: over })
    at += lasting + CALM
  }
  return planned
}

type Oracle = ReturnType<typeof createOracle>

/** What happens to the process and its clock. */
function events(seed: number, { stopDisk, kill, pass, sleep, setWrong, now }: Play, oracle: Oracle, until: number) {
  const planned: Disturbance[] = []
  const event = (at: number, name: string, happen: () => unknown) =>
    planned.push({
      at,
      name,
      async happen() {
        await happen()
        oracle.disturbed(now())
      },
    })
  let at = 4 * MINUTE
  for (let number = 1; at < until; number += 1) {
    const dice = random(seed, 'event', number)
    const kind = dice.pick(['kill', 'kill', 'pause', 'sleep', 'sleep', 'jump', 'jump', 'jump'] as const)
    const lasting = dice.pick([20_000, MINUTE, 3 * MINUTE, 7 * MINUTE])
    if (kind === 'kill') {
      // The disk is slow: a daemon that publishes what is not written yet is seen to do so before it dies.
      const when = dice.pick(['before', 'after'] as const)
      event(at, `a disk that stops ${when} a write`, () => stopDisk(when))
      event(at + 48_000, 'kill', async () => {
        await kill()
        oracle.killed(now())
      })
    } else if (kind === 'pause') event(at, 'pause', () => pass(lasting))
    else if (kind === 'sleep') event(at, 'sleep', () => sleep(lasting))
    else {
      const by = dice.pick([1, -1]) * dice.pick([2_000, 30_000, 5 * MINUTE, HOUR, 24 * HOUR])
      event(at, `jump by ${by / 1_000} s`, () => setWrong(by))
      event(at + lasting, 'clock set right', () => setWrong(0))
    }
    at += dice.between(5 * MINUTE, 12 * MINUTE) + lasting
  }
  return planned
}

export interface WeatherOptions {
  /** Of the play. */
  minutes: number
  seed: number
}

export async function weather({ minutes, seed }: WeatherOptions): Promise<Scenario<Seen>> {
  const until = minutes * MINUTE
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-weather-'))
  const [history, record] = [createHistory(), createRecord()]
  const struck: Record<string, number> = {}
  let proxies: Proxy[] = []
  let play: Play | undefined
  let requests = 0
  const stage = await openStage({
    network: {
      seed,
      epoch: EPOCH,
      validators: 24,
      delegations: 40,
      dialect: 'live',
      metricsDialect: 'document',
    },
    storage: join(folder, 'state'),
    async config(simulator, clock) {
      const now = () => play?.now() ?? 0
      const { advance } = simulator.world
      const note = createNotes(simulator, history)
      let noted = -1
      // A request sees the world as it is after this, so every state that the daemon saw is noted.
      simulator.world.advance = (to) => {
        advance(to)
        if (simulator.world.now() === noted) return
        noted = simulator.world.now()
        note(now())
      }
      const upstreams = NETWORKS.flatMap(({ name }) => upstreamsOf(simulator, name))
      proxies = await Promise.all(
        upstreams.map((upstream) =>
          startProxy({
            upstream,
            seed,
            clock,
            now,
            record(exchange) {
              requests += 1
              record.note(exchange)
              const { fault } = exchange
              if (fault) struck[fault.name] = (struck[fault.name] ?? 0) + 1
            },
          }),
        ),
      )
      return read(configText(simulator, proxies))
    },
  })
  play = stage
  const networks = NETWORKS.map(({ name, role, granted }): Watched => {
    const sources = Object.groupBy(upstreamsOf(stage.simulator, name), ({ service }) => service)
    const names = Object.entries(sources).map(([service, some]) => [service, some.map(({ source }) => source)])
    return { network: name, role, granted, sources: Object.fromEntries(names) as Watched['sources'] }
  })
  const oracle = createOracle({ networks, collectors: polled, record, history })
  const disturbed = proxies.flatMap((proxy) => {
    const { role } = NETWORKS.find(({ name }) => name === proxy.upstream.network)!
    if (role === 'healthy') return []
    const { service } = proxy.upstream
    const kinds = faults.filter(
      ({ gives, only }) => (gives !== 'a lie' || role === 'lying') && (!only || only.includes(service)),
    )
    return spells(seed, proxy, kinds, until)
  })
  return {
    stage: {
      ...stage,
      async look() {
        const [healthy, ready] = [await stage.get('/-/healthy'), await stage.get('/-/ready')]
        const { text } = await stage.get('/metrics')
        return { text, healthy: healthy.status, ready: ready.status }
      },
      async end() {
        await stage.end()
        for (const proxy of proxies) proxy.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    },
    disturbances: [...disturbed, ...events(seed, stage, oracle, until)],
    judges: [oracle],
    until,
    every: 24_000,
    figures: () => ({
      requests,
      struck: Object.values(struck).reduce((sum, times) => sum + times, 0),
      kinds: Object.keys(struck).length,
    }),
  }
}
