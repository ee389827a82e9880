// One run of one task. It never throws: what went wrong becomes a metric, a status row and, on a change, a log line.

import type { Run } from '../collectors/define.ts'
import { asBaseError, type BaseError, type RefusalReason } from '../errors.ts'
import { type Clock, NEVER } from '../lib/clock.ts'
import { following } from '../lib/following.ts'
import { until } from '../lib/until.ts'
import type { Logger } from '../logger.ts'
import { noRuns, runSamples, type RunResult, type RunState } from '../metrics/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { ExpectationRow, FromPoller } from '../metrics/publication.ts'
import type { Operation } from '../operations/define.ts'
import type { Pass } from '../upstream/payment.ts'
import type { Client } from '../upstream/client.ts'
import type { Source } from '../upstream/source.ts'
import { askSources, type AskedSources } from './ask.ts'
import type { Judgement } from './known.ts'
import { createLines, type Outcome } from './run-log.ts'
import { createRecall, type Memories } from './memory.ts'
import type { Task } from './plan.ts'
import { rowsOf } from './identity.ts'
import { createUnits } from './publication-units.ts'
import type { Standing } from './upstream-metrics.ts'

export interface RunnerOptions {
  client: Client
  memories: Memories
  publish: (message: FromPoller) => void
  seriesDropped: (count: number) => void
  /** The source gave an answer that is not believed. */
  answerRefused: (source: Source, reason: RefusalReason) => void
  standing: (source: Source) => Standing
  /** Milliseconds that our clock is ahead, as most upstreams agree: collectors go by the upstreams' time. Default: none. */
  clockAhead?: () => number
  clock: Clock
  log: Logger
}

export interface Runner {
  /** `signal` ends the run early; its result is then discarded. `pass` is what it brings along to pay for its requests. */
  run(task: Task, signal: AbortSignal, pass?: Pass): Promise<void>
  /** Counts a run that was due while the one before was still going on. */
  skip(task: Task): void
  /** How the last run ended; undefined before the first. */
  result(task: Task): RunResult | undefined
  /** What the tasks have published of what they judged. */
  judgements(): Iterable<Judgement>
  /** The task has gone, and with it all that was known of its runs, but for what it remembers. */
  forget(task: Task): void
  /** The task takes the place of one of the same key. `staysTrue`: what that one has published may stay. */
  replace(task: Task, staysTrue: boolean): void
}

const runUnit = ({ key }: Task) => `run:${key}`

const answersOf = ({ answered, sources }: AskedSources) => ({ answered, isAny: sources() !== '' })

/** Of the time of a run: what it has to wait for until then before it can ask it does not get. */
const PATIENCE = 0.95

