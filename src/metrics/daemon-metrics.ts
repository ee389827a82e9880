// The daemon's metrics of its runs and upstreams. They do not expire: they disappear with their target.

import { type RefusalReason, refusalReasons } from '../errors.ts'
import { medianAhead, type Offset } from '../lib/clocks.ts'
import { type Jump, jumps } from '../lib/clock.ts'
import { counter, emptyHistogram, gauge, histogram, type HistogramValue, observe, type Sample } from './define.ts'

const success = gauge({
  name: 'stakewatch_collector_success',
  help: 'Whether the last run of the collector succeeded: 1 or 0.',
  details: 'An unsupported target is not a failure.',
  of: 'run',
})
const lastSuccess = gauge({
  name: 'stakewatch_collector_last_success_timestamp_seconds',
  help: 'When the last successful run of the collector ended.',
  of: 'run',
})
const duration = gauge({
  name: 'stakewatch_collector_duration_seconds',
  help: 'How long the last run of the collector took.',
  of: 'run',
})
const runs = counter({
  name: 'stakewatch_collector_runs_total',
  help: 'Runs of the collector by result; skipped runs were due while the previous run was still going on.',
  of: 'run',
  labels: ['result'],
})
const series = gauge({
  name: 'stakewatch_collector_series',
  help: 'Series that the last successful run of the collector published.',
  of: 'run',
})
const interval = gauge({
  name: 'stakewatch_collector_interval_seconds',
  help: 'Time between two runs of the collector.',
  details: 'It is longer than configured while the upstream does not allow all requests.',
  of: 'run',
})
const ttl = gauge({
  name: 'stakewatch_collector_ttl_seconds',
  help: 'How old an answer may become before the series made from it vanish.',
  of: 'run',
})
const up = gauge({
  name: 'stakewatch_upstream_up',
  help: 'Whether the upstream answers: 1 or 0.',
  details:
    'It is 0 once no connection can be made or two operations have failed since its last answer; an error is an answer.',
  of: 'upstream',
})
const requests = counter({
  name: 'stakewatch_upstream_requests_total',
  help: 'Requests sent to the upstream, retries included, by operation and outcome, which is ok or the code of the error.',
  of: 'upstream',
  labels: ['operation', 'code'],
})
const unsent = counter({
  name: 'stakewatch_upstream_requests_unsent_total',
  help: 'Requests not sent, by reason: circuit_open, over_budget (budget used up), busy (too many in flight), paused (the upstream asked for a pause).',
  of: 'upstream',
  labels: ['code'],
})
const rateLimited = counter({
  name: 'stakewatch_upstream_rate_limited_total',
  help: 'Requests that the upstream answered with HTTP 429.',
  details: 'They are included in stakewatch_upstream_requests_total with the code http_status.',
  of: 'upstream',
})
const circuitOpen = gauge({
  name: 'stakewatch_upstream_circuit_open',
  help: 'Whether requests to the upstream are paused after repeated failures: 1 or 0.',
  details:
    'An operation that fails alone has a series of its own while it is paused; an occasional request checks for recovery.',
  of: 'upstream',
  labels: ['operation'],
})
const refusing = gauge({
  name: 'stakewatch_upstream_refusing',
  help: 'Whether the service rejects the credentials with HTTP 401 or 403: 1 or 0.',
  details: 'Requests are then paused for ten minutes at a time.',
  of: 'upstream',
})
const budget = gauge({
  name: 'stakewatch_upstream_budget_units',
  help: 'Request units that may be spent on the upstream in a minute and in a day.',
  details:
    'The configured budget, else a fifth more than the cost that `check` reports; services of one kind with the same origin and key share it.',
  of: 'upstream',
  labels: ['window'],
})
const budgetRemaining = gauge({
  name: 'stakewatch_upstream_budget_remaining_units',
  help: 'Request units of stakewatch_upstream_budget_units not spent in the last minute or day.',
  of: 'upstream',
  labels: ['window'],
})
const requestDuration = histogram({
  name: 'stakewatch_upstream_request_duration_seconds',
  help: "Time from a call to the last byte of the upstream's answer, including retries and queueing.",
  of: 'upstream',
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})
const itemsDropped = counter({
  name: 'stakewatch_upstream_items_dropped_total',
  help: "List items dropped from the upstream's answers because a required field is missing or unreadable, each counted once.",
  of: 'upstream',
})
const fieldsDropped = counter({
  name: 'stakewatch_upstream_fields_dropped_total',
  help: "Optional fields dropped from the upstream's answers because they are unreadable.",
  of: 'upstream',
})
const answersRefused = counter({
  name: 'stakewatch_upstream_answers_refused_total',
  help: 'Answers of the upstream that stakewatch rejected, by reason.',
  details: 'An answer is rejected if it is older than one already seen or contains something impossible.',
  of: 'upstream',
  labels: ['reason'],
})

