// The primary network's validators: their stakes, their delegations, and what each observer sees of them.

import { addressOf, LETTERS, certificateOf, nodeIdOf } from './ids.ts'
import { firstValidation, pastUptime } from './first-validations.ts'
import { numberedId, type Random, random } from './random.ts'
import type { Queue } from './event-queue.ts'
import { type Delegation, feeOf, signerOf, type Stake, type Validator, wholeStake } from './stakes.ts'
import { keepSince, lose, lostFor, recordAt, regain, unseen, uptimeOf } from './views.ts'

/** A stake has ended and its owner stakes again, at the same second. */
export interface Restaking {
  ended: Stake
  /** The validator that it was for. */
  of: Validator
  isRewarded: boolean
  next: Validator | Delegation
  /** The validator that the next one is for. */
  to: Validator
}

export interface Validators {
  all: ReadonlyMap<string, Validator>
  /** Node ids of those that are asked. */
  observers: readonly string[]
  /** Takes effect at the time given; `reason` names the outage so that it can be ended. */
  disconnect(nodeId: string, reason: string, at: number, observers?: readonly string[]): void
  reconnect(nodeId: string, reason: string, at: number): void
  /**
   * Begins a validation, which ends for good unless it renews itself. The node must not validate already. Its certificate follows
   * from the name.
   */
  join(newcomer: Newcomer, at: number, name?: string): Validator
  /** It ends with the validation at the latest. */
  delegate(to: Validator, delegation: Pick<Delegation, 'weight' | 'owner' | 'end'>, at: number): Delegation
  /** The stake ends then, and delegations with it at the latest. */
  endAt(validator: Validator, end: number, isLast: boolean): void
  /** The stake ends now, and goes on to its former end with another owner or another key. */
  remake(validator: Validator, change: Partial<Pick<Validator, 'owner' | 'signer'>>, at: number): void
  /** Its owner has less than it was to be, for itself or as a delegation to it. */
  shrink(to: Validator, stake: Stake, weight: bigint, at: number): void
  /** Sets the seconds that were lost since the start of the validation. */
  setLost(nodeId: string, seconds: number, observers: readonly string[]): void
  /** Makes an observer forget what it saw after `since`. With a new `name` it forgets everything. */
  forget(observer: string, since: number, at: number, name?: string): void
  /** What each weighed in consensus before that time, as far as it is kept. Those of the beginning count from it on. */
  weightsBefore(time: number): ReadonlyMap<string, bigint>
  /** Of a node whose name is known. */
  certificateOf(nodeId: string): Buffer | undefined
  /** Drops the outages that ended, and the changes of weight that happened, before that time. */
  keepSince(time: number): void
}

/** Own or delegated stake that came or, below 0, went. */
interface WeightChange {
  nodeId: string
  by: bigint
  at: number
}

type Newcomer = Pick<Validator, 'nodeId' | 'end' | 'weight' | 'reward' | 'owner' | 'fee' | 'renewal'>

/** A stake has ended and is not staked again. */
export type Leaving = Pick<Restaking, 'ended' | 'of' | 'isRewarded'>

export interface ValidatorsOptions {
  seed: number
  count: number
  delegations: number
  /** Nodes that will be asked: their own validators are the first of the set. */
  observers: number
  queue: Queue
  begin: number
  /** From this time on a validation needs more uptime to be rewarded. */
  upgrade: number
  /** A reward is promised: the tokens that there can be grow by it. Or, below 0, one is not paid. */
  mint: (reward: bigint, at: number) => void
  restaked: (change: Restaking) => void
  left?: (change: Leaving) => void
  /** A stake ends at another time than it was to. */
  moved?: (stake: Stake) => void
}

interface State extends Omit<ValidatorsOptions, 'observers' | 'delegations'> {
  all: Map<string, Validator>
  /** The node ids of the beginning: delegations choose among them. */
  ids: readonly string[]
  observers: string[]
  /** In order of time, from the beginning of the world on. */
  changes: WeightChange[]
  /** How many there have been. */
  stakes: number
  delegators: number
}

