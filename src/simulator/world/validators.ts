// The primary network's validators: their stakes, their delegations, and what each observer sees of them.

import { addressOf, LETTERS } from './addresses.ts'
import { nodeIdOf } from './cb58.ts'
import { firstValidation, pastUptime } from './first-validations.ts'
import { numberedId, type Random, random } from './random.ts'
import type { Queue } from './event-queue.ts'
import { type Delegation, feeOf, signerOf, type Stake, type Validator } from './stakes.ts'
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
  /** Begins a validation, which ends for good unless it renews itself. The node must not validate already. */
  join(newcomer: Newcomer, at: number): Validator
  /** It ends with the validation at the latest. */
  delegate(to: Validator, delegation: Pick<Delegation, 'weight' | 'owner' | 'end'>, at: number): Delegation
  /** The stake ends then, and delegations with it at the latest. */
  endAt(validator: Validator, end: number, isLast: boolean): void
  /** The stake ends now, and goes on to its former end with another owner or another key. */
  remake(validator: Validator, change: Partial<Pick<Validator, 'owner' | 'signer'>>, at: number): void
  /** So many seconds were lost since the start of the validation. */
  setLost(nodeId: string, seconds: number, observers: readonly string[]): void
  /** Makes an observer forget what it saw after `since`. With a new `name` it forgets everything. */
  forget(observer: string, since: number, at: number, name?: string): void
  /** Drops the outages that ended before that time: nobody forgets so much. */
  keepSince(time: number): void
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

type Whose = Pick<Delegation, 'owner' | 'delegator'>

