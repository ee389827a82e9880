// The daemon's metrics of the requests to an upstream: what became of them, and which may be sent now.

import { isUnsentCode, type RefusalReason, refusalReasons, type UnsentCode, unsentCodes } from '../errors.ts'
import { entryOf } from '../lib/entry.ts'
import { medianAhead, type Offset } from '../lib/clock.ts'
import { emptyHistogram, observe, ofUpstream, type HistogramValue, type Sample } from '../metrics/define.ts'

const own = {
  up: ofUpstream.gauge('stakewatch_upstream_up', {
    help: 'Whether the upstream answers: 1 or 0.',
    details:
      'It is 0 once no connection can be made or two operations have failed since its last answer; an error is an answer.',
  }),
  requests: ofUpstream.counter('stakewatch_upstream_requests_total', {
    help: 'Requests sent to the upstream, retries included, by operation and outcome, which is ok or the code of the error.',
    labels: ['operation', 'code'],
  }),
  unsent: ofUpstream.counter('stakewatch_upstream_requests_unsent_total', {
    help: 'Requests not sent, by reason: circuit_open, over_budget (budget used up), busy (too many in flight), paused (the upstream asked for a pause).',
    labels: ['code'],
  }),
  rateLimited: ofUpstream.counter('stakewatch_upstream_rate_limited_total', {
    help: 'Requests that the upstream answered with HTTP 429.',
    details: 'They are included in stakewatch_upstream_requests_total with the code http_status.',
  }),
  circuitOpen: ofUpstream.gauge('stakewatch_upstream_circuit_open', {
    help: 'Whether requests to the upstream are paused after repeated failures: 1 or 0.',
    details:
      'An operation that fails alone has a series of its own while it is paused; an occasional request checks for recovery.',
    labels: ['operation'],
  }),
  refusing: ofUpstream.gauge('stakewatch_upstream_refusing', {
    help: 'Whether the service refuses access with HTTP 401 or 403: 1 or 0.',
    details: 'Requests are then paused for ten minutes at a time; a page (HTML) in place of an answer does not count.',
  }),
  budget: ofUpstream.gauge('stakewatch_upstream_budget_units', {
    help: 'Request units that may be spent on the upstream in a minute and in a day.',
    details:
      'The configured budget, else a fifth more than the cost that `check` reports; services of one kind with the same origin and key share it.',
    labels: ['window'],
  }),
  budgetRemaining: ofUpstream.gauge('stakewatch_upstream_budget_remaining_units', {
    help: 'Request units of stakewatch_upstream_budget_units not spent in the last minute or day.',
    labels: ['window'],
  }),
  intervalStretch: ofUpstream.gauge('stakewatch_upstream_interval_stretch_ratio', {
    help: 'How many times longer than configured the intervals of collectors are, as the budget does not allow all requests: 1 where it does.',
    details:
      'By what matters most: pages about money in wallets (first), other late results that cost money (reserved), essential, other; at most 16, beyond which requests fail.',
    labels: ['rank'],
  }),
  requestDuration: ofUpstream.histogram('stakewatch_upstream_request_duration_seconds', {
    help: "Time from a call to the last byte of the upstream's answer, including retries and queueing.",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  }),
  itemsDropped: ofUpstream.counter('stakewatch_upstream_items_dropped_total', {
    help: "List items dropped from the upstream's answers because a required field is missing or unreadable, each counted once.",
  }),
  fieldsDropped: ofUpstream.counter('stakewatch_upstream_fields_dropped_total', {
    help: "Optional fields dropped from the upstream's answers because they are unreadable.",
  }),
  unknownFields: ofUpstream.gauge('stakewatch_upstream_unknown_fields', {
    help: 'Number of different fields in answers to the operation that stakewatch does not know, since the start; at most 32.',
    details: 'A new release of the upstream may have brought them; the log names each of them once, at level debug.',
    labels: ['operation'],
  }),
  answersRefused: ofUpstream.counter('stakewatch_upstream_answers_refused_total', {
    help: 'Answers of the upstream that stakewatch rejected, by reason.',
    details: 'An answer is rejected if it is older than one already seen or contains something impossible.',
    labels: ['reason'],
  }),
  clockOffset: ofUpstream.gauge('stakewatch_upstream_clock_offset_seconds', {
    help: "How far stakewatch's clock is ahead of the upstream's Date headers; absent without such headers.",
  }),
}

