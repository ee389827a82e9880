// One chaos run: the simulated network, the proxies that break it, the daemon as a process of its own, its clients, and
// the oracle that looks at every scrape.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collectors } from '../../src/collectors/index.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { random } from '../../src/simulator/world/random.ts'
import { createRudeClients, get } from './clients.ts'
import { type Daemon, startDaemon, waitedFor, waitsOf } from './daemon.ts'
import { faults } from './faults/index.ts'
import { createFigures } from './figures.ts'
import { checkBudget, checkRequests } from './oracle/accounts.ts'
import type { Rule, Violation } from './oracle/define.ts'
import { createReader, type Format } from './oracle/exposition.ts'
import { createGrowth } from './oracle/growth.ts'
import { createHistory } from './oracle/history.ts'
import { createJudge, type Polled } from './oracle/judge.ts'
import { checkLatency, checkPages, checkResources } from './oracle/life.ts'
import { createRecord } from './oracle/record.ts'
import { type Event, planEvents, planSpells } from './plan.ts'
import { startProxy } from './proxy.ts'
import { createReplies, SHARED } from './replies.ts'
import { configText, type NetworkRole, type Pace, upstreamsOf } from './setting.ts'
import { createTime } from './time.ts'
import { createNotes, wasNeverTrue } from './truth.ts'

export interface ChaosOptions {
  /** Of the machine. */
  minutes: number
  seed: number
  /** How much faster the time of the run goes than that of the machine. */
  speed: number
  /** Regular expression: only kinds of the phases that it fits. */
  phases: string
  networks: readonly NetworkRole[]
  say: (line: string) => void
}

export interface ChaosResult {
  /** How often each kind of fault changed the outcome of a request. */
  faults: Record<string, number>
  scrapes: number
  requests: number
  violations: number
  byRule: Partial<Record<Rule, number>>
  /** The greatest that were seen: milliseconds for a scrape, bytes, handles. */
  most: { latency: number; rss: number; handles: number }
  /** Share of the run in which being late was judged: not while others had the processors. */
  judged: number
  /** What happened to the process and its clock: how often. */
  events: Record<string, number>
}

const EPOCH = 1_795_000_000
/** Of the simulator, which grants units for each minute of its own clock: here a minute passes at once. */
const NO_ALLOWANCE = 1_000_000
/** What is cheap to answer is asked often: the more requests, the more faults. */
const OFTEN = ['index-head', 'node-uptime', 'avg-tps', 'native-balances']
/** Calls of a node's P-Chain wait for each other, and in a fast time each of them takes long. */
const SOMETIMES = ['blockchain-status', 'uptime', 'primary-blocks', 'evm-blocks']
/** What is dear to answer. */
const SELDOM = [
  'icm',
  'evm-transactions',
  'erc20-transfers',
  'transactions',
  'utxos',
  'rewards',
  'subnet',
  'pending-rewards',
  'balances',
  'stakes',
]
const PACE: Pace = {
  usual: 60,
  unusual: {
    ...Object.fromEntries(OFTEN.map((name) => [name, 15])),
    ...Object.fromEntries(SOMETIMES.map((name) => [name, 30])),
    ...Object.fromEntries(SELDOM.map((name) => [name, 180])),
    blockchains: 300,
    'node-admin': 120,
    'signature-probe': 3_600,
  },
}
/** Milliseconds of the machine. */
const SCRAPE_EVERY = 400
const PATIENCE = 30_000
/** Violations of one kind that are logged one by one. */
const LOGGED = 3

/** The age that a collector accepts of an answer, in milliseconds; none accepts more than a minute but these. */
const accepted: Readonly<Record<string, number>> = { blockchains: 3_600_000 }
const MINUTE = 60_000

function polled(): Polled[] {
  return collectors.map(({ name, metrics, uses }) => {
    const every = (PACE.unusual[name] ?? PACE.usual) * 1_000
    return {
      name,
      metrics: new Set(metrics.map((metric) => metric.name)),
      operations: uses.map((operation) => ({ name: operation.name, service: operation.service })),
      every,
      ttl: Math.max(3 * every, 5 * MINUTE),
      maxAge: accepted[name] ?? MINUTE,
    }
  })
}

