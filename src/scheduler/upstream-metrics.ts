// The upstreams as their requests show them: counted for the metrics, with one log line when a source goes down and one
// when it is back.

import { errorCodes, type RefusalReason } from '../errors.ts'
import { medianAhead, noted, ownError } from '../lib/clocks.ts'
import { ageOf, type Clock, type Moment, NEVER } from '../lib/clock.ts'
import type { Logger } from '../logger.ts'
import {
  countRequests,
  isAnswered,
  noRequests,
  upstreamSamples,
  type UpstreamState,
} from '../metrics/daemon-metrics.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change, UpstreamError } from '../metrics/publication.ts'
import type { Operation } from '../operations/define.ts'
import type { CallReport } from '../upstream/client.ts'
import type { Source } from '../upstream/source.ts'
import type { Task } from './plan.ts'

export interface Upstreams {
  /** From now on these tasks ask. Sources that stay keep what was counted of them. */
  replan(tasks: readonly Task[]): void
  report(call: CallReport): void
  /** The source gave an answer that a collector did not believe. */
  refused(source: Source, reason: RefusalReason): void
  standing(source: Source): Standing
  /** Milliseconds that our clock is ahead, as most upstreams agree; 0 where they agree with it. */
  clockAhead(): number
  /** A clock of ours has jumped: what was known of the upstreams' clocks is over. */
  clockJumped(): void
  /** What has to be published since this was last asked. */
  changes(): Change[]
  /** The last failure of each source that has failed since this was last asked. */
  errors(): UpstreamError[]
}

/** `suspect`: something failed since the last answer, and nothing tells yet whether it is the source. */
export type Standing = 'up' | 'suspect' | 'down'

interface Upstream {
  source: Source
  state: UpstreamState
  /** Operations that were asked so far. */
  asked: Set<string>
  /** Tasks that can ask nobody else. */
  waiting: number
  /** Operations that have failed since the last answer. */
  failing: Set<string>
  /** Since the last answer. */
  failures: number
  /** Undefined while it is up. */
  downSince: Moment | undefined
  /** Its chains that have not finished bootstrapping, by id or alias, and since when stakewatch knows. */
  notReady: Map<string, Moment>
}

/** No outcomes of a request: defects, whether an answer is believed, and why a request was not sent. */
const notOutcomes = [
  // Only when the process ends, and nobody counts after that.
  'aborted',
  'config',
  'bug',
  'stale_response',
  'implausible_response',
  'circuit_open',
  'over_budget',
  'busy',
  'paused',
]
const codes = Object.keys(errorCodes).filter((code) => !notOutcomes.includes(code))

/** What a request may end with: only nodes speak JSON-RPC, and not everything that is asked for can be missing. */
function codesOf({ service, notFound }: Operation): string[] {
  const never = [...(service === 'node' ? [] : ['rpc_error', 'not_ready']), ...(notFound ? [] : ['not_found'])]
  return ['ok', ...codes.filter((code) => !never.includes(code))]
}

/** A chain's own interface on a node. */
const CHAIN = /^\/ext\/bc\/([^/]+)/

/** Failures without an answer in between. */
const IN_A_ROW = 3

const keyOf = ({ network, name }: Source) => `upstream:${network}/${name}`

