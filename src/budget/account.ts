// What an upstream allows us to ask, in request units: an account that every request is charged to when it is sent. The most
// important requests go first, and a part of the day is reserved for them.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { type HttpAnswer, isSuccess } from '../upstream/http.ts'
import {
  type Settle,
  type Allotment,
  type RequestBudget,
  type Charge,
  type Rank,
  ranks,
} from '../upstream/request-budget.ts'
import { LONGEST_OF_NODES, waitFor } from '../upstream/headers.ts'
import { isPage } from '../upstream/status-words.ts'
import { createQueue, type Obstacle, type Queue } from './queue.ts'
import type { Saved, Spending } from './spending.ts'
import { ALLOWANCE, type UpstreamCost } from './cost.ts'

export interface Account extends RequestBudget {
  /** Lets a run begin when a connection is free and there is room for its likely cost, or at `latest` (steady clock). */
  begin(units: number, allotment: Allotment, latest: number, signal: AbortSignal): Promise<void>
  /** Replaces the limits; what was spent stays spent. */
  limit(given: Pick<AccountOptions, 'limits' | 'isConfigured'>): void
  /** Units a minute that can be spent in the long run. */
  allowed(): number
  /** Undefined where nothing is limited. */
  budget(period: 'minute' | 'day'): { units: number; remaining: number } | undefined
  /** Why requests are paused: the upstream refuses access. Undefined when they are not. */
  refusal(): string | undefined
  /** It is asked with other credentials or in another way: a refusal of before says nothing. */
  forgetRefusal(): void
}

export interface AccountOptions {
  clock: Clock
  limits: Limits
  /** By the operator; otherwise the limits follow from the plan, and hold only for planned runs. */
  isConfigured: boolean
  spending: Spending
  /** A service rejects a wrong key; a node has none, and a proxy in front of it may keep a path closed. */
  isService: boolean
  /** Called once when the upstream refuses access. */
  refused: (reason: string) => void
  /** What runs of the rank leave to those that come before them. */
  kept: (rank: Rank) => Kept
}

/** Requests in flight, each on a connection of its own. */
const CONNECTIONS = 8
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A run waits for units promised to other runs, which may come back at any time (milliseconds). */
const AGAIN = 60_000
/** A run that has not asked within this time asks another upstream first, or waits for a lock (milliseconds). */
const A_MOMENT = 1_000
/** Largest part of what may be spent at once that is kept, so that the others go on. */
const MOST_KEPT = 1 / 2
/** A rate that was halved too often still finds out when it may grow. */
const LEAST_RATE = 1 / 16
/** Part of the whole rate by which it grows in a minute without a refusal. */
const GROWTH = 0.1
/** After HTTP 401 or 403 (milliseconds). */
const REFUSED_FOR = 10 * MINUTE
/** Part of the minute that must be free before a run begins. */
const SHARE = 1 / 4

/** Units of one round of the runs that they are kept for, and of a day. */
export interface Kept {
  round: number
  day: number
}

interface State extends AccountOptions {
  queue: Queue
  inFlight: number
  /** Units promised to runs that have begun. */
  promised: number
  /** Connections kept for the first requests of runs. */
  starting: number
  /** Part of the minute's limit that the upstream accepts, and since when. */
  rate: { part: number; since: number }
  pausedUntil: number
  /** Whether it ever answered, and whether it has sent a 403 since it last did. */
  isKnown: boolean
  isForbidden: boolean
  refusal: { reason: string; until: number; isProbed: boolean } | undefined
  /** Since when it is asked with these credentials. */
  changedAt: number
  saved: Saved
}

export function createAccount(options: AccountOptions): Account {
  const { clock, spending } = options
  const steady = () => clock.now().steady
  const state: State = {
    ...options,
    queue: createQueue(clock, () => state.inFlight === 0),
    inFlight: 0,
    promised: 0,
    starting: 0,
    rate: { part: 1, since: steady() },
    pausedUntil: -Infinity,
    isKnown: false,
    isForbidden: false,
    refusal: undefined,
    changedAt: -Infinity,
    saved: spending.saved,
  }
  const account: Account = {
    async pay(charge, signal) {
      checkRefusal(state, steady())
      signal.throwIfAborted()
      let ticket: Settle
      await state.queue.wait('requests', {
        rank: ranks[charge.allotment?.rank ?? 'other'],
        obstacle: (now) => obstacleOf(state, charge, now),
        take: () => (ticket = spend(state, charge, account)),
        signal,
      })
      // The charge is durable before the upstream sees the request.
      await spending.durable()
      return ticket!
    },
    payNow(charge) {
      const isFree = !state.refusal && state.queue.requests() === 0 && spending.hasRoom(charge.units)
      return isFree && !obstacleOf(state, charge, steady()) ? spend(state, charge, account) : undefined
    },
    async begin(units, allotment, latest, signal) {
      // The run was stopped, or waited long enough, in the queue of another account.
      if (signal.aborted || steady() >= latest) return
      const share = Math.min(units, state.limits.perMinute * SHARE)
      const obstacle = (now: number) => obstacleToBegin(state, share, now)
      const take = () => promiseUnits(state, share, allotment, account)
      // Without room in time it begins nevertheless, and its requests fail with the reason.
      await state.queue.wait('runs', { rank: ranks[allotment.rank], obstacle, take, signal, latest }).catch(() => {})
    },
    end(allotment) {
      const claim = allotment.claims.get(account)
      state.promised -= claim?.promised ?? 0
      claim?.release()
      allotment.claims.delete(account)
      state.queue.proceed()
    },
    limit: (given) => replaceLimits(state, given),
    allowed() {
      const { limits } = state
      const perMinuteOfDay = isSpread(limits) ? perMillisecond(limits) * MINUTE : limits.perDay / (DAY / MINUTE)
      return Math.min(limits.perMinute * acceptedRate(state, steady()), perMinuteOfDay)
    },
    budget(period) {
      const units = period === 'minute' ? state.limits.perMinute : state.limits.perDay
      if (units === Infinity) return undefined
      return { units, remaining: Math.max(0, units - spending[period].total(steady())) }
    },
    refusal: () => state.refusal?.reason,
    forgetRefusal: () => void Object.assign(state, { refusal: undefined, isForbidden: false, changedAt: steady() }),
  }
  return account
}

