// The state of upstreams, from the requests to them: counts for the metrics, one log line when a source goes down and one
// when it is back.

import { errorCodes, isUnsentCode, type RefusalReason, unsentCodes } from '../errors.ts'
import { medianAhead, noted, ownError, ageOf, type Clock, type Moment, NEVER } from '../lib/clock.ts'
import type { Logger } from '../logger.ts'
import {
  countRequests,
  isAnswered,
  noRequests,
  noteUnknown,
  upstreamSamples,
  type UpstreamState,
} from './request-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import { type Change, type UpstreamError, upstreamUnit } from '../metrics/publication.ts'
import type { Operation } from '../operations/define.ts'
import type { CallReport } from '../upstream/client.ts'
import type { Source } from '../upstream/source.ts'
import type { Task } from '../scheduler/plan.ts'

type SamePlace = (one: Source, other: Source) => boolean

export type Upstreams = ReturnType<typeof observeUpstreams>

/** `suspect`: a request failed since the last answer, and it is not clear yet whether the source is down. */
export type Standing = 'up' | 'suspect' | 'down'

interface Upstream {
  source: Source
  state: UpstreamState
  /** Operations that were called so far. */
  asked: Set<string>
  /** Tasks without another source. */
  waiting: number
  /** Operations that have failed since the last answer. */
  failing: Set<string>
  /** Since the last answer. */
  failures: number
  /** Undefined while it is up. */
  downSince?: Moment | undefined
  /** When it last came back (steady milliseconds). */
  backAt?: number | undefined
  /** When its machine last began to refuse connections, by the time of the upstreams. */
  refusedAt?: number | undefined
  /** It has refused and not answered since. */
  isRefusing: boolean
  /** Chains that have not finished bootstrapping, by id or alias, and since when stakewatch knows. */
  notReady: Map<string, Moment>
}

/** Not outcomes of a request: defects, refused answers, and reasons why a request was not sent. */
const notOutcomes: readonly string[] = [
  // Happens only when the process ends, after the last scrape.
  'aborted',
  'config',
  'bug',
  'stale_response',
  'implausible_response',
  ...unsentCodes,
]
const codes = Object.keys(errorCodes).filter((code) => !notOutcomes.includes(code))

/** What a request may end with: only nodes speak JSON-RPC, and only some objects can be missing. */
function codesOf({ service, notFound }: Operation): string[] {
  const never = [...(service === 'node' ? [] : ['rpc_error', 'not_ready']), ...(notFound ? [] : ['not_found'])]
  return ['ok', ...codes.filter((code) => !never.includes(code))]
}

/** A chain's own interface on a node. */
const CHAIN = /^\/ext\/bc\/([^/]+)/

/** Failures without an answer in between. */
const IN_A_ROW = 3

const keyOf = ({ network, name: source }: Source) => upstreamUnit({ network, source })

interface State {
  log: Logger
  now: Clock['now']
  upstreams: Map<string, Upstream>
  /** Keys of sources to publish. */
  changed: Set<string>
  /** Keys of sources to withdraw: those that are gone, and those at another address, which are published again. */
  left: Set<string>
  /** The last error of each source since the last call of `errors`. */
  errors: Map<string, UpstreamError>
  /** After a jump of ours: whose clocks were known before, and until when they are waited for (milliseconds, steady). */
  awaited: { keys: readonly string[]; until: number }
}

/** How long the clocks of upstreams are waited for after a jump of ours (milliseconds). */
const CLOCK_WAIT = 60_000

