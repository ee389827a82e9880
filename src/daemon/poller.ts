// The poller: polls what a configuration names, and publishes it for the judge and the snapshot. It serves nothing.

import { collectors } from '../collectors/index.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, type Jump, type Moment, NEVER } from '../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Logger } from '../logger.ts'
import { noPolling, pollerSamples } from '../self/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change, FromPoller } from '../metrics/publication.ts'
import { isKept, type Judging } from './judging.ts'
import { configuredSamples } from '../self/configured-metrics.ts'
import { maintenanceAt } from '../maintenance/metrics.ts'
import { type Accounts, createAccounts, withBudget } from '../budget/accounts.ts'
import { createKnown } from '../self/known.ts'
import { createMemories } from '../run/memory.ts'
import { createObservers, type Observers } from '../self/observers.ts'
import { diff, sourcesOfNetwork, keepsSeries, type Task } from '../scheduler/plan.ts'
import { createRunner, type Runner } from '../run/run.ts'
import { createScheduler } from '../scheduler/scheduler.ts'
import { ownConfig, ownDeclarations, planOf } from '../scheduler/shard.ts'
import { observeUpstreams, type Upstreams } from '../self/upstreams.ts'
import type { Storage } from '../storage/storage.ts'
import { type Circuits, createCircuits } from '../upstream/circuit.ts'
import { type CallReport, createClient } from '../upstream/client.ts'
import { isSamePlace, isSameUpstream } from '../upstream/dispatchers.ts'
import { createHttp } from '../upstream/http.ts'
import { type Proxies, urlsOf } from '../lib/proxies.ts'
import { type Source, sourceKey } from '../upstream/source.ts'

export interface PollerOptions {
  config: Config
  /** The part of the configuration that is polled here; default: all. */
  shard?: Shard | undefined
  version: string
  /** Of the environment; default: none. */
  proxies?: Proxies | undefined
  log: Logger
  clock: Clock
  random: () => number
  judging: Judging
  publish: (message: FromPoller) => void
  /** Was opened. Without it counts are lost with the process. */
  storage?: Pick<Storage, 'records' | 'samples'> | undefined
}

/** Numbers of tasks after a reload. */
export interface Reloaded {
  kept: number
  restarted: number
  added: number
  removed: number
}

/** Upstream metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000
/** For `once`: each request has its own deadline, and a wait in a queue is no failure (milliseconds). */
const ONCE_DEADLINE = 10 * 60_000
/** Runs in flight may take this long to finish when the daemon stops (milliseconds). */
const GRACE = 2_000

interface State extends PollerOptions {
  shard: Shard
  tasks: readonly Task[]
  sources: Map<string, Source>
  polling: ReturnType<typeof noPolling>
  http: ReturnType<typeof createHttp>
  upstreams: Upstreams
  observers: Observers
  circuits: Circuits
  accounts: Accounts
  client: ReturnType<typeof createClient>
  runner: Runner
  known: ReturnType<typeof createKnown>
  refreshed: Moment
  /** For which times of the upstreams the published state of the maintenance windows holds. */
  maintenance: { since: number; until: number }
  /** Collects what a reload publishes in one step. */
  together?: Change[] | undefined
}

function createState(options: PollerOptions): State {
  const { config, shard = UNDIVIDED, version, proxies, log, clock, random, storage } = options
  const tasks = planOf(config, collectors, shard)
  const polling = noPolling()
  const upstreams = observeUpstreams(tasks, log, clock)
  const http = createHttp({ userAgent: `stakewatch/${version}`, random, now: () => clock.now().wall, proxies })
  const circuits = createCircuits(clock, random)
  const accounts = createAccounts({ tasks, clock, circuits, log, store: storage?.records('budget') })
  const report = (call: CallReport) => noteCall(state, call)
  const { timeout } = config.defaults
  const secrets = proxies && urlsOf(proxies)
  const client = createClient({ http, timeout, clock, circuits, accountOf: accounts.of, report, secrets })
  const runner = createRunner({
    client,
    memories: storage?.records('memory') ?? createMemories(),
    publish: (message) => say(state, message),
    seriesDropped: (count) => (polling.seriesDropped += count),
    answerRefused: upstreams.refused,
    standing: upstreams.standing,
    refusedAt: upstreams.refusedAt,
    clockAhead: upstreams.clockAhead,
    clock,
    log,
    isKept,
  })
  const state: State = {
    ...options,
    shard,
    tasks,
    sources: sourcesOf(tasks),
    polling,
    http,
    upstreams,
    observers: createObservers(ownConfig(config, shard)),
    circuits,
    accounts,
    client,
    runner,
    known: createKnown(ownDeclarations(config, shard)),
    refreshed: clock.now(),
    maintenance: { since: Infinity, until: -Infinity },
  }
  return state
}