function replaceLimits(state: State, given: Pick<State, 'limits' | 'isConfigured'>): void {
  const now = state.clock.now().steady
  const left = availableNow(state, now)
  const more = Math.max(0, given.limits.burst - state.limits.burst)
  Object.assign(state, given)
  // What a greater budget allows at once is there at once.
  state.saved = { units: left < Infinity ? left + more : given.limits.burst, at: now }
  state.spending.limit(given.limits)
  state.queue.proceed()
}

function acceptedRate({ rate }: State, now: number): number {
  return Math.min(1, rate.part + ((now - rate.since) / MINUTE) * GROWTH)
}

function unitsPerMinute(state: State, now: number, units: number): number {
  const { perMinute } = state.limits
  return Math.max(perMinute * acceptedRate(state, now), Math.min(units, perMinute))
}

/** Units of the day that may be spent at once. */
function availableNow({ limits, saved }: State, now: number): number {
  if (!isSpread(limits)) return Infinity
  return Math.min(limits.burst, saved.units + (now - saved.at) * perMillisecond(limits))
}

function obstacleOf(state: State, { units, allotment }: Charge, now: number): Obstacle | undefined {
  const { pausedUntil, inFlight, isConfigured } = state
  if (now < pausedUntil) return { until: pausedUntil, why: 'the upstream asked for a pause', code: 'paused' }
  if (inFlight >= CONNECTIONS) return { until: now, why: 'too many requests are in flight', code: 'busy' }
  return allotment || isConfigured ? shortageOf(state, units, allotment?.rank ?? 'other', now) : undefined
}

function shortageOf(state: State, units: number, rank: Rank, now: number): Obstacle | undefined {
  const { limits, spending } = state
  const code = 'over_budget'
  if (units > limits.perMinute || units > limits.perDay) {
    return { until: Infinity, why: `a request of ${units} units is more than the whole budget`, code }
  }
  const most = unitsPerMinute(state, now, units)
  const over = spending.minute.total(now) + units - most
  const why = `the budget of ${Math.floor(most)} units a minute is used up`
  if (over > 0) return { until: spending.minute.freeAt(over), why, code }
  const usedUp = `the budget of ${Math.floor(limits.perDay)} units a day is used up`
  const kept = keptFrom(state, rank)
  const overDay = spending.day.total(now) + units - (limits.perDay - kept.day)
  if (overDay > 0) return { until: spending.day.freeAt(overDay), why: usedUp, code }
  const missing = units + kept.round - availableNow(state, now)
  if (missing <= 0) return undefined
  return { until: now + missing / perMillisecond(limits), why: `${usedUp} up to this time of the day`, code }
}

/** A day that comes evenly has room for a round at any time; of one that does not, a part is kept. */
function keptFrom({ limits, isConfigured, kept }: State, rank: Rank): Kept {
  if (limits.perDay === Infinity || !isConfigured) return { round: 0, day: 0 }
  const { round, day } = kept(rank)
  return isSpread(limits) ? { round: Math.min(round, limits.burst * MOST_KEPT), day: 0 } : { round: 0, day }
}

function obstacleToBegin(state: State, share: number, now: number): Obstacle | undefined {
  const { queue, inFlight, starting, promised, spending } = state
  const isBusy = inFlight + queue.requests() + starting >= CONNECTIONS
  if (isBusy) return { until: now, why: 'too many requests are in flight', code: 'busy' }
  const over = spending.minute.total(now) + promised + share - unitsPerMinute(state, now, share)
  const until = Math.min(spending.minute.freeAt(over), now + AGAIN)
  return over > 0 ? { until, why: 'the budget of a minute is used up', code: 'over_budget' } : undefined
}

