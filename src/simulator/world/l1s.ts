// L1s: their validators pay by the second out of a balance and go inactive when it is used up.

import { createFeeMarket, excessAt, type FeeMarket } from './fee-market.ts'
import { ACCRUED, type L1, l1, type L1Validator } from './l1.ts'
import { keepSince, lose, lostFor, regain, unseen, type View } from './views.ts'

type Newcomer = Pick<L1Validator, 'validationId' | 'nodeId' | 'publicKey' | 'owner' | 'weight'> & { balance: number }

export interface L1s {
  all: readonly L1[]
  market: FeeMarket
  /** Every validator that cannot pay the second after this one goes inactive, if it has not before. */
  settle(to: number): void
  find(validationId: string): L1Validator | undefined
  /** The one that it validates. */
  ofValidation(validationId: string): L1 | undefined
  /** A new subnet, permissioned and without a chain or a validator. */
  found(name: string, evmChainId: number): L1
  /** Smallest unit; 0 when inactive. At any time since the last top-up. */
  balance(validator: L1Validator, at: number): number
  topUp(validationId: string, amount: number, at: number): void
  register(l1: L1, newcomer: Newcomer, at: number): L1Validator
  /** With a weight of 0 it leaves for good. Gives what is left of its balance then. */
  setWeight(validationId: string, weight: bigint, at: number): number
  /** It stays, without a balance. Gives what was left of it. */
  disable(validationId: string, at: number): number
  /** Whether the node validates any of them. */
  isMember(nodeId: string): boolean
  /** The view that a node has of a validator. */
  viewOf(validator: Pick<L1Validator, 'views'>, observer: string): View
  /** Takes effect at the time given, in the eyes of these observers; `reason` names the outage so that it can be ended. */
  disconnect(nodeId: string, reason: string, at: number, observers: readonly string[]): void
  reconnect(nodeId: string, reason: string, at: number): void
  /** Sets the seconds that were lost since the start of the node's validations. */
  setLost(nodeId: string, seconds: number, observers: readonly string[]): void
  /** Without a top-up the balance is used up `seconds` from now. Returns false where it is used up already. */
  setBalance(validator: L1Validator, seconds: number, at: number): boolean
  /** Drops the outages that ended before that time. */
  keepSince(time: number): void
  /** The price of a second, from then on: it falls again while there are fewer validators than the target. */
  setPrice(price: number, at: number): void
  /** Validators of other L1s come (or go, below 0). */
  join(count: number, at: number): void
}

export interface L1sOptions {
  seed: number
  begin: number
  /** Active validators of L1s that are not simulated one by one. */
  others: number
  target: number
  excessConstant: number
  minPrice: number
}

/** The L1s of the beginning: how many days the balance of each validator lasts. */
const FIRST = [
  { name: 'orchard', evmChainId: 43_214, days: [20, 30, 40, 50, 60, 70, 80, 90], legacy: 0 },
  { name: 'harbour', evmChainId: 43_215, days: [40, 50, 60, 75, 90], legacy: 3 },
  // No balance is topped up here: the first is used up after half an hour, the next after 72 minutes.
  { name: 'lantern', evmChainId: 43_216, days: [0.02, 0.05, 2, 6], legacy: 0 },
  // Here validators come and go, and are topped up in time or too late.
  { name: 'meadow', evmChainId: 43_217, days: [0.3, 1, 30, 45], legacy: 0 },
]

interface State {
  all: L1[]
  market: FeeMarket
  settled: number
}

export function createL1s({ seed, begin, others, target, excessConstant, minPrice }: L1sOptions): L1s {
  const all = FIRST.map((one) => l1({ seed, begin, minPrice, ...one }))
  const active = others + all.flatMap(({ validators }) => validators).length
  const market = createFeeMarket({ begin, accrued: ACCRUED, active, target, excessConstant, minPrice })
  const state: State = { all, market, settled: begin }
  return {
    all,
    market,
    ...createViews(all),
    settle: (to) => settle(state, to),
    find: (validationId) => find(all, validationId),
    ofValidation: (validationId) => ofValidation(all, validationId),
    balance: (validator, at) => balanceOf(market, validator, at),
    setBalance(validator, seconds, at) {
      settle(state, at)
      if (validator.inactiveSince !== undefined) return false
      validator.paidUntil = market.at(at + seconds).accrued
      return true
    },
    found(name, evmChainId) {
      const one = { ...l1({ seed, begin, minPrice, name, evmChainId, days: [], legacy: 0 }), hasChain: false }
      all.push(one)
      return one
    },
    topUp: (validationId, amount, at) => topUp(state, validationId, amount, at),
    register(l1, { balance, ...newcomer }, at) {
      settle(state, at)
      changeActive(market, 1, at)
      const paidUntil = market.at(at).accrued + balance
      const validator = { ...newcomer, start: at, minNonce: 0, paidUntil, inactiveSince: undefined, views: new Map() }
      l1.validators.push(validator)
      return validator
    },
    setWeight(validationId, weight, at) {
      const l1 = ofValidation(all, validationId)
      const validator = find(all, validationId)
      if (!l1 || !validator) return 0
      validator.weight = weight
      validator.minNonce += 1
      if (weight > 0n) return 0
      const left = stop(state, validator, at)
      l1.validators = l1.validators.filter((one) => one !== validator)
      return left
    },
    disable(validationId, at) {
      const validator = find(all, validationId)
      return validator ? stop(state, validator, at) : 0
    },
    setPrice(price, at) {
      settle(state, at)
      market.change(at, { excess: excessAt(price, market.at(at), excessConstant) })
    },
    join(count, at) {
      settle(state, at)
      changeActive(market, count, at)
    },
  }
}

