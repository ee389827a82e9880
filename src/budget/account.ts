// What an upstream allows us to ask, in request units: an account, out of which every request is paid when it is sent.
// What matters most is asked first, and a part of the day is reserved for it.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { type HttpAnswer, isSuccess } from '../upstream/http.ts'
import { createQueue, type Obstacle } from './queue.ts'
import { type Paid, type Pass, type Payer, type Payment, ranks } from '../upstream/payment.ts'
import { LONGEST_OF_NODES, waitFor } from '../upstream/retry-after.ts'
import type { Saved, Spending } from './spending.ts'

export interface Limits {
  perMinute: number
  perDay: number
  /** Units that may be spent of the day at once; the rest comes evenly. */
  burst: number
}

type Period = 'minute' | 'day'

export interface Account extends Payer {
  /** Lets a run begin when a connection is free and there is room for its likely cost, or at `latest` (steady clock). */
  begin(units: number, pass: Pass, latest: number, signal: AbortSignal): Promise<void>
  /** From now on this is allowed; what was spent stays spent. */
  limit(given: Pick<AccountOptions, 'limits' | 'isConfigured'>): void
  /** Units a minute that can be spent for long, as things are. */
  allowed(): number
  /** Undefined where nothing is limited. */
  budget(period: Period): { units: number; remaining: number } | undefined
  /** Why nothing is asked of the upstream for some minutes: it refused who asks. */
  refusal(): string | undefined
}

export interface AccountOptions {
  clock: Clock
  limits: Limits
  /** By the operator; else the limits follow from the plan, and hold only for what is planned. */
  isConfigured: boolean
  spending: Spending
  /** A service refuses whoever asks with the wrong key; a node has none, and something before it may keep a path closed. */
  isService: boolean
  /** Said once when the upstream refuses who asks. */
  refused: (reason: string) => void
  /** Units that are kept for reserved runs: of one round of them, and of a day. */
  reserve: () => { round: number; day: number }
}

/** Requests in flight, each on a connection of its own. */
const CONNECTIONS = 8
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A run waits for what was promised to others, which may come back at any time (milliseconds). */
const AGAIN = 60_000
/** A run that has not asked within this time asks another upstream first, or waits for a lock (milliseconds). */
const A_MOMENT = 1_000
/** Of a day at most, for reserved runs: the others go on. */
const MOST_RESERVED = 1 / 2
/** A rate that was halved too often still finds out when it may grow. */
const LEAST_RATE = 1 / 16
/** Part of the whole rate by which it grows in a minute without a refusal. */
const GROWTH = 0.1
/** After HTTP 401 or 403 (milliseconds). */
const REFUSED_FOR = 10 * MINUTE
/** Of the minute, for one run: it begins when there is room for so much of it. */
const SHARE = 1 / 4

