// What an upstream allows us to ask, in request units: an account of each origin, out of which every request is paid when it
// is sent. What is essential is asked first.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { CONNECTIONS, type HttpAnswer, isSuccess } from './http.ts'
import { waitFor } from './retry-after.ts'
import type { Saved, Spending } from './spending.ts'

export interface Limits {
  perMinute: number
  perDay: number
  /** Units that may be spent of the day at once; the rest comes evenly. */
  burst: number
}

/** What a run brings along: its right of way, and what it was promised when it began. */
export interface Pass {
  isEssential: boolean
  promised: Map<Account, number>
  /** What was paid for it. */
  spent: Map<Account, number>
}

interface Payment {
  units: number
  /** Without one nothing is essential, and only what the operator has configured is a limit. */
  pass?: Pass | undefined
}

/** Has to be told how a request ended that was paid for. */
export type Paid = (outcome: HttpAnswer | BaseError) => void

type Period = 'minute' | 'day'

export interface Account {
  /** Pays for a request as soon as there is room. Throws over_budget when there will be none before `signal`. */
  pay(payment: Payment, signal: AbortSignal): Promise<Paid>
  /** Pays when there is room at once and nobody waits for it. */
  payNow(payment: Payment): Paid | undefined
  /** Lets a run begin when there is room for what it is likely to cost, or at `latest` (on the steady clock). */
  begin(units: number, pass: Pass, latest: number, signal: AbortSignal): Promise<void>
  end(pass: Pass): void
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
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Whoever would have to wait for longer is told so at once (milliseconds). */
const LONG = 90_000
/** A rate that was halved too often still finds out when it may grow. */
const LEAST_RATE = 1 / 16
/** Part of the whole rate by which it grows in a minute without a refusal. */
const GROWTH = 0.1
/** After HTTP 401 or 403 (milliseconds). */
const REFUSED_FOR = 10 * MINUTE
/** Of the minute, for one run: it begins when there is room for so much of it. */
const SHARE = 1 / 4

interface Obstacle {
  /** On the steady clock. */
  until: number
  why: string
}

interface Waiting {
  isEssential: boolean
  obstacle: (now: number) => Obstacle | undefined
  /** Takes what it waited for, so that whoever is next sees what is left. */
  go: () => void
  fail: (why: string) => void
}

export function createAccount(options: AccountOptions): Account {
  const { clock, spending, isService, refused } = options
  let { limits, isConfigured } = options
  const steady = () => clock.now().steady
  const { minute, day } = spending
  let inFlight = 0
  let promised = 0
  /** Of the limit of a minute, since when. */
  let rate = { part: 1, since: steady() }
  let pausedUntil = -Infinity
  /** Whether it has ever answered, and whether it has forbidden something since it last did. */
  let isKnown = false
  let isForbidden = false
  let refusal: { reason: string; until: number; isProbed: boolean } | undefined
  /** Of the day: what may be spent at once. */
  let saved: Saved = spending.saved
  const requests: Waiting[] = []
  const runs: Waiting[] = []
  let callOff = () => {}

  const part = (now: number) => Math.min(1, rate.part + ((now - rate.since) / MINUTE) * GROWTH)
  const perMinute = (now: number, units: number) =>
    Math.max(limits.perMinute * part(now), Math.min(units, limits.perMinute))
  /** Spreading a day's budget makes sense where it holds many bursts. */
  const isSpread = () => limits.perDay < Infinity && limits.burst <= limits.perDay / 8
  const perMillisecond = () => (isSpread() ? (limits.perDay - limits.burst) / DAY : Infinity)
  const atOnce = (now: number) =>
    isSpread() ? Math.min(limits.burst, saved.units + (now - saved.at) * perMillisecond()) : Infinity

  function lacking(units: number, now: number): Obstacle | undefined {
    if (units > limits.perMinute || units > limits.perDay) {
      return { until: Infinity, why: `a request of ${units} units is more than the whole budget` }
    }
    const most = perMinute(now, units)
    const over = minute.total(now) + units - most
    if (over > 0)
      return { until: minute.freeAt(over), why: `the budget of ${Math.floor(most)} units a minute is used up` }
    const overDay = day.total(now) + units - limits.perDay
    const usedUp = `the budget of ${Math.floor(limits.perDay)} units a day is used up`
    if (overDay > 0) return { until: day.freeAt(overDay), why: usedUp }
    const missing = units - atOnce(now)
    if (missing > 0)
      return { until: now + missing / perMillisecond(), why: `${usedUp}, as far as its part of now goes` }
    return undefined
  }

  function obstacleOf({ units, pass }: Payment, now: number): Obstacle | undefined {
    if (now < pausedUntil) return { until: pausedUntil, why: 'the upstream wants to be left alone for a while' }
    if (inFlight >= CONNECTIONS) return { until: now, why: 'too many requests are under way' }
    return pass || isConfigured ? lacking(units, now) : undefined
  }

  function paid({ units, pass }: Payment): Paid {
    const sentAt = steady()
    saved = { units: atOnce(sentAt) - units, at: sentAt }
    inFlight += 1
    minute.sent(units)
    day.sent(units)
    spending.spent(units, saved)
    if (pass) keepPromise(pass, units)
    if (refusal) refusal.isProbed = true
    return (outcome) => {
      const now = steady()
      inFlight -= 1
      minute.ended(units, now)
      day.ended(units, now)
      learn(outcome, sentAt, now)
      proceed()
    }
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
      pausedUntil = Math.max(pausedUntil, now + (waitFor(headers['retry-after'], clock.now().wall) ?? 0))
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

  /** The first that can go, of each line in turn; who would wait for too long goes away. */
  function proceed(): void {
    callOff()
    const now = steady()
    let next = Infinity
    for (const line of [requests, runs]) {
      for (let first = line[0]; first; first = line[0]) {
        const obstacle = first.obstacle(now)
        if (!obstacle) {
          line.shift()
          first.go()
        } else if (obstacle.until - now > LONG && (obstacle.until < Infinity || inFlight === 0)) {
          line.shift()
          first.fail(obstacle.why)
        } else {
          if (obstacle.until > now) next = Math.min(next, obstacle.until)
          break
        }
      }
    }
    if (next < Infinity) callOff = clock.after(Math.ceil(next - now), proceed)
  }

  function wait<T>(
    line: Waiting[],
    { isEssential, obstacle, take }: Pick<Waiting, 'isEssential' | 'obstacle'> & { take: () => T },
    signal: AbortSignal,
    latest = Infinity,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      function over(): void {
        signal.removeEventListener('abort', leave)
        stopTimer()
      }
      const waiting: Waiting = {
        isEssential,
        obstacle,
        go() {
          over()
          resolve(take())
        },
        fail(why) {
          over()
          reject(new BaseError('over_budget', `not asked: ${why}`))
        },
      }
      function leave(): void {
        const at = line.indexOf(waiting)
        // It has gone: a timer that was held up can come late.
        if (at < 0) return
        line.splice(at, 1)
        waiting.fail(obstacle(steady())?.why ?? 'others went first until the run had to end')
        proceed()
      }
      signal.addEventListener('abort', leave, { once: true })
      // Many runs wait at once, and a signal with a deadline of its own would be some kilobytes for each.
      const stopTimer = latest < Infinity ? clock.after(Math.ceil(latest - steady()), leave) : () => {}
      // What is essential goes before what is not, and else who came first.
      const place = isEssential ? line.findIndex((one) => !one.isEssential) : -1
      line.splice(place < 0 ? line.length : place, 0, waiting)
      proceed()
    })
  }