export function observeUpstreams(tasks: readonly Task[], log: Logger, { now }: Pick<Clock, 'now'>) {
  const state: State = {
    log,
    now,
    upstreams: new Map(),
    changed: new Set(),
    left: new Set(),
    errors: new Map(),
    awaited: { keys: [], until: -Infinity },
  }
  const { upstreams, changed, left, errors } = state
  replan(state, tasks, () => true)
  return {
    /** Replaces the tasks. Sources that stay keep their counts, and their state where `isSamePlace` says that their address stays. */
    replan: (next: readonly Task[], isSamePlace: SamePlace) => replan(state, next, isSamePlace),
    report: (call: CallReport) => noteCall(state, call),
    /** A collector refused an answer of the source. */
    refused(source: Source, reason: RefusalReason) {
      const key = keyOf(source)
      const upstream = upstreams.get(key)
      if (!upstream) return
      upstream.state.refused[reason] += 1
      changed.add(key)
    },
    /** As a run sees it that began then (steady milliseconds): what failed before it came back is part of that outage. */
    standing(source: Source, startedAt = Infinity): Standing {
      const { downSince, backAt = -Infinity, failing } = upstreams.get(keyOf(source))!
      return downSince !== undefined || startedAt <= backAt ? 'down' : failing.size > 0 ? 'suspect' : 'up'
    },
    /** When the machine of the source last began to refuse connections: the same until an answer came in between. */
    refusedAt: (source: Source): number | undefined => upstreams.get(keyOf(source))?.refusedAt,
    /** Milliseconds that our clock is ahead according to most upstreams; 0 where they agree with it. */
    clockAhead: () => clockAhead(state),
    /** False from a jump of ours until most upstreams have said their time again, or a minute is over: our time may be wrong. */
    isClockKnown: () => isClockKnown(state),
    /** One of our clocks has jumped: forgets the upstreams' clocks. */
    clockJumped() {
      const keys = [...upstreams].flatMap(([key, one]) => (one.state.clock.length > 0 ? [key] : []))
      // Of jumps in a row, the first one forgot them.
      state.awaited = { keys: isClockKnown(state) ? keys : state.awaited.keys, until: now().steady + CLOCK_WAIT }
      for (const [key, upstream] of upstreams) {
        upstream.state.clock = []
        changed.add(key)
      }
    },
    /** Publications since the last call. */
    changes(): Change[] {
      const dropped: Change[] = left.size === 0 ? [] : [{ kind: 'drop', keys: [...left] }]
      left.clear()
      const messages = [...changed].map((key): Change => {
        const upstream = upstreams.get(key)!
        const labels = { network: upstream.source.network, source: upstream.source.name }
        const samples = upstreamSamples(labels, upstream.state, now().steady)
        return { kind: 'publish', key, families: renderFamilies(samples), samples, expiresAt: NEVER }
      })
      changed.clear()
      return [...dropped, ...messages]
    },
    /** The last error of each source that failed since the last call. */
    errors(): UpstreamError[] {
      const failures = [...errors.values()]
      errors.clear()
      return failures
    },
  }
}

/** `asking` are the tasks that ask the source. */
function createUpstream(source: Source, asking: readonly Task[]): Upstream {
  const isOfService = ({ service }: { service: string }) => service === source.service
  const operations = new Set(asking.flatMap(({ collector }) => collector.uses.filter(isOfService)))
  return {
    source,
    state: noRequests([...operations].map((one) => ({ operation: one.name, codes: codesOf(one) }))),
    asked: new Set(),
    waiting: asking.filter(({ sources }) => sources.filter(isOfService).length === 1).length,
    failing: new Set(),
    failures: 0,
    isRefusing: false,
    notReady: new Map(),
  }
}

function replan(state: State, tasks: readonly Task[], isSamePlace: SamePlace): void {
  const { upstreams, changed, left, errors } = state
  const uses = tasks.flatMap((task) => task.sources.map((source) => ({ key: keyOf(source), source, task })))
  const byKey = Map.groupBy(uses, ({ key }) => key)
  const leave = (key: string) => {
    left.add(key)
    errors.delete(key)
  }
  for (const key of upstreams.keys()) {
    if (byKey.has(key)) continue
    upstreams.delete(key)
    changed.delete(key)
    leave(key)
  }
  for (const [key, own] of byKey) {
    const next = createUpstream(own.at(-1)!.source, [...new Set(own.map(({ task }) => task))])
    const before = upstreams.get(key)
    const stays = before && isSamePlace(before.source, next.source)
    if (before && !stays) leave(key)
    upstreams.set(key, before ? continued(before, next, stays === true) : next)
    changed.add(key)
  }
}

function clockAhead({ upstreams, now }: State): number {
  return ownError([...upstreams.values()].flatMap((one) => medianAhead(one.state.clock, now().steady) ?? []))
}

function isClockKnown({ awaited: { keys, until }, upstreams, now }: State): boolean {
  const silent = keys.filter((key) => upstreams.get(key)?.state.clock.length === 0)
  return silent.length * 2 < keys.length || keys.length === 0 || now().steady >= until
}

const upstreamTime = (state: State) => Math.floor(state.now().wall - clockAhead(state))