export function createAccount(options: AccountOptions): Account {
  const { clock, spending, isService, refused, reserve } = options
  let { limits, isConfigured } = options
  const steady = () => clock.now().steady
  const { minute, day } = spending
  let inFlight = 0
  let promised = 0
  let starting = 0
  /** Of the limit of a minute, since when. */
  let rate = { part: 1, since: steady() }
  let pausedUntil = -Infinity
  /** Whether it has ever answered, and whether it has forbidden something since it last did. */
  let isKnown = false
  let isForbidden = false
  let refusal: { reason: string; until: number; isProbed: boolean } | undefined
  /** Of the day: what may be spent at once. */
  let saved: Saved = spending.saved
  const queue = createQueue(clock, () => inFlight === 0)

  const part = (now: number) => Math.min(1, rate.part + ((now - rate.since) / MINUTE) * GROWTH)
  const perMinute = (now: number, units: number) =>
    Math.max(limits.perMinute * part(now), Math.min(units, limits.perMinute))
  /** Spreading a day's budget makes sense where it holds many bursts. */
  const isSpread = () => limits.perDay < Infinity && limits.burst <= limits.perDay / 8
  const perMillisecond = () => (isSpread() ? (limits.perDay - limits.burst) / DAY : Infinity)
  const atOnce = (now: number) =>
    isSpread() ? Math.min(limits.burst, saved.units + (now - saved.at) * perMillisecond()) : Infinity

  function lacking(units: number, isReserved: boolean, now: number): Obstacle | undefined {
    const code = 'over_budget'
    if (units > limits.perMinute || units > limits.perDay) {
      return { until: Infinity, why: `a request of ${units} units is more than the whole budget`, code }
    }
    const most = perMinute(now, units)
    const over = minute.total(now) + units - most
    if (over > 0) {
      return { until: minute.freeAt(over), why: `the budget of ${Math.floor(most)} units a minute is used up`, code }
    }
    const usedUp = `the budget of ${Math.floor(limits.perDay)} units a day is used up`
    const kept = isReserved ? { round: 0, day: 0 } : keptBack()
    const overDay = day.total(now) + units - (limits.perDay - kept.day)
    if (overDay > 0) return { until: day.freeAt(overDay), why: usedUp, code }
    const missing = units + kept.round - atOnce(now)
    if (missing <= 0) return undefined
    return { until: now + missing / perMillisecond(), why: `${usedUp}, as far as its part of now goes`, code }
  }

  /** A day that comes evenly has room for a round at any time; of one that does not, a part is kept. */
  function keptBack(): { round: number; day: number } {
    if (limits.perDay === Infinity || !isConfigured) return { round: 0, day: 0 }
    const wanted = reserve()
    return isSpread()
      ? { round: Math.min(wanted.round, limits.burst * MOST_RESERVED), day: 0 }
      : { round: 0, day: Math.min(wanted.day, limits.perDay * MOST_RESERVED) }
  }

  function obstacleOf({ units, pass }: Payment, now: number): Obstacle | undefined {
    if (now < pausedUntil) {
      return { until: pausedUntil, why: 'the upstream wants to be left alone for a while', code: 'paused' }
    }
    if (inFlight >= CONNECTIONS) return { until: now, why: 'too many requests are in flight', code: 'busy' }
    return pass || isConfigured ? lacking(units, pass?.rank === 'reserved', now) : undefined
  }

  function paid({ units, pass }: Payment): Paid {
    const sentAt = steady()
    saved = { units: atOnce(sentAt) - units, at: sentAt }
    inFlight += 1
    minute.sent(units)
    day.sent(units)
    spending.spent(units, saved)
    if (pass) {
      started(pass)
      keepPromise(pass, units)
    }
    if (refusal) refusal.isProbed = true
    return (outcome, wasSent = true) => {
      const now = steady()
      inFlight -= 1
      const cost = wasSent ? units : 0
      minute.ended(units, cost, now)
      day.ended(units, cost, now)
      if (!wasSent) saved = { units: atOnce(now) + units, at: now }
      learn(outcome, sentAt, now)
      queue.proceed()
    }
  }

  /** The connection that was kept for the first request of the run is in use, or is not needed now. */
  function started(pass: Pass): void {
    const callOff = pass.starting.get(account)
    if (!callOff) return
    callOff()
    pass.starting.delete(account)
    starting -= 1
  }

  function keepPromise(pass: Pass, units: number): void {
    const left = pass.promised.get(account) ?? 0
    const kept = Math.min(left, units)
    promised -= kept
    pass.promised.set(account, left - kept)
    pass.spent.set(account, (pass.spent.get(account) ?? 0) + units)
  }

  function learn(outcome: HttpAnswer | BaseError, sentAt: number, now: number): void {
    if (outcome instanceof BaseError) {
      if (refusal) refusal.isProbed = false
      return
    }
    const { status, headers } = outcome
    if (status === 429 && sentAt >= rate.since) rate = { part: Math.max(LEAST_RATE, part(now) / 2), since: now }
    if (status === 429 || status === 503) {
      const longest = isService ? undefined : LONGEST_OF_NODES
      pausedUntil = Math.max(pausedUntil, now + (waitFor(headers['retry-after'], clock.now().wall, longest) ?? 0))
    }
    if (isService && (status === 401 || status === 403)) refuse(status, now)
    else refusal = undefined
    if (isSuccess(status)) [isKnown, isForbidden] = [true, false]
  }

  function refuse(status: number, now: number): void {
    // A plan may leave out an operation: that one is forbidden, and others are answered in between.
    const isOne = status === 403 && !isForbidden && isKnown
    isForbidden = true
    if (isOne) return
    const reason = `HTTP ${status}`
    if (!refusal) refused(reason)
    refusal = { reason, until: now + REFUSED_FOR, isProbed: false }
  }

  /** Throws while who asks is refused: after ten minutes one request finds out whether that is still so. */
  function checkRefusal(): void {
    if (!refusal || (steady() >= refusal.until && !refusal.isProbed)) return
    throw new BaseError(
      'circuit_open',
      `not asked for ten minutes, as the upstream refuses who asks: ${refusal.reason}`,
    )
  }

  const account: Account = {
    async pay(payment, signal) {
      checkRefusal()
      signal.throwIfAborted()
      let ticket: Paid
      await queue.wait('requests', {
        rank: ranks[payment.pass?.rank ?? 'other'],
        obstacle: (now) => obstacleOf(payment, now),
        take: () => (ticket = paid(payment)),
        signal,
      })
      // Known for good before the upstream knows of it.
      await spending.durable()
      return ticket!
    },
    payNow(payment) {
      const isFree = !refusal && queue.requests() === 0 && spending.hasRoom(payment.units)
      return isFree && !obstacleOf(payment, steady()) ? paid(payment) : undefined
    },
    async begin(units, pass, latest, signal) {
      // It was stopped, or has waited for long enough, in the line of another account.
      if (signal.aborted || steady() >= latest) return
      const share = Math.min(units, limits.perMinute * SHARE)
      const obstacle = (now: number): Obstacle | undefined => {
        const busy = inFlight + queue.requests() + starting >= CONNECTIONS
        if (busy) return { until: now, why: 'too many requests are in flight', code: 'busy' }
        const over = minute.total(now) + promised + share - perMinute(now, share)
        const until = Math.min(minute.freeAt(over), now + AGAIN)
        return over > 0 ? { until, why: 'the budget of a minute is used up', code: 'over_budget' } : undefined
      }
      const take = () => {
        promised += share
        pass.promised.set(account, share)
        starting += 1
        const giveBack = () => {
          started(pass)
          queue.proceed()
        }
        pass.starting.set(account, clock.after(A_MOMENT, giveBack))
      }
      // Without room in time it begins nevertheless, and its requests fail with the reason.
      await queue.wait('runs', { rank: ranks[pass.rank], obstacle, take, signal, latest }).catch(() => {})
    },
    end(pass) {
      promised -= pass.promised.get(account) ?? 0
      pass.promised.delete(account)
      started(pass)
      queue.proceed()
    },
    limit(given) {
      const now = steady()
      const left = atOnce(now)
      const more = Math.max(0, given.limits.burst - limits.burst)
      limits = given.limits
      isConfigured = given.isConfigured
      // What a greater budget allows at once is there at once.
      saved = { units: left < Infinity ? left + more : limits.burst, at: now }
      spending.limit(limits)
      queue.proceed()
    },
    allowed() {
      const now = steady()
      return Math.min(
        limits.perMinute * part(now),
        isSpread() ? perMillisecond() * MINUTE : limits.perDay / (DAY / MINUTE),
      )
    },
    budget(period) {
      const units = period === 'minute' ? limits.perMinute : limits.perDay
      if (units === Infinity) return undefined
      const used = (period === 'minute' ? minute : day).total(steady())
      return { units, remaining: Math.max(0, units - used) }
    },
    refusal: () => refusal?.reason,
  }
  return account
}
