// What polls, put together: a configuration becomes messages for the snapshot. It serves nothing, so that it can live in a
// thread of its own.

import { collectors } from '../collectors/index.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, NEVER } from '../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Logger } from '../logger.ts'
import { noPolling, pollerSamples } from '../metrics/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change, FromPoller } from '../metrics/publication.ts'
import { configuredSamples } from '../scheduler/configured-metrics.ts'
import { createAccounts, paying } from '../budget/accounts.ts'
import { createKnown } from '../scheduler/known.ts'
import { createMemories } from '../scheduler/memory.ts'
import { createObservers } from '../scheduler/observers.ts'
import { diff, staysTrue, type Task, upstreams as upstreamsOf } from '../scheduler/plan.ts'
import { createRunner } from '../scheduler/run.ts'
import { createScheduler } from '../scheduler/scheduler.ts'
import { ownConfig, ownDeclarations, planOf } from '../scheduler/shard.ts'
import { observeUpstreams } from '../scheduler/upstream-metrics.ts'
import type { Storage } from '../storage/storage.ts'
import { createCircuits } from '../upstream/circuit.ts'
import { type CallReport, createClient } from '../upstream/client.ts'
import { createHttp } from '../upstream/http.ts'
import type { Source } from '../upstream/source.ts'

export interface PollerOptions {
  config: Config
  /** What of it is polled here; default: all. */
  shard?: Shard | undefined
  version: string
  log: Logger
  clock: Clock
  random: () => number
  publish: (message: FromPoller) => void
  /** Closed when the poller stops. Without it what is counted is lost with the process. */
  storage?: Storage | undefined
}

/** What a reload did: numbers of tasks. */
export interface Reloaded {
  kept: number
  restarted: number
  added: number
  removed: number
}

export interface Poller {
  /** Polls until it is stopped; resolves when every task has been attempted. */
  start(): Promise<void>
  /** Runs these tasks once; gives those that failed. */
  once(which: (task: Task) => boolean): Promise<readonly Task[]>
  /**
   * From now on this is polled. Tasks that stay as they are go on untouched, others begin at once; series of what is no
   * longer configured vanish, all in one step. It takes no time in which anything else could happen.
   */
  reload(config: Config): Reloaded
  stop(): Promise<void>
}

/** Upstream metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000
/** No next run is due, and each request has a deadline of its own: waiting in line is no failure (milliseconds). */
const ONCE_DEADLINE = 10 * 60_000
/** Runs in flight may take this long to finish when the daemon stops (milliseconds). */
const GRACE = 2_000