const DAY = 86_400
const WEEK = 7 * DAY
const TOKEN = 1_000_000_000n
const MILLION = 1_000_000n
export function createValidators(options: ValidatorsOptions): Validators {
  const { seed, count, queue, begin, mint, restaked } = options
  const all = new Map<string, Validator>()
  const ids = Array.from({ length: count }, (_, at) => nodeIdOf(`${seed}/node/${at}`))
  const observers = ids.slice(0, options.observers)
  let stakes = 0
  let delegators = options.delegations
  const newTxId = () => numberedId((stakes += 1), seed, 'stake')

  function disconnect(nodeId: string, reason: string, at: number, seenBy: readonly string[] = observers): void {
    for (const observer of seenBy) {
      // A node takes itself to be connected always.
      if (observer === nodeId) continue
      const view = all.get(nodeId)?.views.get(observer)
      if (view) lose(view, reason, at)
    }
  }

  function reconnect(nodeId: string, reason: string, at: number): void {
    for (const view of all.get(nodeId)?.views.values() ?? []) regain(view, reason, at)
  }

  /** Most of the observers must have seen the validator often enough since its start. */
  function isRewarded(validator: Validator, at: number): boolean {
    const required = validator.start >= options.upgrade ? 0.9 : 0.8
    const against = [...validator.views.values()].filter((view) => uptimeOf(validator, view, at) < required)
    return against.length * 2 <= validator.views.size
  }

  /**
   * A validation ends and the same stake goes on, with a new one or with its next period. One that renews itself leaves
   * when it has lost its reward.
   */
  function renew(
    validator: Validator,
    at: number,
    next: Partial<Pick<Validator, 'owner' | 'signer' | 'end'>> = {},
  ): void {
    const { txId, start, end, weight, reward, owner, renewal, delegations } = validator
    const isGood = isRewarded(validator, at)
    if (renewal && (!isGood || renewal.period === 0)) return leave(validator, at)
    if (!isGood) mint(-reward, at)
    validator.start = at
    validator.accrued = 0n
    validator.delegations = []
    if (!renewal) {
      validator.txId = newTxId()
      validator.end = at + random(seed, 'renew', validator.nodeId, at).between(14, 365) * DAY
      validator.signer ??= signerOf(`${seed}/${validator.nodeId}`)
      Object.assign(validator, next)
    } else {
      validator.end = at + renewal.period
      if (isGood) validator.weight += (reward * BigInt(renewal.shares)) / MILLION
      validator.reward = (reward * validator.weight) / weight
    }
    for (const view of validator.views.values()) {
      view.lost = 0
      view.over = []
      view.since = view.since === undefined ? undefined : at
    }
    mint(validator.reward, at)
    awaitEnd(validator)
    const ended = { txId, start, end, weight, reward, owner }
    restaked({ ended, of: validator, isRewarded: isGood, next: validator, to: validator })
    for (const delegation of delegations) redelegate(validator, delegation, isGood)
  }

  /** A stake whose end was moved meanwhile ends at another time. */
  function awaitEnd(validator: Validator): void {
    const { end, nodeId } = validator
    queue.put({
      at: end,
      happen(at) {
        if (all.get(nodeId) !== validator || validator.end !== end) return
        if (validator.isLast) leave(validator, at)
        else renew(validator, at)
      },
    })
  }

  function move(validator: Validator, end: number): void {
    validator.end = end
    options.moved?.(validator)
    for (const delegation of validator.delegations) {
      if (delegation.end <= end) continue
      delegation.end = end
      options.moved?.(delegation)
    }
  }

  function delegate(to: Validator, whose: Whose, start: number, end: number, dice: Random): Delegation {
    const weight = BigInt(dice.between(25, 2_000)) * TOKEN
    const reward = BigInt(dice.between(1, 100)) * (TOKEN / 10n)
    return follow({ txId: newTxId(), start, end, weight, reward, ...whose }, to)
  }

  /** To its end. */
  function follow(delegation: Delegation, to: Validator): Delegation {
    const { end } = delegation
    to.delegations.push(delegation)
    // One that lasts as long as the validation ends with it.
    const happen = () => {
      if (to.delegations.includes(delegation) && delegation.end === end) redelegate(to, delegation, isRewarded(to, end))
    }
    if (end < to.end) queue.put({ at: end, happen })
    return delegation
  }

  /** A delegation ends, and the same delegator goes to any validator with a new one. */
  function redelegate(of: Validator, ended: Delegation, isGood: boolean): void {
    const { end: at, owner, delegator } = ended
    const dice = random(seed, 'delegation', delegator, at)
    if (!isGood) mint(-ended.reward, at)
    of.delegations = of.delegations.filter((other) => other !== ended)
    // Of two things at one time the validator's next period may have come first.
    if (isGood && ended.start >= of.start) of.accrued += feeOf(of, ended)
    const to = hostFrom(dice.between(0, count - 1), at)
    const next = delegate(to, { owner, delegator }, at, Math.min(to.end, at + dice.between(DAY, WEEK)), dice)
    mint(next.reward, at)
    restaked({ ended, of, isRewarded: isGood, next, to })
  }

  /** From there on the first validator whose validation lasts a day more, as a delegation ends with it at the latest. */
  function hostFrom(first: number, at: number): Validator {
    for (let step = 0; step < count; step += 1) {
      const host = all.get(ids[(first + step) % count]!)
      if (host && host.end - at >= DAY) return host
    }
    return all.get(ids[first]!) ?? all.values().next().value!
  }

  ids.forEach((nodeId, at) => {
    const validator = firstValidation(seed, nodeId, newTxId(), at, begin)
    for (const [position, observer] of observers.entries()) {
      const lost = (1 - pastUptime(seed, at, position, nodeId)) * (begin - validator.start)
      validator.views.set(observer, { ...unseen(), lost: observer === nodeId ? 0 : lost })
    }
    all.set(nodeId, validator)
    awaitEnd(validator)
  })
  for (let delegator = 0; delegator < options.delegations; delegator += 1) {
    const validator = all.get(ids[delegator % count]!)!
    const dice = random(seed, 'delegation', delegator)
    const owner = addressOf(random(seed, 'delegator', delegator).bech32(LETTERS))
    const duration = dice.between(DAY, WEEK)
    const elapsed = dice.between(0, duration - 1)
    const [start, end] = [begin - elapsed, begin + duration - elapsed]
    const whose = { owner, delegator }
    delegate(validator, whose, Math.max(validator.start, start), Math.min(validator.end, end), dice)
  }

  function leave(validator: Validator, at: number): void {
    const isGood = isRewarded(validator, at)
    if (!isGood) mint(-validator.reward, at)
    all.delete(validator.nodeId)
    options.left?.({ ended: validator, of: validator, isRewarded: isGood })
    for (const delegation of validator.delegations) redelegate(validator, delegation, isGood)
  }

  return {
    all,
    observers,
    disconnect,
    reconnect,
    join(newcomer, at) {
      const validator = {
        ...newcomer,
        isLast: newcomer.renewal === undefined,
        txId: newTxId(),
        start: at,
        accrued: 0n,
        signer: signerOf(`${seed}/${newcomer.nodeId}`),
        delegations: [],
        views: new Map(observers.map((observer) => [observer, unseen()])),
      }
      all.set(newcomer.nodeId, validator)
      mint(validator.reward, at)
      awaitEnd(validator)
      return validator
    },
    delegate(to, { weight, owner, end: wanted }, start) {
      const end = Math.min(wanted, to.end)
      // Half a percent, whatever the time: as much as any delegation has it may have.
      const reward = weight / 200n
      mint(reward, start)
      delegators += 1
      return follow({ txId: newTxId(), start, end, weight, reward, owner, delegator: delegators }, to)
    },
    endAt(validator, end, isLast) {
      move(validator, end)
      validator.isLast = isLast
      awaitEnd(validator)
    },
    remake(validator, change, at) {
      const { end } = validator
      move(validator, at)
      renew(validator, at, { ...change, end })
    },
    setLost(nodeId, seconds, seenBy) {
      const validator = all.get(nodeId)
      for (const observer of seenBy) if (validator) Object.assign(validator.views.get(observer)!, lostFor(seconds))
    },
    forget(observer, since, at, name = observer) {
      observers.splice(observers.indexOf(observer), 1, name)
      for (const { views } of all.values()) {
        const view = views.get(observer)!
        views.delete(observer)
        views.set(name, { ...view, ...(name === observer ? recordAt(view, since) : { lost: 0, over: [] }) })
        if (view.since !== undefined) views.get(name)!.since = at
      }
    },
    keepSince(time) {
      for (const { views } of all.values()) {
        for (const view of views.values()) keepSince(view, time)
      }
    },
  }
}