/** Counters of collectors that remember outlive the process. */
function storedMetrics(): Set<string> {
  return new Set(collectors.filter(({ memory }) => memory).flatMap(({ metrics }) => metrics.map(({ name }) => name)))
}

function canCheckMetrics(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export async function runChaos({ minutes, seed, speed, phases, networks, say }: ChaosOptions): Promise<ChaosResult> {
  const time = createTime(speed, EPOCH * 1_000)
  const until = minutes * 60_000 * speed
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-chaos-'))
  const simulator = await startSimulator({
    seed,
    epoch: EPOCH,
    clock: () => (time.now() / 1_000) * NO_ALLOWANCE,
    speed: 1 / NO_ALLOWANCE,
    validators: 24,
    delegations: 40,
    dialect: 'live',
    metricsDialect: 'document',
  })
  const history = createHistory()
  const record = createRecord()
  let noted = -1
  const { advance } = simulator.world
  const noteTruth = createNotes(simulator, history)
  // A request sees the world as it is after this, so every state that the daemon saw is noted.
  simulator.world.advance = (to) => {
    advance(to)
    if (simulator.world.now() === noted) return
    noted = simulator.world.now()
    noteTruth(time.now())
  }
  const phaseOf = new RegExp(phases)
  let requests = 0
  const replies = createReplies(time)
  const proxies = await Promise.all(
    networks.flatMap(({ name, role }) =>
      upstreamsOf(simulator, name).map((upstream) => {
        const kinds = faults.filter(
          ({ phase, only, lies }) =>
            phaseOf.test(phase) && (!only || only.includes(upstream.service)) && (role === 'lying' || !lies),
        )
        const plan = role === 'healthy' ? undefined : planSpells(seed, `${name}/${upstream.source}`, kinds)
        return startProxy({
          upstream,
          time,
          seed,
          plan,
          replies: role === 'healthy' ? undefined : replies,
          record(exchange) {
            requests += 1
            record.note(exchange)
            figures.note(exchange)
          },
        })
      }),
    ),
  )
  const figures = createFigures(proxies)
  const urlOf = (network: string, source: string) =>
    proxies.find(({ upstream }) => upstream.network === network && upstream.source === source)!.url
  const config = join(folder, 'stakewatch.yaml')
  writeFileSync(config, configText(simulator, networks, urlOf, { pace: PACE, timeout: `${2 * speed}s` }))

  const args = [`--config.file=${config}`, `--storage.path=${join(folder, 'state')}`]
  const stored = storedMetrics()
  const growth = createGrowth({
    isStored: (name) => stored.has(name),
    isUntrue: (series, value) => wasNeverTrue(history, series, value),
  })
  const slack = 30_000 + 1_000 * speed + SHARED
  const judge = createJudge({
    networks: networks.map(({ name, role }) => ({ network: name, role, sources: sourcesOf(name) })),
    collectors: polled(),
    record,
    history,
    slack,
  })
  const accounts = proxies.map(({ upstream }) => upstream)
  const budgeted = accounts.filter(({ service }) => service === 'data')
  const perMinute = (network: string) => networks.find(({ name }) => name === network)!.budget.per_minute
  /** What is made of answers, rather than of the daemon itself. */
  const owned = new Set(collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name)))
  const read = createReader()
  const rude = createRudeClients()
  const promtool = canCheckMetrics()
  const most = { latency: 0, rss: 0, handles: 0 }
  const byRule: Partial<Record<Rule, number>> = {}
  const counts = new Map<string, number>()
  let [violations, scrapes, rudeness] = [0, 0, 0]
  const happened: Record<string, number> = {}
  /** Since when neither the process nor its clock was disturbed, and what was done last. */
  let calmSince = 0
  /** Milliseconds of the machine in which there was a processor for the daemon, so that what is late is its own fault. */
  let judged = 0
  let lastEvent = 'start'
  let startedAt = 0
  let daemon!: Daemon

  function sourcesOf(network: string): Record<string, string[]> {
    const groups = Map.groupBy(
      proxies.filter(({ upstream }) => upstream.network === network),
      ({ upstream }) => upstream.service,
    )
    return Object.fromEntries(
      [...groups].map(([service, some]) => [service, some.map(({ upstream }) => upstream.source)]),
    )
  }

  function violate({ rule, subject, says }: Violation): void {
    violations += 1
    byRule[rule] = (byRule[rule] ?? 0) + 1
    const kind = `${rule} ${/^[\w ]*/.exec(subject)?.[0]}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (counts.get(kind)! > LOGGED) return
    const around = proxies.flatMap(({ upstream, spell }) => {
      const now = spell()
      if (!now || !subject.includes(upstream.network)) return []
      return `${upstream.source}: ${now.fault.name} ${Math.round(now.chance * 100)} % ${seconds(now.from)}-${seconds(now.until)}`
    })
    say(`violation: ${rule}: ${subject.slice(0, 300)} ${says}`)
    say(`  seed ${seed}, second ${seconds(time.now())} of the run, last event ${lastEvent}; ${around.join('; ')}`)
  }

  async function start(): Promise<void> {
    daemon = await startDaemon(time, args)
    startedAt = calmSince = time.now()
    growth.restarted()
    judge.restarted()
    figures.restarted()
  }

  async function restart(): Promise<void> {
    await daemon.kill()
    await start()
  }

  /** Whether the process still runs; it is started again when it does not. */
  async function lives(): Promise<boolean> {
    const end = daemon.ended()
    if (end === undefined) return true
    violate({
      rule: 'ended',
      subject: 'the process',
      says: `${end}: ${daemon.lines().slice(-4).join(' | ').slice(0, 1_500)}`,
    })
    await start()
    return false
  }

  async function scrape(isStarved: () => boolean): Promise<void> {
    const format: Format = scrapes % 2 === 0 ? 'text' : 'openmetrics'
    const lag = watchLag(daemon.pid)
    let scraped
    try {
      scraped = await get(daemon.port, '/metrics', format, scrapes % 3 === 0, PATIENCE)
    } catch (error) {
      lag.stop()
      // Without a processor its own deadlines for clients pass.
      if ((await lives()) && !isStarved())
        violate({ rule: 'latency', subject: 'a scrape', says: `failed: ${String(error)}` })
      return
    }
    const took = Math.max(0, scraped.took - lag.stop())
    const now = time.now()
    scrapes += 1
    most.latency = Math.max(most.latency, took)
    for (const one of checkLatency(took)) violate(one)
    if (scraped.status !== 200)
      return violate({ rule: 'exposition', subject: 'a scrape', says: `has status ${scraped.status}` })
    const exposition = read(scraped.text, format)
    for (const flaw of exposition.flaws) violate({ rule: 'exposition', subject: format, says: flaw })
    for (const one of growth.check(exposition)) violate(one)
    for (const one of judge.check(exposition, now, calmSince)) violate(one)
    figures.look(exposition, now)
    if (now - calmSince > 3 * MINUTE) {
      for (const one of checkRequests(exposition, accounts, record, { startedAt, now })) violate(one)
    }
    if (promtool && scrapes % 200 === 1 && format === 'text') checkWithPromtool(scraped.text)
  }

  function checkWithPromtool(text: string): void {
    const child = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) => {
      if (error) violate({ rule: 'exposition', subject: 'promtool', says: (stdout + stderr).slice(0, 400) })
    })
    child.stdin!.end(text)
  }

  async function checkHealth(): Promise<void> {
    const [healthy, ready] = await Promise.all(
      ['/-/healthy', '/-/ready'].map((path) => get(daemon.port, path, 'text', false, PATIENCE).catch(() => undefined)),
    )
    // The body of a scrape may be a second old.
    await pause(time.real(1_500))
    const { text = '' } = (await get(daemon.port, '/metrics', 'text', false, PATIENCE).catch(() => undefined)) ?? {}
    // What was there when it said so may have gone by the time of the scrape.
    const still = await get(daemon.port, '/-/ready', 'text', false, PATIENCE).catch(() => undefined)
    if (daemon.ended() !== undefined || still?.status !== ready?.status) return
    const hasData = [...read(text, 'text').series.values()].some(({ base, name }) => owned.has(base) || owned.has(name))
    const calm = time.now() - calmSince
    const patience = 2 * MINUTE + slack
    for (const one of checkPages({ healthy: healthy?.status, ready: ready?.status, hasData, calm, patience }))
      violate(one)
  }

  /** An order to the clock takes a moment to all threads. */
  async function setClock(): Promise<void> {
    await daemon.sendTime()
    await pause(60)
    calmSince = time.now()
  }

  let clockIsWrongUntil = Infinity
  async function happen(event: Event): Promise<void> {
    lastEvent = `${event.kind}${'by' in event ? ` by ${event.by / 1_000} s` : ''} at ${seconds(event.at)}`
    happened[event.kind] = (happened[event.kind] ?? 0) + 1
    if (event.kind === 'kill') {
      await restart()
    } else if (event.kind === 'stop') {
      daemon.signal('SIGSTOP')
      await pause(time.real(event.lasting))
      daemon.signal('SIGCONT')
      calmSince = time.now()
    } else if (event.kind === 'suspend') {
      time.suspend(event.lasting)
      await setClock()
    } else {
      time.setWrong(event.by)
      clockIsWrongUntil = time.now() + event.lasting
      await setClock()
    }
  }

  const events = planEvents(seed, until)
  const end = performance.now() + minutes * 60_000
  let looked = 0
  try {
    await start()
    while (performance.now() < end) {
      const began = performance.now()
      const event = events[0]
      if (event && event.at <= time.now()) {
        events.shift()
        await happen(event)
      }
      if (time.now() >= clockIsWrongUntil) {
        clockIsWrongUntil = Infinity
        lastEvent = `clock set right at ${seconds(time.now())}`
        time.setWrong(0)
        await setClock()
      }
      const isStarved = watchStarvation(daemon.pid)
      await scrape(isStarved)
      if (!(await lives())) continue
      rudeness += 1
      const dice = random(seed, 'rude', rudeness)
      if (dice.next() < 0.25) rude.come(daemon.port, dice, dice.between(200, 8_000))
      looked += 1
      if (looked % 3 === 0) {
        const used = daemon.uses()
        if (used) {
          most.rss = Math.max(most.rss, used.rss)
          most.handles = Math.max(most.handles, used.handles)
          for (const one of checkResources(used)) violate(one)
        }
        for (const one of checkBudget(budgeted, record, perMinute, time.now())) violate(one)
        // At the beginning more often: it must not be ready before there is anything.
        if (looked % 40 === 0 || time.now() - calmSince < 2 * MINUTE) await checkHealth()
      }
      await pause(Math.max(0, SCRAPE_EVERY - (performance.now() - began)))
      if (isStarved()) calmSince = time.now()
      else judged += performance.now() - began
    }
  } finally {
    rude.leave()
    await daemon?.kill()
    for (const proxy of proxies) proxy.stop()
    await simulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    faults: figures.all(),
    scrapes,
    requests,
    violations,
    byRule,
    most,
    judged: judged / (minutes * 60_000),
    events: happened,
  }
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 1_000)

/** A thread that waits for more of its time than this is starved by others. */
const STARVED = 0.25

/** Says whether a thread of the process, or this one, was starved since then. */
function watchStarvation(pid: number): () => boolean {
  const waits = () => new Map([...waitsOf(pid), ...waitsOf(process.pid)])
  const [before, began] = [waits(), performance.now()]
  return () => {
    const elapsed = performance.now() - began
    return [...waits()].some(([thread, waited]) => waited - (before.get(thread) ?? waited) > STARVED * elapsed)
  }
}

/**
 * What a scrape did not wait for because of the daemon: how long the harness was busy itself, and how long daemon and
 * harness had no processor because others had it.
 */
function watchLag(pid: number): { stop(): number } {
  const waited = () => waitedFor(pid) + waitedFor(process.pid)
  const before = waited()
  let [last, busy] = [performance.now(), 0]
  const timer = setInterval(() => {
    busy += Math.max(0, performance.now() - last - 15)
    last = performance.now()
  }, 5)
  return {
    stop() {
      clearInterval(timer)
      return busy + waited() - before
    },
  }
}