export function createRunner({
  client,
  memories,
  publish,
  seriesDropped,
  answerRefused,
  standing,
  clockAhead = () => 0,
  clock,
  log,
}: RunnerOptions): Runner {
  const states = new Map<string, RunState>()
  const outcomes = new Map<string, Outcome>()
  const lines = createLines(log, standing)
  /** Expectations that the last run published. */
  const told = new Map<string, readonly ExpectationRow[]>()
  /** Of the last run that published anything: its series are there until they expire. */
  const judgements = new Map<string, Judgement>()
  const recall = createRecall(memories, log)
  const units = createUnits({ publish, seriesDropped, clock, clockAhead, log })

  function stateOf({ key }: Task): RunState {
    let state = states.get(key)
    if (!state) states.set(key, (state = noRuns()))
    return state
  }

  async function collectAndPublish(
    task: Task,
    asked: AskedSources,
    signal: AbortSignal,
    disbelieve: (error: BaseError) => void,
  ): Promise<void> {
    const flawed = (error: BaseError) => {
      disbelieve(error)
      asked.flawed(error)
    }

    const { collector, network, subject } = task
    const run: Run<Operation, unknown, typeof subject> = {
      subject,
      network,
      memory: recall(task),
      now: clock.now().wall - clockAhead(),
      call: asked.call,
      pages: asked.pages,
      attempt: asked.attempt,
      flawed,
    }
    const collected = await until(signal, collector.collect(run))
    const { memory, expectations = [], refused } = collected
    const nothing = asked.nothing()
    if (nothing) throw nothing
    // Of a refused answer nothing is published, and what was keeps its place under the cap.
    const show = refused ? undefined : units.render(task, collected, answersOf(asked), flawed)
    // Durable first: a counter that was scraped is never taken back by a crash.
    if (memory !== undefined) await memories.save(task.key, memory)
    signal.throwIfAborted()
    if (refused) throw refused
    const expiresAt = show?.() ?? clock.now()
    const rows = rowsOf(task, expectations)
    judgements.set(task.key, { rows, expiresAt })
    if (rows.length > 0) told.set(task.key, rows)
    const flaw = asked.flaw()
    if (flaw) throw flaw
  }

  async function attempt(task: Task, asked: AskedSources, signal: AbortSignal, stop: AbortSignal): Promise<Outcome> {
    told.delete(task.key)
    /** Each counts once in a run. */
    const disbelieved = new Set<RefusalReason>()
    const disbelieve = ({ reason }: BaseError) => reason && disbelieved.add(reason)
    try {
      await collectAndPublish(task, asked, signal, disbelieve)
      return { result: 'success', reason: '' }
    } catch (thrown) {
      const reason = asBaseError(thrown)
      // Whoever has been stopped tells nothing any more: another task may have its place.
      if (stop.aborted) return { result: 'failure', reason: reason.message, error: reason }
      // Where a part has failed it is open what there is.
      const error = (reason.code === 'unsupported' ? asked.flaw() : undefined) ?? reason
      disbelieve(error)
      for (const why of disbelieved) answerRefused(asked.latest(task.collector.uses[0]!.service), why)
      if (error.code !== 'unsupported') return { result: 'failure', reason: error.message, error }
      // That it is not there is known for sure: what was published before is no longer true.
      units.clear(task)
      judgements.delete(task.key)
      return { result: 'unsupported', reason: error.message }
    }
  }

  function report(task: Task, outcome: Outcome, took: number, asked: AskedSources): void {
    const state = stateOf(task)
    const ok = outcome.result !== 'failure'
    const finishedAt = clock.now().wall - clockAhead()
    state.runs[outcome.result] += 1
    state.last = { ok, took }
    state.series = units.series(task)
    if (ok) state.lastSuccess = finishedAt
    publishState(task)
    const { result, reason } = outcome
    const expectations = told.get(task.key)
    const status = { key: task.key, network: task.network.name, result, reason, source: asked.sources(), finishedAt }
    publish({ kind: 'status', status: { ...status, ...(expectations && { expectations }) } })
    outcomes.set(task.key, outcome)
    lines.say(task, outcome, asked.failing())
  }

  function publishState(task: Task): void {
    const { collector, network, subject, labels, settings } = task
    const identity = {
      network: network.name,
      collector: collector.name,
      source: labels['source'] ?? '',
      target: subject.name,
    }
    const families = renderFamilies(runSamples(identity, stateOf(task), settings))
    publish({ kind: 'publish', key: runUnit(task), families, expiresAt: NEVER })
  }

  return {
    async run(task, stop, pass) {
      const started = clock.now().steady
      const { deadline } = task.settings
      const end = following(stop, clock.deadline(deadline))
      const patience = following(stop, clock.deadline(Math.floor(deadline * PATIENCE)))
      const limits = {
        signal: end.signal,
        patience: patience.signal,
        endsAt: started + deadline,
        clock,
        clockAhead,
        pass,
      }
      const asked = askSources(client, task.sources, limits)
      const outcome = await attempt(task, asked, end.signal, stop)
      end.release()
      patience.release()
      if (!stop.aborted) report(task, outcome, clock.now().steady - started, asked)
    },
    skip(task) {
      stateOf(task).runs.skipped += 1
      publishState(task)
    },
    result: ({ key }) => outcomes.get(key)?.result,
    judgements: () => judgements.values(),
    forget(task) {
      units.forget(task)
      publish({ kind: 'drop', keys: [runUnit(task)] })
      for (const known of [states, outcomes, told, judgements]) known.delete(task.key)
      lines.forget(task)
    },
    replace(task, staysTrue) {
      if (!staysTrue) {
        units.forget(task)
        judgements.delete(task.key)
        told.delete(task.key)
      }
      publishState(task)
    },
  }
}