/** Keeps units and a connection for the first request of a run. */
function promiseUnits(state: State, units: number, allotment: Allotment, payer: RequestBudget): void {
  state.promised += units
  state.starting += 1
  let isKept = true
  const release = () => {
    callOff()
    if (isKept) state.starting -= 1
    isKept = false
  }
  const callOff = state.clock.after(A_MOMENT, () => {
    release()
    state.queue.proceed()
  })
  allotment.claims.set(payer, { promised: units, spent: 0, release })
}

function spend(state: State, { units, allotment }: Charge, payer: RequestBudget): Settle {
  const { clock, spending } = state
  const sentAt = clock.now().steady
  state.saved = { units: availableNow(state, sentAt) - units, at: sentAt }
  state.inFlight += 1
  spending.minute.sent(units)
  spending.day.sent(units)
  spending.spent(units, state.saved)
  if (allotment) redeem(state, allotment, units, payer)
  if (state.refusal) state.refusal.isProbed = true
  return (outcome, wasSent = true) => {
    const now = clock.now().steady
    state.inFlight -= 1
    const cost = wasSent ? units : 0
    spending.minute.ended(units, cost, now)
    spending.day.ended(units, cost, now)
    if (!wasSent) state.saved = { units: availableNow(state, now) + units, at: now }
    learnFrom(state, outcome, sentAt, now)
    state.queue.proceed()
  }
}

/** The run has sent a request: it uses what it was promised. */
function redeem(state: State, allotment: Allotment, units: number, payer: RequestBudget): void {
  const claim = entryOf(allotment.claims, payer, () => ({ promised: 0, spent: 0, release: () => {} }))
  claim.release()
  const used = Math.min(claim.promised, units)
  state.promised -= used
  claim.promised -= used
  claim.spent += units
}

function learnFrom(state: State, outcome: HttpAnswer | BaseError, sentAt: number, now: number): void {
  if (outcome instanceof BaseError) {
    if (state.refusal) state.refusal.isProbed = false
    return
  }
  const { status, headers, proxy } = outcome
  if (status === 429 && sentAt >= state.rate.since) {
    state.rate = { part: Math.max(LEAST_RATE, acceptedRate(state, now) / 2), since: now }
  }
  if (status === 429 || status === 503) {
    const longest = state.isService ? undefined : LONGEST_OF_NODES
    const wait = waitFor(headers, state.clock.now().wall, longest) ?? 0
    state.pausedUntil = Math.max(state.pausedUntil, now + wait)
  }
  // Behind a proxy that passes requests on, a 403 may be the proxy's. A page comes from something in front of the upstream.
  const isRefusal = (status === 401 || (status === 403 && !proxy)) && !isPage(outcome)
  if (state.isService && isRefusal && sentAt >= state.changedAt) noteRefusal(state, status, now)
  else state.refusal = undefined
  if (isSuccess(status)) [state.isKnown, state.isForbidden] = [true, false]
}

function noteRefusal(state: State, status: number, now: number): void {
  // A plan may leave out one operation: that one is forbidden while others are answered in between.
  const isOne = status === 403 && !state.isForbidden && state.isKnown
  state.isForbidden = true
  if (isOne) return
  const reason = `HTTP ${status}`
  if (!state.refusal) state.refused(reason)
  state.refusal = { reason, until: now + REFUSED_FOR, isProbed: false }
}

/** Throws while requests are paused: after ten minutes one request finds out whether the key is accepted now. */
function checkRefusal({ refusal }: State, now: number): void {
  if (!refusal || (now >= refusal.until && !refusal.isProbed)) return
  throw new BaseError('circuit_open', `paused for ten minutes: the upstream refuses access (${refusal.reason})`)
}

export interface Limits {
  perMinute: number
  perDay: number
  /** Units of the day that may be spent at once; the rest comes evenly. */
  burst: number
}

/** Upstreams that share an account: what they cost together, and the smallest of their budgets. */
export function limitsOf(costs: readonly UpstreamCost[] = []): { isConfigured: boolean; limits: Limits } {
  const none = { perMinute: Infinity, perDay: Infinity, burst: Infinity }
  if (costs.length === 0) return { isConfigured: false, limits: none }
  const sum = (of: 'perMinute' | 'perDay' | 'atOnce') => costs.reduce((all, cost) => all + cost[of], 0)
  const least = (of: 'per_minute' | 'per_day') => Math.min(...costs.map(({ budget }) => budget[of] ?? Infinity))
  const [perMinute, perDay] = [least('per_minute'), least('per_day')]
  const isConfigured = perMinute < Infinity || perDay < Infinity
  const limits = {
    // A start runs every task once, on top of what each minute takes.
    perMinute: perMinute < Infinity ? perMinute : Math.floor(ALLOWANCE * (sum('perMinute') + sum('atOnce'))),
    perDay: perDay < Infinity ? perDay : Math.floor(ALLOWANCE * sum('perDay')),
  }
  return { isConfigured, limits: { ...limits, burst: Math.max(limits.perDay / 24, sum('atOnce')) } }
}

/** Spreading a day's budget makes sense where it holds many bursts. */
const isSpread = ({ perDay, burst }: Limits) => perDay < Infinity && burst <= perDay / 8

const perMillisecond = (limits: Limits) => (isSpread(limits) ? (limits.perDay - limits.burst) / DAY : Infinity)