const DAY = 86_400
const WEEK = 7 * DAY
const TOKEN = 1_000_000_000n
const MILLION = 1_000_000n

export function createValidators({ observers, delegations, ...options }: ValidatorsOptions): Validators {
  const names = Array.from({ length: options.count }, (_, at) => `${options.seed}/node/${at}`)
  const ids = names.map(nodeIdOf)
  const nameOf = new Map(ids.map((nodeId, at) => [nodeId, names[at]!]))
  const all = new Map<string, Validator>()
  const own = { all, ids, observers: ids.slice(0, observers), changes: [], stakes: 0, delegators: delegations }
  const state: State = { ...options, ...own }
  ids.forEach((nodeId, at) => addFirst(state, nodeId, at))
  for (let delegator = 0; delegator < delegations; delegator += 1) addFirstDelegation(state, delegator)
  return {
    all,
    observers: state.observers,
    disconnect(nodeId, reason, at, seenBy = state.observers) {
      for (const observer of seenBy) {
        // A node takes itself to be connected always.
        if (observer === nodeId) continue
        const view = all.get(nodeId)?.views.get(observer)
        if (view) lose(view, reason, at)
      }
    },
    reconnect(nodeId, reason, at) {
      for (const view of all.get(nodeId)?.views.values() ?? []) regain(view, reason, at)
    },
    join(newcomer, at, name) {
      if (name !== undefined) nameOf.set(newcomer.nodeId, name)
      return join(state, newcomer, at)
    },
    delegate(to, { weight, owner, end: wanted }, start) {
      const end = Math.min(wanted, to.end)
      // Half a percent for any time, which is as much as a delegation can have.
      const reward = weight / 200n
      state.mint(reward, start)
      state.delegators += 1
      const { delegators: delegator } = state
      return follow(state, { txId: nextTxId(state), start, end, weight, reward, owner, delegator }, to)
    },
    endAt(validator, end, isLast) {
      move(state, validator, end)
      validator.isLast = isLast
      awaitEnd(state, validator)
    },
    remake(validator, change, at) {
      const { end } = validator
      move(state, validator, at)
      renew(state, validator, at, { ...change, end })
    },
    shrink(to, stake, weight, at) {
      const isUnderWay = all.get(to.nodeId) === to && (stake === to || to.delegations.some((one) => one === stake))
      if (isUnderWay) weigh(state, to, weight - stake.weight, at)
      stake.weight = weight
    },
    setLost(nodeId, seconds, seenBy) {
      const validator = all.get(nodeId)
      for (const observer of seenBy) if (validator) Object.assign(validator.views.get(observer)!, lostFor(seconds))
    },
    forget: (observer, since, at, name = observer) => forget(state, observer, since, at, name),
    weightsBefore: (time) => weightsBefore(state, time),
    certificateOf(nodeId) {
      const name = nameOf.get(nodeId)
      return name === undefined ? undefined : certificateOf(name)
    },
    keepSince(time) {
      const first = state.changes.findIndex(({ at }) => at >= time)
      state.changes.splice(0, first < 0 ? state.changes.length : first)
      for (const { views } of all.values()) {
        for (const view of views.values()) keepSince(view, time)
      }
    },
  }
}

/** A change at that time comes after what is of that time. */
function weightsBefore({ all, changes }: State, time: number): Map<string, bigint> {
  const weights = new Map([...all.values()].map((one) => [one.nodeId, wholeStake(one)]))
  for (let place = changes.length - 1; place >= 0 && changes[place]!.at >= time; place -= 1) {
    const { nodeId, by } = changes[place]!
    const before = (weights.get(nodeId) ?? 0n) - by
    if (before === 0n) weights.delete(nodeId)
    else weights.set(nodeId, before)
  }
  return weights
}