function noteCall(state: State, call: CallReport): void {
  const { upstreams, changed, now } = state
  const key = keyOf(call.source)
  const upstream = upstreams.get(key)
  if (!upstream) return
  countRequests(upstream.state, call)
  const { clockAhead: ahead } = call
  if (ahead !== undefined) upstream.state.clock = noted(upstream.state.clock, { ahead, at: now().steady })
  changed.add(key)
  // The budget may also end, or the circuit open, after the first of several requests.
  if (call.sent.length === 0 || isUnsentCode(call.code)) return
  // Also one after which another attempt was answered.
  if (call.wasRefused && !upstream.isRefusing) {
    Object.assign(upstream, { isRefusing: true, refusedAt: upstreamTime(state) })
  }
  upstream.asked.add(call.operation)
  if (call.code === 'ok') noteFields(state, upstream, call)
  if (isAnswered(call.code)) {
    noteAnswer(state, upstream)
    noteReadiness(state, upstream, call)
  } else if (call.code !== 'aborted') noteFailure(state, upstream, call)
}

function noteFields({ log }: State, { source, state }: Upstream, { operation, unknownFields }: CallReport): void {
  const { network, name } = source
  for (const field of noteUnknown(state, operation, unknownFields)) {
    log.debug?.({ network, source: name, operation, field }, 'upstream sends a field that stakewatch does not know')
  }
}

function noteFailure(state: State, upstream: Upstream, call: CallReport): void {
  const { errors, log, now } = state
  const { operation, code, reason, details } = call
  const { source, failing, asked, waiting } = upstream
  const { network, name } = source
  failing.add(operation)
  upstream.failures += 1
  errors.set(keyOf(source), { network, source: name, operation, code, reason, at: upstreamTime(state) })
  if (upstream.downSince !== undefined) return
  // One method that hangs while the others answer does not mean that the source is down. A connection that cannot be made
  // does, and so do failures in a row: a service that is asked for little may have no other method due for an hour.
  const isOne = failing.size < Math.min(2, asked.size) && upstream.failures < IN_A_ROW
  // A node answers for each chain by itself; the first failure of a service is all there is for a while.
  if (source.service !== 'node') upstream.state.up = false
  if (code !== 'network' && isOne) return
  upstream.downSince = now()
  upstream.state.up = false
  log.warn({ network, source: name, code, reason, details, tasks: waiting }, 'source is down')
}

function noteAnswer({ log, now }: State, upstream: Upstream): void {
  const { source, failing, downSince } = upstream
  failing.clear()
  upstream.failures = 0
  upstream.isRefusing = false
  upstream.state.up = true
  if (downSince === undefined) return
  upstream.downSince = undefined
  upstream.backAt = now().steady
  const seconds = Math.round(ageOf(downSince, now()) / 1_000)
  log.info({ network: source.network, source: source.name, seconds }, 'source is back')
}

/** One line when a chain bootstraps and one when it has finished. The P-Chain comes first and covers all chains of the node. */
function noteReadiness({ log, now }: State, { source, notReady }: Upstream, { path, code, reason }: CallReport): void {
  const { network, name } = source
  const chain = CHAIN.exec(path)?.[1]
  if (chain === undefined || code === 'unsupported') return
  if (code === 'not_ready') {
    if (notReady.has(chain) || notReady.has('P')) return
    notReady.set(chain, now())
    log.info({ network, source: name, chain, reason }, 'chain is bootstrapping')
    return
  }
  const since = notReady.get(chain)
  if (since === undefined) return
  notReady.delete(chain)
  const seconds = Math.round(ageOf(since, now()) / 1_000)
  log.info({ network, source: name, chain, seconds }, 'chain has finished bootstrapping')
}

/**
 * Keeps the counts of a source, except for operations that no task uses any more. Keeps its state only where it stays in its place: at
 * another address there may be another machine.
 */
function continued(before: Upstream, next: Upstream, stays: boolean): Upstream {
  const { requests } = before.state
  const known = [...next.state.requests].map(([key, pair]) => [key, requests.get(key) ?? pair] as const)
  const operations = new Set(Array.from(next.state.requests.values(), ({ operation }) => operation))
  const unknown = new Map([...before.state.unknown].filter(([operation]) => operations.has(operation)))
  const kept = (names: ReadonlySet<string>) => new Set([...names].filter((name) => operations.has(name)))
  const counts = { ...before.state, requests: new Map(known), unknown }
  if (!stays) {
    const { up: _, ...state } = { ...counts, clock: [] }
    return { ...next, state }
  }
  return {
    ...before,
    source: next.source,
    waiting: next.waiting,
    state: counts,
    asked: kept(before.asked),
    failing: kept(before.failing),
  }
}