const clockOffset = gauge({
  name: 'stakewatch_upstream_clock_offset_seconds',
  help: "How far stakewatch's clock is ahead of the upstream's Date headers; absent without such headers.",
  of: 'upstream',
})

const seriesDropped = counter({
  name: 'stakewatch_series_dropped_total',
  help: "Series dropped as duplicates within a run or beyond a collector's max_series.",
  of: 'daemon',
})
const clockJumps = counter({
  name: 'stakewatch_clock_jumps_total',
  help: "Clock jumps: the machine's clock was set (back, forward), or everything stood still (pause).",
  details: 'A sleep of the machine can also look like `forward`; everything is polled again after a jump.',
  of: 'daemon',
  labels: ['direction'],
})

export const daemonMetrics = [
  success,
  lastSuccess,
  duration,
  runs,
  series,
  interval,
  ttl,
  up,
  requests,
  unsent,
  rateLimited,
  circuitOpen,
  refusing,
  budget,
  budgetRemaining,
  requestDuration,
  itemsDropped,
  fieldsDropped,
  answersRefused,
  clockOffset,
  seriesDropped,
  clockJumps,
]

const reasons = Object.keys(refusalReasons) as RefusalReason[]

export type RunResult = 'success' | 'failure' | 'skipped' | 'unsupported'

/** State of a collector's runs on one target. Times in milliseconds. */
export interface RunState {
  runs: Record<RunResult, number>
  /** Undefined until the first run has ended. */
  last?: { ok: boolean; took: number }
  lastSuccess?: number
  series: number
}

export function noRuns(): RunState {
  return { runs: { success: 0, failure: 0, skipped: 0, unsupported: 0 }, series: 0 }
}

export function runSamples(
  labels: { network: string; collector: string; source: string; target: string },
  state: RunState,
  settings: { every: number; ttl: number },
): Sample[] {
  const samples = Object.entries(state.runs).map(([result, count]) => runs.sample({ ...labels, result }, count))
  samples.push(
    series.sample(labels, state.series),
    interval.sample(labels, settings.every / 1_000),
    ttl.sample(labels, settings.ttl / 1_000),
  )
  if (state.last) {
    samples.push(success.sample(labels, state.last.ok ? 1 : 0), duration.sample(labels, state.last.took / 1_000))
  }
  if (state.lastSuccess !== undefined) samples.push(lastSuccess.sample(labels, state.lastSuccess / 1_000))
  return samples
}

export interface PollingState {
  seriesDropped: number
  jumps: Record<Jump, number>
}

export function noPolling(): PollingState {
  return { seriesDropped: 0, jumps: { back: 0, forward: 0, pause: 0 } }
}

export function pollerSamples(state: PollingState): Sample[] {
  return [
    seriesDropped.sample({}, state.seriesDropped),
    ...jumps.map((direction) => clockJumps.sample({ direction }, state.jumps[direction])),
  ]
}

export interface UpstreamState {
  /** Undefined until it has answered, or counts as down. */
  up?: boolean
  requests: Map<string, { operation: string; code: string; count: number }>
  /** Requests that were not sent, by reason. */
  unsent: Record<UnsentCode, number>
  /** Requests that it answered with HTTP 429. */
  limited: number
  durations: HistogramValue
  dropped: number
  fieldsDropped: number
  /** Clock offsets from its last answers. */
  clock: readonly Offset[]
  refused: Record<RefusalReason, number>
}

