// What polls, put together: a configuration becomes messages for the snapshot. It serves nothing, so that it can live in a
// thread of its own.

import { collectors } from './collectors/index.ts'
import type { Config } from './config/schema.ts'
import { type Clock, NEVER } from './lib/clock.ts'
import type { Logger } from './logger.ts'
import { noPolling, pollerSamples } from './metrics/daemon.ts'
import { renderFamilies } from './metrics/exposition.ts'
import type { FromPoller } from './metrics/snapshot.ts'
import { configuredSamples } from './scheduler/configured-metrics.ts'
import { createAccounts, paying } from './scheduler/accounts.ts'
import { createKnown } from './scheduler/known.ts'
import { createMemories } from './scheduler/memory.ts'
import { createObservers } from './scheduler/observers.ts'
import { plan, type Task } from './scheduler/plan.ts'
import { createRunner } from './scheduler/run.ts'
import { createScheduler } from './scheduler/scheduler.ts'
import { observeUpstreams } from './scheduler/upstreams.ts'
import type { Storage } from './storage/storage.ts'
import { createCircuits } from './upstream/circuit.ts'
import { type CallReport, createClient } from './upstream/client.ts'
import { createHttp } from './upstream/http.ts'

export interface PollerOptions {
  config: Config
  version: string
  log: Logger
  clock: Clock
  random: () => number
  publish: (message: FromPoller) => void
  /** Closed when the poller stops. Without it what is counted is lost with the process. */
  storage?: Storage | undefined
}

export interface Poller {
  /** Polls until it is stopped. */
  start(): void
  /** Runs these tasks once; gives those that failed. */
  once(which: (task: Task) => boolean): Promise<readonly Task[]>
  stop(): Promise<void>
}

/** Upstream metrics are published this often, not on every request (milliseconds). */
const REFRESH = 1_000
/** Runs in flight may take this long to finish when the daemon stops (milliseconds). */
const GRACE = 2_000

export function createPoller({ config, version, log, clock, random, publish, storage }: PollerOptions): Poller {
  const tasks = plan(config, collectors)
  const polling = noPolling()
  const upstreams = observeUpstreams(tasks, log, clock)
  const http = createHttp({ userAgent: `stakewatch/${version}`, random, now: () => clock.now().wall })
  const observers = createObservers(config)
  const report = (call: CallReport) => {
    upstreams.report(call)
    const { source, code, nodeId } = call
    if (source.service === 'node' && code === 'ok') observers.answered(source.network, source.name, nodeId)
  }
  const circuits = createCircuits(clock, random)
  const accounts = createAccounts({ tasks, clock, circuits, log, store: storage?.records('budget') })
  const { timeout } = config.defaults
  const client = createClient({ http, timeout, clock, circuits, accountOf: accounts.of, report })
  const runner = createRunner({
    client,
    memories: storage?.records('memory') ?? createMemories(),
    publish,
    seriesDropped: (count) => (polling.seriesDropped += count),
    answerRefused: upstreams.refused,
    standing: upstreams.standing,
    clock,
    log,
  })
  const known = createKnown(config)
  let refreshed = clock.now()
  let isStopping = false

  function refresh(): void {
    refreshed = clock.now()
    const own = [...renderFamilies(pollerSamples(polling)), ...(storage?.families() ?? [])]
    for (const message of upstreams.changes()) publish(message)
    for (const error of upstreams.errors()) publish({ kind: 'error', error })
    for (const message of accounts.changes()) publish(message)
    for (const message of observers.changes()) publish(message)
    for (const message of known.changes(runner.judgements(), refreshed)) publish(message)
    publish({ kind: 'publish', key: 'poller', families: own, expiresAt: NEVER })
  }

  const scheduler = createScheduler({
    runner: paying(runner, accounts),
    clock,
    everyOf: (task) => accounts.stretched(task).settings.every,
    ticked(at, jump) {
      publish({ kind: 'tick', at })
      if (jump) {
        polling.jumps[jump] += 1
        log.warn({ jump }, 'a clock has jumped: everything is polled again')
      }
      if (at.steady - refreshed.steady >= REFRESH) refresh()
    },
  })

  publish({
    kind: 'publish',
    key: 'configuration',
    families: renderFamilies(configuredSamples(config)),
    expiresAt: NEVER,
  })
  refresh()

  return {
    start() {
      void scheduler.start(tasks).then(() => {
        if (!isStopping) log.info({ tasks: tasks.length }, 'every task has been attempted')
      })
    },
    async once(which) {
      const signal = new AbortController().signal
      const chosen = tasks.filter(which)
      await Promise.all(chosen.map((task) => runner.run(task, signal)))
      refresh()
      return chosen.filter((task) => runner.result(task) === 'failure')
    },
    async stop() {
      isStopping = true
      await scheduler.stop(GRACE)
      storage?.close()
      await http.close()
    },
  }
}