export type Poller = ReturnType<typeof createPoller>

export function createPoller(options: PollerOptions) {
  const state = createState(options)
  const { clock, log, runner, accounts, http } = state
  const scheduler = createScheduler({
    runner: withBudget(runner, accounts),
    clock,
    everyOf: (task) => accounts.stretched(task).settings.every,
    ticked(at, jump) {
      tick(state, at, jump)
      repeatRuns()
    },
  })
  function repeatRuns(): void {
    for (const { network, collector, target } of state.judging.takeRepeats()) {
      scheduler.repeat(
        (task) => task.collector.name === collector && task.network.name === network && task.subject.name === target,
      )
    }
  }
  let isStopping = false
  knowSources(state)
  publishConfiguration(state)
  publishPlan(state)
  refresh(state)
  return {
    /** Polls until it is stopped; resolves when every task has been attempted. */
    async start(): Promise<void> {
      await scheduler.start(state.tasks)
      if (!isStopping) log.info({ tasks: state.tasks.length }, 'every task has been attempted')
    },
    /** Runs these tasks once; returns those that failed. */
    async once(which: (task: Task) => boolean): Promise<readonly Task[]> {
      const signal = new AbortController().signal
      const chosen = state.tasks.filter(which)
      await Promise.all(
        chosen.map(async (task) => {
          const deadline = Math.max(task.settings.deadline, ONCE_DEADLINE)
          await runner.run({ ...task, settings: { ...task.settings, deadline } }, signal)
        }),
      )
      refresh(state, true)
      return chosen.filter((task) => runner.result(task) === 'failure')
    },
    /**
     * Replaces the configuration, synchronously and in one step. Unchanged tasks go on untouched, others start at once, and
     * series of what is no longer configured vanish.
     */
    reload(next: Config): Reloaded {
      const planned = planOf(next, collectors, state.shard)
      const changes: Change[] = (state.together = [])
      const { reloaded, ...change } = replan(state, next, planned)
      publishConfiguration(state)
      refresh(state)
      state.together = undefined
      state.publish({ kind: 'changes', changes })
      publishPlan(state)
      scheduler.exchange(change)
      return reloaded
    },
    async stop(): Promise<void> {
      isStopping = true
      await scheduler.stop(GRACE)
      state.judging.end()
      await http.close()
    },
  }
}

function say({ together, publish, judging }: State, message: FromPoller): void {
  if (message.kind !== 'publish' && message.kind !== 'drop') return publish(message)
  judging.take(message)
  if (together) together.push(message)
  else publish(message)
}

function noteCall({ sources, upstreams, observers }: State, call: CallReport): void {
  const { source, code, nodeId } = call
  // A call from before a reload may have asked another upstream of the same name.
  if (!isSame(sources.get(sourceKey(source)), source)) return
  upstreams.report(call)
  if (source.service === 'node' && code === 'ok') observers.answered(source.network, source.name, nodeId)
}

/** Includes upstreams that another shard asks. */
function knowSources({ client, http, config }: State): void {
  const sources = config.networks.flatMap(sourcesOfNetwork)
  client.know(sources)
  http.keep(sources)
}

function tick(state: State, at: Moment, jump: Jump | undefined): void {
  state.publish({ kind: 'tick', at })
  if (jump) {
    state.polling.jumps[jump] += 1
    state.upstreams.clockJumped()
    state.log.warn({ jump }, 'clock jumped, polling everything again')
  }
  const now = at.wall - state.upstreams.clockAhead()
  if (now < state.maintenance.since || now >= state.maintenance.until) publishMaintenance(state, now)
  if (at.steady - state.refreshed.steady >= REFRESH) refresh(state)
}