/** Every outcome of every operation in use starts at 0: `increase()` misses a series born at 1. */
export function noRequests(operations: readonly { operation: string; codes: readonly string[] }[]): UpstreamState {
  const pairs = operations.flatMap(({ operation, codes }) => codes.map((code) => ({ operation, code, count: 0 })))
  return {
    requests: new Map(pairs.map((pair) => [`${pair.operation} ${pair.code}`, pair])),
    unsent: { circuit_open: 0, over_budget: 0, busy: 0, paused: 0 },
    limited: 0,
    durations: emptyHistogram(requestDuration),
    dropped: 0,
    fieldsDropped: 0,
    clock: [],
    refused: Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>,
  }
}

/** An upstream that answers in its protocol is up, even if it answers with an error or that a chain is not ready. */
const answers = new Set([
  'ok',
  'rpc_error',
  'not_ready',
  'not_found',
  'unsupported',
  'stale_response',
  'implausible_response',
])
export const isAnswered = (code: string) => answers.has(code)

const unsentCodes = ['circuit_open', 'over_budget', 'busy', 'paused'] as const
type UnsentCode = (typeof unsentCodes)[number]

/** Outcome of a call; `sent` are the outcomes of the requests that it sent. */
interface Counted {
  operation: string
  code: string
  sent: readonly string[]
  limited: number
  seconds: number
  dropped: number
  fieldsDropped: number
}

export function countRequests(state: UpstreamState, { operation, code, sent, seconds, ...left }: Counted): void {
  if (sent.length === 0) {
    const why = unsentCodes.find((one) => one === code)
    if (why) state.unsent[why] += 1
    return
  }
  for (const outcome of sent) {
    const key = `${operation} ${outcome}`
    const pair = state.requests.get(key) ?? { operation, code: outcome, count: 0 }
    state.requests.set(key, { ...pair, count: pair.count + 1 })
  }
  state.durations = observe(requestDuration, state.durations, seconds)
  state.limited += left.limited
  state.dropped += left.dropped
  state.fieldsDropped += left.fieldsDropped
}

/** `steady` is the time on the steady clock. */
export function upstreamSamples(
  labels: { network: string; source: string },
  state: UpstreamState,
  steady: number,
): Sample[] {
  const samples = [...state.requests.values()].map(({ operation, code, count }) =>
    requests.sample({ ...labels, operation, code }, count),
  )
  samples.push(
    ...unsentCodes.map((code) => unsent.sample({ ...labels, code }, state.unsent[code])),
    rateLimited.sample(labels, state.limited),
    requestDuration.sample(labels, state.durations),
    itemsDropped.sample(labels, state.dropped),
    fieldsDropped.sample(labels, state.fieldsDropped),
    ...reasons.map((reason) => answersRefused.sample({ ...labels, reason }, state.refused[reason])),
  )
  const ahead = medianAhead(state.clock, steady)
  if (ahead !== undefined) samples.push(clockOffset.sample(labels, ahead / 1_000))
  if (state.up !== undefined) samples.push(up.sample(labels, state.up ? 1 : 0))
  return samples
}

/** What stakewatch may currently send to an upstream. */
export interface Permission {
  isOpen: boolean
  /** Operations that are paused by themselves. */
  openOperations: readonly string[]
  /** Undefined for a node, which has no key. */
  isRefusing: boolean | undefined
  budgets: readonly { window: 'minute' | 'day'; units: number; remaining: number }[]
}

export function permissionSamples(labels: { network: string; source: string }, given: Permission): Sample[] {
  return [
    circuitOpen.sample({ ...labels, operation: '' }, given.isOpen ? 1 : 0),
    ...given.openOperations.map((operation) => circuitOpen.sample({ ...labels, operation }, 1)),
    ...(given.isRefusing === undefined ? [] : [refusing.sample(labels, given.isRefusing ? 1 : 0)]),
    ...given.budgets.flatMap(({ window, units, remaining }) => [
      budget.sample({ ...labels, window }, units),
      budgetRemaining.sample({ ...labels, window }, remaining),
    ]),
  ]
}