function weigh({ changes, begin }: State, { nodeId }: Validator, by: bigint, at: number): void {
  if (at > begin) changes.push({ nodeId, by, at })
}

function nextTxId(state: State): string {
  return numberedId((state.stakes += 1), state.seed, 'stake')
}

function addFirst(state: State, nodeId: string, at: number): void {
  const { seed, begin, all, observers } = state
  const validator = firstValidation(seed, nodeId, nextTxId(state), at, begin)
  for (const [position, observer] of observers.entries()) {
    const lost = (1 - pastUptime(seed, at, position, nodeId)) * (begin - validator.start)
    validator.views.set(observer, { ...unseen(), lost: observer === nodeId ? 0 : lost })
  }
  all.set(nodeId, validator)
  awaitEnd(state, validator)
}

function addFirstDelegation(state: State, delegator: number): void {
  const { seed, begin, all, ids } = state
  const validator = all.get(ids[delegator % ids.length]!)!
  const dice = random(seed, 'delegation', delegator)
  const owner = addressOf(random(seed, 'delegator', delegator).bech32(LETTERS))
  const duration = dice.between(DAY, WEEK)
  const elapsed = dice.between(0, duration - 1)
  const [start, end] = [begin - elapsed, begin + duration - elapsed]
  const period = { start: Math.max(validator.start, start), end: Math.min(validator.end, end) }
  delegate(state, validator, { ...period, owner, delegator }, dice)
}

function join(state: State, newcomer: Newcomer, at: number): Validator {
  const validator = {
    ...newcomer,
    isLast: newcomer.renewal === undefined,
    txId: nextTxId(state),
    start: at,
    accrued: 0n,
    compounded: 0n,
    signer: signerOf(`${state.seed}/${newcomer.nodeId}`),
    delegations: [],
    views: new Map(state.observers.map((observer) => [observer, unseen()])),
  }
  state.all.set(newcomer.nodeId, validator)
  weigh(state, validator, validator.weight, at)
  state.mint(validator.reward, at)
  awaitEnd(state, validator)
  return validator
}

/** Most of the observers must have seen the validator often enough since its start. */
function isRewarded({ upgrade }: State, validator: Validator, at: number): boolean {
  const required = validator.start >= upgrade ? 0.9 : 0.8
  const against = [...validator.views.values()].filter((view) => uptimeOf(validator, view, at) < required)
  return against.length * 2 <= validator.views.size
}

/**
 * Ends a validation; the same stake goes on, with a new one or with its next period. One that renews itself leaves when it
 * has lost its reward.
 */
function renew(
  state: State,
  validator: Validator,
  at: number,
  next: Partial<Pick<Validator, 'owner' | 'signer' | 'end'>> = {},
): void {
  const { seed, mint } = state
  const { txId, start, end, weight, reward, owner, renewal, delegations } = validator
  const isGood = isRewarded(state, validator, at)
  if (renewal && (!isGood || renewal.period === 0)) return leave(state, validator, at)
  if (!isGood) mint(-reward, at)
  validator.start = at
  validator.accrued = 0n
  validator.delegations = []
  if (!renewal) {
    validator.txId = nextTxId(state)
    validator.end = at + random(seed, 'renew', validator.nodeId, at).between(14, 365) * DAY
    validator.signer ??= signerOf(`${seed}/${validator.nodeId}`)
    Object.assign(validator, next)
  } else {
    validator.end = at + renewal.period
    const added = (reward * BigInt(renewal.shares)) / MILLION
    validator.compounded += added
    validator.weight += added
    weigh(state, validator, added, at)
    validator.reward = (reward * validator.weight) / weight
  }
  for (const view of validator.views.values()) {
    view.lost = 0
    view.over = []
    view.since = view.since === undefined ? undefined : at
  }
  mint(validator.reward, at)
  awaitEnd(state, validator)
  const ended = { txId, start, end, weight, reward, owner }
  state.restaked({ ended, of: validator, isRewarded: isGood, next: validator, to: validator })
  for (const delegation of delegations) redelegate(state, validator, delegation, isGood)
}