/** `isFinal`: nothing follows that could judge what has come since. */
function refresh(state: State, isFinal = false): void {
  const { clock, polling, storage, upstreams, accounts, observers, known, runner, judging } = state
  const now = (state.refreshed = clock.now())
  const samples = [...pollerSamples(polling), ...(storage?.samples() ?? [])]
  for (const message of upstreams.changes()) say(state, message)
  for (const error of upstreams.errors()) state.publish({ kind: 'error', error })
  for (const message of accounts.changes()) say(state, message)
  for (const message of observers.changes()) say(state, message)
  for (const message of known.changes(runner.judgements(), now)) say(state, message)
  say(state, { kind: 'publish', key: 'poller', families: renderFamilies(samples), samples, expiresAt: NEVER })
  if (isFinal || state.together) say(state, judging.verdicts(now, state.config, upstreams.clockAhead()))
  else if (judging.isDue(now) && upstreams.isClockKnown()) void pronounce(state, now)
}

async function pronounce(state: State, now: Moment): Promise<void> {
  const change = await state.judging.verdictsInSlices(now, state.config, state.upstreams.clockAhead())
  if (change) say(state, change)
}

function publishConfiguration(state: State): void {
  const samples = configuredSamples(ownConfig(state.config, state.shard))
  say(state, { kind: 'publish', key: 'configuration', families: renderFamilies(samples), samples, expiresAt: NEVER })
  publishMaintenance(state, state.clock.now().wall - state.upstreams.clockAhead())
}

function publishMaintenance(state: State, now: number): void {
  const own = ownConfig(state.config, state.shard)
  const { samples, judged, since, until } = maintenanceAt(state.config, now, own)
  state.maintenance = { since, until }
  const families = renderFamilies(samples)
  say(state, { kind: 'publish', key: 'maintenance', families, samples: judged, expiresAt: NEVER })
}

function publishPlan({ config, tasks, clock, publish }: State): void {
  const count = (name: string) => tasks.filter(({ network }) => network.name === name).length
  const counts = Object.fromEntries(config.networks.map(({ name }) => [name, count(name)]))
  publish({ kind: 'planned', tasks: counts, at: clock.now() })
}

/** Replaces configuration, tasks and sources. */
function replan(state: State, next: Config, planned: readonly Task[]) {
  const { sources: before, shard, client, circuits, upstreams, accounts, observers, known, runner } = state
  const { keep, stop, start } = diff(state.tasks, planned)
  const networks = new Map(planned.map(({ key, network }) => [key, network]))
  // Its runs do not see the budgets of its network, which may be others now.
  for (const task of keep) task.network = networks.get(task.key)!
  const after = sourcesOf(planned)
  for (const [key, source] of before) {
    const now = after.get(key)
    if (isSame(now, source)) continue
    client.forget(source)
    // With another key it is still the same upstream.
    if (!now || !isSamePlace(now, source)) circuits.forget(source)
  }
  const stays = (network: string, name: string) => {
    const key = sourceKey({ network, name })
    return isSame(after.get(key), before.get(key))
  }
  const tasks = [...keep, ...start]
  Object.assign(state, { config: next, tasks, sources: after })
  client.limit(next.defaults.timeout)
  knowSources(state)
  upstreams.replan(tasks, isSamePlace)
  accounts.replan(tasks)
  observers.replan(ownConfig(next, shard), stays)
  known.replan(ownDeclarations(next, shard))
  const stopped = new Map(stop.map((task) => [task.key, task]))
  const started = new Set(start.map(({ key }) => key))
  for (const task of stop) if (!started.has(task.key)) runner.forget(task)
  for (const task of start) {
    const old = stopped.get(task.key)
    if (old) runner.replace(accounts.stretched(task), keepsSeries(old, task), old.standsFor !== task.standsFor)
  }
  const restarted = start.filter(({ key }) => stopped.has(key)).length
  const [added, removed] = [start.length - restarted, stop.length - restarted]
  return { stop, start, reloaded: { kept: keep.length, restarted, added, removed } }
}

function sourcesOf(tasks: readonly Task[]): Map<string, Source> {
  return new Map(tasks.flatMap(({ sources }) => sources.map((one) => [sourceKey(one), one] as const)))
}

function isSame(one: Source | undefined, other: Source | undefined): boolean {
  return one && other ? isSameUpstream(one, other) : one === other
}