export function createPoller(options: PollerOptions): Poller {
  const { config, shard = UNDIVIDED, version, log, clock, random, publish, storage } = options
  let tasks = planOf(config, collectors, shard)
  const polling = noPolling()
  const upstreams = observeUpstreams(tasks, log, clock)
  const http = createHttp({ userAgent: `stakewatch/${version}`, random, now: () => clock.now().wall })
  const observers = createObservers(ownConfig(config, shard))
  let sources = sourcesOf(tasks)
  const report = (call: CallReport) => {
    const { source, code, nodeId } = call
    // What another upstream of this name answers, which was asked before a reload, tells nothing of this one.
    if (!isSame(sources.get(sourceKey(source)), source)) return
    upstreams.report(call)
    if (source.service === 'node' && code === 'ok') observers.answered(source.network, source.name, nodeId)
  }
  const circuits = createCircuits(clock, random)
  const accounts = createAccounts({ tasks, clock, circuits, log, store: storage?.records('budget') })
  const { timeout } = config.defaults
  const client = createClient({ http, timeout, clock, circuits, accountOf: accounts.of, report })
  /** Also of those that another shard asks. */
  const know = ({ networks }: Config) => client.know(networks.flatMap(upstreamsOf))
  know(config)
  const runner = createRunner({
    client,
    memories: storage?.records('memory') ?? createMemories(),
    publish: say,
    seriesDropped: (count) => (polling.seriesDropped += count),
    answerRefused: upstreams.refused,
    standing: upstreams.standing,
    clockAhead: upstreams.clockAhead,
    clock,
    log,
  })
  const known = createKnown(ownDeclarations(config, shard))
  let refreshed = clock.now()
  let isStopping = false
  /** During a reload: what shows together. */
  let together: Change[] | undefined

  /** Nothing else is said during a reload. */
  function say(message: FromPoller): void {
    if (together && (message.kind === 'publish' || message.kind === 'drop')) together.push(message)
    else publish(message)
  }

  function refresh(): void {
    refreshed = clock.now()
    const own = [...renderFamilies(pollerSamples(polling)), ...(storage?.families() ?? [])]
    for (const message of upstreams.changes()) say(message)
    for (const error of upstreams.errors()) publish({ kind: 'error', error })
    for (const message of accounts.changes()) say(message)
    for (const message of observers.changes()) say(message)
    for (const message of known.changes(runner.judgements(), refreshed)) say(message)
    say({ kind: 'publish', key: 'poller', families: own, expiresAt: NEVER })
  }

  const scheduler = createScheduler({
    runner: paying(runner, accounts),
    clock,
    everyOf: (task) => accounts.stretched(task).settings.every,
    ticked(at, jump) {
      publish({ kind: 'tick', at })
      if (jump) {
        polling.jumps[jump] += 1
        upstreams.clockJumped()
        log.warn({ jump }, 'a clock has jumped: everything is polled again')
      }
      if (at.steady - refreshed.steady >= REFRESH) refresh()
    },
  })

  function publishConfiguration(given: Config): void {
    const families = renderFamilies(configuredSamples(ownConfig(given, shard)))
    say({ kind: 'publish', key: 'configuration', families, expiresAt: NEVER })
  }

  function replan(next: Config, planned: readonly Task[]): { stop: Task[]; start: Task[]; reloaded: Reloaded } {
    const { keep, stop, start } = diff(tasks, planned)
    const after = sourcesOf(planned)
    for (const [key, source] of sources) {
      const now = after.get(key)
      if (isSame(now, source)) continue
      client.forget(source)
      // With another key it is the same upstream still.
      if (now?.url.reveal() !== source.url.reveal()) circuits.forget(source)
    }
    const [stopped, begun] = [stop, start].map((some) => new Map(some.map((task) => [task.key, task])))
    const stays = (network: string, node: string) => {
      const key = sourceKey({ network, name: node })
      return isSame(after.get(key), sources.get(key))
    }
    tasks = [...keep, ...start]
    sources = after
    client.limit(next.defaults.timeout)
    know(next)
    upstreams.replan(tasks)
    accounts.replan(tasks)
    observers.replan(ownConfig(next, shard), stays)
    known.replan(ownDeclarations(next, shard))
    for (const task of stop) if (!begun!.has(task.key)) runner.forget(task)
    for (const task of start) {
      const before = stopped!.get(task.key)
      if (before) runner.replace(accounts.stretched(task), staysTrue(before, task))
    }
    const restarted = start.filter(({ key }) => stopped!.has(key)).length
    const numbers = { restarted, added: start.length - restarted, removed: stop.length - restarted }
    return { stop, start, reloaded: { kept: keep.length, ...numbers } }
  }

  function publishPlan({ networks }: Config): void {
    const count = (name: string) => tasks.filter(({ network }) => network.name === name).length
    const counts = Object.fromEntries(networks.map(({ name }) => [name, count(name)]))
    publish({ kind: 'planned', tasks: counts, at: clock.now() })
  }

  publishConfiguration(config)
  publishPlan(config)
  refresh()

  return {
    async start() {
      await scheduler.start(tasks)
      if (!isStopping) log.info({ tasks: tasks.length }, 'every task has been attempted')
    },
    async once(which) {
      const signal = new AbortController().signal
      const chosen = tasks.filter(which)
      await Promise.all(
        chosen.map(async (task) => {
          const deadline = Math.max(task.settings.deadline, ONCE_DEADLINE)
          await runner.run({ ...task, settings: { ...task.settings, deadline } }, signal)
        }),
      )
      refresh()
      return chosen.filter((task) => runner.result(task) === 'failure')
    },
    reload(next) {
      const planned = planOf(next, collectors, shard)
      together = []
      const { stop, start, reloaded } = replan(next, planned)
      publishConfiguration(next)
      refresh()
      const changes = together
      together = undefined
      publish({ kind: 'changes', changes })
      publishPlan(next)
      scheduler.exchange({ stop, start })
      return reloaded
    },
    async stop() {
      isStopping = true
      await scheduler.stop(GRACE)
      storage?.close()
      await http.close()
    },
  }
}

const sourceKey = ({ network, name }: Pick<Source, 'network' | 'name'>) => `${network}/${name}`

function sourcesOf(tasks: readonly Task[]): Map<string, Source> {
  return new Map(tasks.flatMap(({ sources }) => sources.map((one) => [sourceKey(one), one] as const)))
}

/** The same upstream, asked in the same way. */
function isSame(one: Source | undefined, other: Source | undefined): boolean {
  if (!one || !other) return one === other
  const told = ({ service, url, key }: Source) => [service, url.reveal(), key?.header, key?.value.reveal()]
  return told(one).every((part, at) => part === told(other)[at])
}