export function observeUpstreams(tasks: readonly Task[], log: Logger, { now }: Pick<Clock, 'now'>): Upstreams {
  const upstreams = new Map<string, Upstream>()
  /** Also of sources that are gone. */
  const changed = new Set<string>()
  /** The last one of each source that failed since they were last asked for. */
  const errors = new Map<string, UpstreamError>()

  function open(source: Source, tasks: readonly Task[]): Upstream {
    const key = keyOf(source)
    const asking = tasks.filter(({ sources }) => sources.some((one) => keyOf(one) === key))
    const operations = asking.flatMap(({ collector }) =>
      collector.uses.filter(({ service }) => service === source.service),
    )
    const waiting = asking.filter(
      ({ sources }) => sources.filter(({ service }) => service === source.service).length === 1,
    )
    const state = noRequests([...new Set(operations)].map((one) => ({ operation: one.name, codes: codesOf(one) })))
    return {
      source,
      state,
      asked: new Set(),
      waiting: waiting.length,
      failing: new Set(),
      failures: 0,
      downSince: undefined,
      notReady: new Map(),
    }
  }

  function replan(tasks: readonly Task[]): void {
    const sources = new Map(tasks.flatMap(({ sources: asked }) => asked.map((one) => [keyOf(one), one] as const)))
    for (const key of upstreams.keys()) {
      if (sources.has(key)) continue
      upstreams.delete(key)
      changed.add(key)
    }
    for (const [key, source] of sources) {
      const next = open(source, tasks)
      const before = upstreams.get(key)
      upstreams.set(key, before ? continued(before, next) : next)
      changed.add(key)
    }
  }

  function failed(upstream: Upstream, { operation, code, reason, details }: CallReport): void {
    const { source, failing, asked, waiting } = upstream
    const { network, name } = source
    failing.add(operation)
    upstream.failures += 1
    errors.set(keyOf(source), { network, source: name, operation, code, reason, at: now().wall })
    if (upstream.downSince !== undefined) return
    // One method that hangs while the others answer is not the source. A connection that cannot be made is, and so are failures in
    // a row: of a service that is asked for little, the other methods may not be due for an hour.
    const isOne = failing.size < Math.min(2, asked.size) && upstream.failures < IN_A_ROW
    // A node answers for each chain by itself; what a service says first is all there is for a while.
    if (source.service !== 'node') upstream.state.up = false
    if (code !== 'network' && isOne) return
    upstream.downSince = now()
    upstream.state.up = false
    log.warn({ network, source: name, code, reason, details, tasks: waiting }, 'source is down')
  }

  function answered(upstream: Upstream): void {
    const { source, failing, downSince } = upstream
    failing.clear()
    upstream.failures = 0
    upstream.state.up = true
    if (downSince === undefined) return
    upstream.downSince = undefined
    const seconds = Math.round(ageOf(downSince, now()) / 1_000)
    log.info({ network: source.network, source: source.name, seconds }, 'source is back')
  }

  /** One line when a chain bootstraps and one when it has finished. The P-Chain comes first and stands for all. */
  function noteReadiness({ source: { network, name }, notReady }: Upstream, { path, code, reason }: CallReport): void {
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

  replan(tasks)

  return {
    replan,
    report(call) {
      const key = keyOf(call.source)
      const upstream = upstreams.get(key)
      if (!upstream) return
      countRequests(upstream.state, call)
      const { clockAhead: ahead } = call
      if (ahead !== undefined) upstream.state.clock = noted(upstream.state.clock, { ahead, at: now().steady })
      changed.add(key)
      if (call.sent.length === 0) return
      upstream.asked.add(call.operation)
      if (isAnswered(call.code)) {
        answered(upstream)
        noteReadiness(upstream, call)
      } else if (call.code !== 'aborted') failed(upstream, call)
    },
    refused(source, reason) {
      const key = keyOf(source)
      const upstream = upstreams.get(key)
      if (!upstream) return
      upstream.state.refused[reason] += 1
      changed.add(key)
    },
    standing(source) {
      const { downSince, failing } = upstreams.get(keyOf(source))!
      return downSince !== undefined ? 'down' : failing.size > 0 ? 'suspect' : 'up'
    },
    clockAhead: () =>
      ownError([...upstreams.values()].flatMap(({ state }) => medianAhead(state.clock, now().steady) ?? [])),
    clockJumped() {
      for (const [key, { state }] of upstreams) {
        state.clock = []
        changed.add(key)
      }
    },
    changes() {
      const messages = [...changed].map((key): Change => {
        const upstream = upstreams.get(key)
        if (!upstream) return { kind: 'drop', keys: [key] }
        const { source, state } = upstream
        const families = renderFamilies(
          upstreamSamples({ network: source.network, source: source.name }, state, now().steady),
        )
        return { kind: 'publish', key, families, expiresAt: NEVER }
      })
      changed.clear()
      return messages
    },
    errors() {
      const failures = [...errors.values()]
      errors.clear()
      return failures
    },
  }
}

/** What was counted of a source goes on; of operations that nobody asks for any more nothing is told. */
function continued(before: Upstream, next: Upstream): Upstream {
  const { requests } = before.state
  const known = [...next.state.requests].map(([key, pair]) => [key, requests.get(key) ?? pair] as const)
  const operations = new Set(Array.from(next.state.requests.values(), ({ operation }) => operation))
  const kept = (names: ReadonlySet<string>) => new Set([...names].filter((name) => operations.has(name)))
  return {
    ...before,
    source: next.source,
    waiting: next.waiting,
    state: { ...before.state, requests: new Map(known) },
    asked: kept(before.asked),
    failing: kept(before.failing),
  }
}