function leave(state: State, validator: Validator, at: number): void {
  const isGood = isRewarded(state, validator, at)
  if (!isGood) state.mint(-validator.reward, at)
  state.all.delete(validator.nodeId)
  weigh(state, validator, -validator.weight, at)
  state.left?.({ ended: validator, of: validator, isRewarded: isGood })
  for (const delegation of validator.delegations) redelegate(state, validator, delegation, isGood)
}

/** A stake whose end was moved meanwhile ends at another time. */
function awaitEnd(state: State, validator: Validator): void {
  const { end, nodeId } = validator
  state.queue.put({
    at: end,
    happen(at) {
      if (state.all.get(nodeId) !== validator || validator.end !== end) return
      if (validator.isLast) leave(state, validator, at)
      else renew(state, validator, at)
    },
  })
}

function move({ moved }: State, validator: Validator, end: number): void {
  validator.end = end
  moved?.(validator)
  for (const delegation of validator.delegations) {
    if (delegation.end <= end) continue
    delegation.end = end
    moved?.(delegation)
  }
}

type Period = Pick<Delegation, 'owner' | 'delegator' | 'start' | 'end'>

function delegate(state: State, to: Validator, period: Period, dice: Random): Delegation {
  const weight = BigInt(dice.between(25, 2_000)) * TOKEN
  const reward = BigInt(dice.between(1, 100)) * (TOKEN / 10n)
  return follow(state, { txId: nextTxId(state), weight, reward, ...period }, to)
}

/** Waits for the end of a new delegation. */
function follow(state: State, delegation: Delegation, to: Validator): Delegation {
  const { end } = delegation
  to.delegations.push(delegation)
  weigh(state, to, delegation.weight, delegation.start)
  const happen = () => {
    if (!to.delegations.includes(delegation) || delegation.end !== end) return
    redelegate(state, to, delegation, isRewarded(state, to, end))
  }
  // A delegation that lasts as long as the validation ends with it.
  if (end < to.end) state.queue.put({ at: end, happen })
  return delegation
}

/** Ends a delegation; the same delegator goes to any validator with a new one. */
function redelegate(state: State, of: Validator, ended: Delegation, isGood: boolean): void {
  const { seed, mint, ids } = state
  const { end: start, owner, delegator } = ended
  const dice = random(seed, 'delegation', delegator, start)
  if (!isGood) mint(-ended.reward, start)
  of.delegations = of.delegations.filter((other) => other !== ended)
  weigh(state, of, -ended.weight, start)
  // Of two things at one time the validator's next period may have come first.
  if (isGood && ended.start >= of.start) of.accrued += feeOf(of, ended)
  const to = hostFrom(state, dice.between(0, ids.length - 1), start)
  const end = Math.min(to.end, start + dice.between(DAY, WEEK))
  const next = delegate(state, to, { owner, delegator, start, end }, dice)
  mint(next.reward, start)
  state.restaked({ ended, of, isRewarded: isGood, next, to })
}

/** From there on the first validator whose validation lasts a day more, as a delegation ends with it at the latest. */
function hostFrom({ all, ids }: State, first: number, at: number): Validator {
  for (let step = 0; step < ids.length; step += 1) {
    const host = all.get(ids[(first + step) % ids.length]!)
    if (host && host.end - at >= DAY) return host
  }
  return all.get(ids[first]!) ?? all.values().next().value!
}

function forget({ all, observers }: State, observer: string, since: number, at: number, name: string): void {
  observers.splice(observers.indexOf(observer), 1, name)
  for (const { views } of all.values()) {
    const view = views.get(observer)!
    views.delete(observer)
    views.set(name, { ...view, ...(name === observer ? recordAt(view, since) : { lost: 0, over: [] }) })
    if (view.since !== undefined) views.get(name)!.since = at
  }
}