  const account: Account = {
    async pay(payment, signal) {
      checkRefusal()
      signal.throwIfAborted()
      const isEssential = payment.pass?.isEssential ?? false
      const obstacle = (now: number) => obstacleOf(payment, now)
      const ticket = await wait(requests, { isEssential, obstacle, take: () => paid(payment) }, signal)
      // Known for good before the upstream knows of it.
      await spending.durable()
      return ticket
    },
    payNow(payment) {
      const isFree = !refusal && requests.length === 0 && spending.hasRoom(payment.units)
      return isFree && !obstacleOf(payment, steady()) ? paid(payment) : undefined
    },
    async begin(units, pass, latest, signal) {
      // It was stopped, or has waited for long enough, in the line of another account.
      if (signal.aborted || steady() >= latest) return
      const share = Math.min(units, limits.perMinute * SHARE)
      const obstacle = (now: number) => {
        const over = minute.total(now) + promised + share - perMinute(now, share)
        // What was promised may come back at any time.
        return over > 0 ? { until: Math.min(minute.freeAt(over), now + LONG), why: '' } : undefined
      }
      const take = () => {
        promised += share
        pass.promised.set(account, share)
      }
      // Without room in time it begins nevertheless: what it asks for then says so.
      await wait(runs, { isEssential: pass.isEssential, obstacle, take }, signal, latest).catch(() => {})
    },
    end(pass) {
      promised -= pass.promised.get(account) ?? 0
      pass.promised.delete(account)
      proceed()
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
      proceed()
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
