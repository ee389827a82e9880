// Facts about upstreams that several conditions share: whether they answer, and whether stakewatch can query them as it needs to.

import { HOUR, MINUTE } from '../lib/seconds.ts'
import { isForeign, isService, isSilentFor, isStarting, nodesOf, READY_READS, UP, upLately } from './nodes.ts'
import { greatest, growth } from './track.ts'
import type { Remembered, View } from './view.ts'

const REFUSING = 'stakewatch_upstream_refusing'
const UNSENT = 'stakewatch_upstream_requests_unsent_total'
const LIMITED = 'stakewatch_upstream_rate_limited_total'
const REQUESTS = 'stakewatch_upstream_requests_total'
const REFUSED = 'stakewatch_upstream_answers_refused_total'

/** The sum of the metric over its own labels. */
function total(view: View, metric: string): number | undefined {
  const all = view.all(metric)
  return all.length === 0 ? undefined : all.reduce((sum, { value }) => sum + value, 0)
}

/** A counter, noted once a minute. */
const counted = (name: string, read: Remembered['read']): Remembered => ({
  name,
  of: 'node',
  for: HOUR,
  every: MINUTE,
  read,
})

const overBudgetCount = counted('unsent_over_budget', (view) => view.value(UNSENT, { code: 'over_budget' }))
const pausedCount = counted('unsent_paused', (view) => view.value(UNSENT, { code: 'paused' }))
const limitedCount = counted('rate_limited', (view) => view.value(LIMITED))
const requestCount = counted('requests', (view) => total(view, REQUESTS))
const refusedCount = counted('answers_refused', (view) => total(view, REFUSED))
/** 1 while the upstream was down, rejected us or, if it is a node, could not report on its network. */
const unready: Remembered = {
  name: 'upstream_unready',
  of: 'node',
  for: HOUR,
  read: (view) => (isReady(view) && !isRefusing(view) ? 0 : 1),
}

/** The requests that wait for their budget. */
export const OVER_BUDGET_READS = [UNSENT, overBudgetCount]
/** Whether an upstream limits the rate of requests. */
export const RATE_READS = [UNSENT, LIMITED, REQUESTS, pausedCount, limitedCount, requestCount]
/** Whether stakewatch can query it as much as it needs to. */
export const AWAY_READS = [UP, upLately, REFUSING, ...OVER_BUDGET_READS, ...RATE_READS]
export const REFUSED_READS = [REFUSED, refusedCount]
/** Whether an upstream was unavailable within the hour. */
export const UPSTREAM_READS = [...AWAY_READS, ...REFUSED_READS, ...READY_READS, unready]

const grew = (view: View, counter: Remembered, span: number) => growth(view.track(counter), view.now, span) ?? 0

/** It answered no request within five minutes: one failed request is no outage. */
export const isUnanswered = (upstream: View) => isSilentFor(upstream, 5 * MINUTE) === true

/** It rejects our credentials. */
export const isRefusing = (upstream: View) => upstream.value(REFUSING) === 1

/** Requests were not sent because the budget is used up. */
export const isOverBudget = (upstream: View) => grew(upstream, overBudgetCount, 15 * MINUTE) > 0

/** Requests were not sent because the upstream asked for a pause. */
const isPaused = (upstream: View) => grew(upstream, pausedCount, 15 * MINUTE) > 0

/** Share of the requests that it answered with HTTP 429. */
export function limitedShare(upstream: View, span: number): number {
  const requests = grew(upstream, requestCount, span)
  return requests === 0 ? 0 : grew(upstream, limitedCount, span) / requests
}

export const isLimitedWithin = (upstream: View, span: number) =>
  limitedShare(upstream, span) > upstream.limits.rateLimited

/** It answers too often with HTTP 429, or did so within the hour and its pause is not over. */
export const isRateLimited = (upstream: View) =>
  isLimitedWithin(upstream, 15 * MINUTE) || (isLimitedWithin(upstream, HOUR) && isPaused(upstream))

/** Answers that stakewatch has rejected as impossible. */
export const refusals = (upstream: View) => grew(upstream, refusedCount, 5 * MINUTE)

/** It has rejected some, so no collector can use them. */
const isRefused = (upstream: View) => refusals(upstream) > 0

/** It can report: it answers and, if it is a node, belongs to the network and has bootstrapped. */
const isReady = (upstream: View) =>
  !isUnanswered(upstream) && (isService(upstream) || !(isForeign(upstream) || isStarting(upstream)))

/** stakewatch cannot query it as much as it needs to. */
const isAway = (upstream: View) =>
  isUnanswered(upstream) ||
  isRefusing(upstream) ||
  isLimitedWithin(upstream, 15 * MINUTE) ||
  isOverBudget(upstream) ||
  isPaused(upstream)

/** It was unavailable within the last hour: after an outage, hourly collectors need that long to run again. */
export const wasAway = (upstream: View) =>
  greatest(upstream.track(unready), upstream.now, HOUR) === 1 || isOverBudget(upstream) || isRefused(upstream)

/** No node of the network answers. Its consequences have no alerts of their own. */
export function areNodesDown(network: View): boolean {
  const nodes = network.fact(nodesOf)
  return nodes.length > 0 && nodes.every((node) => node.value(UP) === 0)
}

/** None of the nodes of the network is ready, of those there are. */
export function areNodesUnready(network: View): boolean {
  const nodes = network.fact(nodesOf)
  return nodes.length > 0 && nodes.every((node) => !node.fact(isReady))
}

/** One of the nodes of the network cannot be queried as it should be. */
export const isAnyNodeAway = (network: View) => network.fact(nodesOf).some((node) => node.fact(isAway))

/** The data service cannot be queried as it should be. */
export const isDataServiceAway = (network: View) => {
  const service = network.of('node', { source: 'data-api' })
  return service.has(UP) && service.fact(isAway)
}

/** Whether a collector failed in its last run on one of the targets that fit. */
export function isFailing(network: View, isTarget: (target: string) => boolean): boolean {
  for (const run of network.fact(failingRuns)) if (isTarget(run.labels['target']!)) return true
  return false
}
export const FAILING_READS = ['stakewatch_collector_success']

const failingRuns = (network: View): readonly View[] =>
  [...network.every('run')].filter((run) => run.value('stakewatch_collector_success') === 0)

/** Collectors name a chain by its name, with the prefix `chain:` where a subnet may have the same name. */
export const isTargetOfChain = (chain: string) => (target: string) => target === chain || target === `chain:${chain}`
/** Collectors name a wallet by its name, with the prefix `address:` or with the chain as a suffix. */
export const walletOf = (target: string): string | undefined => /^(?:address:)?([^:]+)(?::.+)?$/.exec(target)?.[1]
export const isTargetOfWallet = (wallet: string) => (target: string) => walletOf(target) === wallet

/** When the collector last succeeded with this target: ages are relative to that time, not to now (seconds since the epoch). */
export function lastSuccess(network: View, collector: string, target: string, source = ''): number | undefined {
  return network.of('run', { collector, target, source }).value('stakewatch_collector_last_success_timestamp_seconds')
}