/** What nodes see of the validators. */
function createViews(all: readonly L1[]) {
  const named = (nodeId: string) =>
    all.flatMap(({ validators, legacy }) => [...validators, ...legacy]).filter((one) => one.nodeId === nodeId)
  function viewOf({ views }: Pick<L1Validator, 'views'>, observer: string): View {
    let view = views.get(observer)
    if (!view) views.set(observer, (view = unseen()))
    return view
  }
  return {
    viewOf,
    isMember: (nodeId) => named(nodeId).length > 0,
    disconnect(nodeId, reason, at, observers) {
      // A node takes itself to be connected always.
      const others = observers.filter((observer) => observer !== nodeId)
      for (const one of named(nodeId)) for (const observer of others) lose(viewOf(one, observer), reason, at)
    },
    reconnect(nodeId, reason, at) {
      for (const { views } of named(nodeId)) for (const view of views.values()) regain(view, reason, at)
    },
    setLost(nodeId, seconds, observers) {
      for (const one of named(nodeId))
        for (const observer of observers) Object.assign(viewOf(one, observer), lostFor(seconds))
    },
    keepSince(time) {
      for (const { validators, legacy } of all) {
        for (const { views } of [...validators, ...legacy]) for (const view of views.values()) keepSince(view, time)
      }
    },
  } satisfies Partial<L1s>
}

const changeActive = (market: FeeMarket, by: number, at: number) =>
  market.change(at, { active: market.at(at).active + by })

const find = (all: readonly L1[], validationId: string) =>
  all.flatMap(({ validators }) => validators).find((one) => one.validationId === validationId)
const ofValidation = (all: readonly L1[], validationId: string) =>
  all.find(({ validators }) => validators.some((one) => one.validationId === validationId))

/** The last time at which the accrued fees are at most `total`. */
function lastSecond(market: FeeMarket, total: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    if (market.at(middle).accrued <= total) low = middle
    else high = middle - 1
  }
  return low
}

function settle(state: State, to: number): void {
  const { all, market } = state
  for (;;) {
    const running = all.flatMap(({ validators }) => validators).filter((one) => one.inactiveSince === undefined)
    const next = running.reduce<L1Validator | undefined>(
      (least, one) => (least === undefined || one.paidUntil < least.paidUntil ? one : least),
      undefined,
    )
    if (!next || market.at(to + 1).accrued <= next.paidUntil) break
    state.settled = lastSecond(market, next.paidUntil, state.settled, to)
    next.inactiveSince = state.settled
    changeActive(market, -1, state.settled)
  }
  state.settled = Math.max(state.settled, to)
}

function balanceOf(market: FeeMarket, { paidUntil, inactiveSince }: L1Validator, at: number): number {
  if (inactiveSince !== undefined && inactiveSince <= at) return 0
  return Math.max(0, paidUntil - market.at(at).accrued)
}

/** The validator pays no more. Returns what is left of its balance. */
function stop(state: State, validator: L1Validator, at: number): number {
  settle(state, at)
  const left = balanceOf(state.market, validator, at)
  if (validator.inactiveSince === undefined) {
    validator.inactiveSince = at
    changeActive(state.market, -1, at)
  }
  return left
}

function topUp(state: State, validationId: string, amount: number, at: number): void {
  settle(state, at)
  const { all, market } = state
  const validator = find(all, validationId)
  if (!validator) return
  if (validator.inactiveSince !== undefined) {
    changeActive(market, 1, at)
    // The time for which it was inactive does not count.
    const from = validator.inactiveSince
    for (const view of validator.views.values()) view.lost += Math.max(from, view.since ?? at) - from
    validator.inactiveSince = undefined
    validator.paidUntil = market.at(at).accrued
  }
  validator.paidUntil += amount
}