export const requestMetrics = Object.values(own)

const reasons = Object.keys(refusalReasons) as RefusalReason[]

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
  /** By operation that was answered: paths of fields that its definition does not have. */
  unknown: Map<string, Set<string>>
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
    durations: emptyHistogram(own.requestDuration),
    dropped: 0,
    fieldsDropped: 0,
    unknown: new Map(),
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
  if (isUnsentCode(code)) state.unsent[code] += 1
  if (sent.length === 0) return
  for (const outcome of sent) {
    const key = `${operation} ${outcome}`
    const pair = state.requests.get(key) ?? { operation, code: outcome, count: 0 }
    state.requests.set(key, { ...pair, count: pair.count + 1 })
  }
  state.durations = observe(own.requestDuration, state.durations, [seconds])
  state.limited += left.limited
  state.dropped += left.dropped
  state.fieldsDropped += left.fieldsDropped
}

/** Fields that are remembered for each operation of an upstream: no release brings more. */
const MOST_UNKNOWN = 32

/** Returns those that no earlier answer to the operation had. */
export function noteUnknown({ unknown }: UpstreamState, operation: string, fields: readonly string[]): string[] {
  const known = entryOf(unknown, operation, () => new Set())
  const fresh = fields.filter((field) => !known.has(field)).slice(0, MOST_UNKNOWN - known.size)
  for (const field of fresh) known.add(field)
  return fresh
}

/** `steady` is the time on the steady clock. */
export function upstreamSamples(
  labels: { network: string; source: string },
  state: UpstreamState,
  steady: number,
): Sample[] {
  const ahead = medianAhead(state.clock, steady)
  return [
    ...state.requests
      .values()
      .map(({ operation, code, count }) => own.requests.sample({ ...labels, operation, code }, count)),
    ...unsentCodes.map((code) => own.unsent.sample({ ...labels, code }, state.unsent[code])),
    own.rateLimited.sample(labels, state.limited),
    own.requestDuration.sample(labels, state.durations),
    own.itemsDropped.sample(labels, state.dropped),
    own.fieldsDropped.sample(labels, state.fieldsDropped),
    ...state.unknown.entries().map(([operation, { size }]) => own.unknownFields.sample({ ...labels, operation }, size)),
    ...reasons.map((reason) => own.answersRefused.sample({ ...labels, reason }, state.refused[reason])),
    ...own.clockOffset.ifKnown(labels, ahead === undefined ? undefined : ahead / 1_000),
    ...own.up.ifKnown(labels, state.up),
  ]
}

/** What stakewatch may currently send to an upstream. */
export interface Permission {
  isOpen: boolean
  /** Operations that are paused by themselves. */
  openOperations: readonly string[]
  /** Undefined for a node, which has no key. */
  isRefusing: boolean | undefined
  budgets: readonly { window: 'minute' | 'day'; units: number; remaining: number }[]
  stretches: readonly { rank: string; ratio: number }[]
}

export function permissionSamples(labels: { network: string; source: string }, given: Permission): Sample[] {
  return [
    own.circuitOpen.sample({ ...labels, operation: '' }, given.isOpen),
    ...given.openOperations.map((operation) => own.circuitOpen.sample({ ...labels, operation }, 1)),
    ...own.refusing.ifKnown(labels, given.isRefusing),
    ...given.budgets.flatMap(({ window, units, remaining }) => [
      own.budget.sample({ ...labels, window }, units),
      own.budgetRemaining.sample({ ...labels, window }, remaining),
    ]),
    ...given.stretches.map(({ rank, ratio }) => own.intervalStretch.sample({ ...labels, rank }, ratio)),
  ]
}
