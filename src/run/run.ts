// One run of one task. It never throws: what went wrong becomes a metric, a status row and, on a change, a log line.

import type { Run } from '../collectors/define.ts'
import { toBaseError, type BaseError, type RefusalReason } from '../errors.ts'
import { type Clock, NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { following, createRunCalls, type RunCalls } from './ask.ts'
import type { Records } from '../lib/records.ts'
import { until } from '../lib/until.ts'
import type { Logger } from '../logger.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { ExpectationRow, FromPoller } from '../metrics/publication.ts'
import type { Operation } from '../operations/define.ts'
import type { Allotment } from '../upstream/request-budget.ts'
import type { Client } from '../upstream/client.ts'
import type { Source } from '../upstream/source.ts'
import type { Judgement } from '../self/known.ts'
import { createRunLog, type RunLog, type Outcome } from './run-log.ts'
import { createTaskMemory, type TaskMemory } from './memory.ts'
import type { Task } from '../scheduler/plan.ts'
import { createRunTotals, runSamples, type RunResult, type RunState } from '../self/run-metrics.ts'
import { rowsOf } from './identity.ts'
import { createUnits, type Units } from './publication-units.ts'
import type { Standing } from '../self/upstreams.ts'

export interface RunnerOptions {
  client: Client
  memories: Records
  publish: (message: FromPoller) => void
  seriesDropped: (count: number) => void
  answerRefused: (source: Source, reason: RefusalReason) => void
  standing: (source: Source, startedAt: number) => Standing
  /** When the machine of the source last began to refuse connections, by the time of the upstreams. Default: never. */
  refusedAt?: (source: Source) => number | undefined
  /** Milliseconds that our clock is ahead according to most upstreams: collectors go by the upstreams' time. Default: 0. */
  clockAhead?: () => number
  clock: Clock
  log: Logger
  /** Whether the judge reads the metric. Default: none. */
  isKept?: (metric: string) => boolean
}

export type Runner = ReturnType<typeof createRunner>

interface TaskState {
  run: RunState
  /** Of the last run. */
  result?: RunResult
  /** Expectations that the last run published. */
  expectations?: readonly ExpectationRow[] | undefined
  /** Of the last run that published anything: its series stay until they expire. */
  judgement?: Judgement | undefined
}

interface State extends Omit<RunnerOptions, 'clockAhead'> {
  refusedAt: (source: Source) => number | undefined
  /** A time of our wall clock as the upstreams have it, in whole milliseconds: collectors make big integers of it. */
  toUpstreamTime: (wall: number) => number
  tasks: Map<string, TaskState>
  totals: ReturnType<typeof createRunTotals>
  lines: RunLog
  remembered: TaskMemory
  units: Units
}

/** Part of a run's time in which its requests may wait to be sent. */
const PATIENCE = 0.95

export function createRunner({ clockAhead = () => 0, refusedAt = () => undefined, ...options }: RunnerOptions) {
  const { memories, log, standing, publish } = options
  const toUpstreamTime = (wall: number) => Math.floor(wall - clockAhead())
  const state: State = {
    ...options,
    refusedAt,
    toUpstreamTime,
    tasks: new Map(),
    totals: createRunTotals(publish),
    lines: createRunLog(log, standing),
    remembered: createTaskMemory(memories, log),
    units: createUnits({ ...options, toUpstreamTime }),
  }
  const { tasks, totals, units, lines } = state
  return {
    /** `signal` ends the run early and discards its result. `allotment` pays for its requests. */
    run: (task: Task, signal: AbortSignal, allotment?: Allotment): Promise<void> => run(state, task, signal, allotment),
    /** Counts a run that was due while the one before was still in progress. */
    skip(task: Task) {
      totals.skipped(task)
      publishState(state, task)
    },
    /** How the last run ended; undefined before the first. */
    result: ({ key }: Task): RunResult | undefined => tasks.get(key)?.result,
    /** Published judgements of all tasks. */
    judgements: (): Iterable<Judgement> => [...tasks.values()].flatMap(({ judgement }) => judgement ?? []),
    /** The task is gone: forgets its runs and series, but not its memory. */
    forget(task: Task) {
      units.forget(task)
      totals.forget(task)
      publish({ kind: 'drop', keys: [runUnit(task)] })
      tasks.delete(task.key)
      lines.forget(task)
    },
    /**
     * The task replaces one with the same key. `keepsSeries`: the series of the old task may stay. `isOther`: its key stands for something
     * else now, so that nothing that is known of the one before counts.
     */
    replace(task: Task, keepsSeries: boolean, isOther = false) {
      if (isOther || !keepsSeries) {
        units.forget(task)
        Object.assign(stateOf(state, task), { judgement: undefined, expectations: undefined })
      }
      if (isOther) stateOf(state, task).run = {}
      publishState(state, task)
      totals.replaced(task)
      lines.replaced(task)
    },
  }
}

function stateOf({ tasks }: State, { key }: Task): TaskState {
  return entryOf(tasks, key, () => ({ run: {} }))
}

async function run(state: State, task: Task, stop: AbortSignal, allotment: Allotment | undefined): Promise<void> {
  // It was stopped while it waited for its budget: perhaps the task is gone.
  if (stop.aborted) return
  const { client, clock, toUpstreamTime } = state
  const started = clock.now().steady
  const { deadline } = task.settings
  const end = following(stop, clock.deadline(deadline))
  const patience = following(stop, clock.deadline(Math.floor(deadline * PATIENCE)))
  const endsAt = started + deadline
  const limits = { signal: end.signal, patience: patience.signal, endsAt, clock, toUpstreamTime, allotment }
  const asked = createRunCalls(client, task.sources, limits)
  const outcome = await attempt(state, task, asked, end.signal, stop)
  end.release()
  patience.release()
  if (!stop.aborted) report(state, task, outcome, clock.now().steady - started, asked)
}

async function attempt(
  state: State,
  task: Task,
  asked: RunCalls,
  signal: AbortSignal,
  stop: AbortSignal,
): Promise<Outcome> {
  stateOf(state, task).expectations = undefined
  /** Each reason counts once in a run. */
  const refusals = new Map<RefusalReason, Source>()
  const noteRefusal = (error: BaseError) => {
    if (error.reason) entryOf(refusals, error.reason, () => asked.authorOf(error, task.collector.uses[0]!.service))
  }
  try {
    await collectAndPublish(state, task, asked, signal, noteRefusal)
    return { result: 'success', reason: '' }
  } catch (thrown) {
    const reason = asked.endedBy(toBaseError(thrown))
    // A stopped run reports nothing: another task may have taken its place.
    if (stop.aborted) return { result: 'failure', reason: reason.message, error: reason }
    // A part failed, so we cannot say the thing is unsupported.
    const error = (reason.code === 'unsupported' ? asked.flaw() : undefined) ?? reason
    noteRefusal(error)
    for (const [why, source] of refusals) state.answerRefused(source, why)
    if (error.code !== 'unsupported') return { result: 'failure', reason: error.message, error }
    // The upstream is certain not to have it: what was published before is no longer true.
    state.units.clear(task)
    stateOf(state, task).judgement = undefined
    return { result: 'unsupported', reason: error.message }
  }
}

async function collectAndPublish(
  state: State,
  task: Task,
  asked: RunCalls,
  signal: AbortSignal,
  noteRefusal: (error: BaseError) => void,
): Promise<void> {
  const { clock, toUpstreamTime, remembered, units } = state
  const { collector, network, subject } = task
  const { call, pages, attempt } = asked
  const flawed = (error: BaseError) => {
    noteRefusal(error)
    asked.flawed(error)
  }
  const now = toUpstreamTime(clock.now().wall)
  const known = stateOf(state, task)
  const run: Run<Operation, unknown, typeof subject> = {
    subject,
    network,
    memory: remembered.load(task),
    now,
    refusedAt: () => state.refusedAt(asked.latest(collector.uses[0]!.service)),
    call,
    pages,
    attempt,
    flawed,
  }
  const collected = await until(signal, collector.collect(run))
  const { memory, expectations = [], refused } = collected
  const unsupported = asked.unsupported()
  if (unsupported) throw unsupported
  const answers = { answered: asked.answered, isAny: asked.sources() !== '' }
  // Nothing of a refused answer is published, and the series before it keep their place under the cap.
  const show = refused ? undefined : units.render(task, collected, answers, flawed)
  // Durable first: a counter that was scraped is never taken back by a crash.
  if (memory !== undefined) await remembered.save(task, memory)
  signal.throwIfAborted()
  if (refused) throw refused
  const expiresAt = show?.() ?? clock.now()
  const rows = rowsOf(task, expectations)
  known.judgement = { rows, expiresAt }
  if (rows.length > 0) known.expectations = rows
  const flaw = asked.flaw()
  if (flaw) throw flaw
}

function report(state: State, task: Task, outcome: Outcome, took: number, asked: RunCalls): void {
  const { clock, toUpstreamTime, units, publish, lines, totals } = state
  const known = stateOf(state, task)
  const { run, expectations } = known
  const { result, reason } = outcome
  const finishedAt = toUpstreamTime(clock.now().wall)
  run.ok = result !== 'failure'
  if (run.ok) Object.assign(run, { lastSuccess: finishedAt, staleSince: undefined })
  // Another failure says nothing about the age of the answers.
  else if (outcome.result === 'failure' && outcome.error.code === 'stale_response') run.staleSince ??= finishedAt
  publishState(state, task)
  const last = { took, series: units.series(task) }
  totals.ended(task, result, last)
  const source = asked.sources()
  const status = { key: task.key, network: task.network.name, result, reason, source, finishedAt, ...last }
  publish({ kind: 'status', status: { ...status, ...(expectations && { expectations }) } })
  known.result = result
  lines.say(task, outcome, asked.failing(), clock.now().steady - took)
}

function runUnit({ key }: Task): string {
  return `run:${key}`
}

function publishState(state: State, task: Task): void {
  const { collector, network, subject, labels, settings } = task
  const of = { network: network.name, collector: collector.name, source: labels['source'] ?? '', target: subject.name }
  const samples = runSamples(of, stateOf(state, task).run, settings.every)
  state.publish({ kind: 'publish', key: runUnit(task), families: renderFamilies(samples), samples, expiresAt: NEVER })
}
