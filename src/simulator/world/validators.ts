// The primary network's validators: their stakes, their delegations, and what each observer sees of them.

import { bytesOf } from './bytes.ts'
import { type Random, random } from './random.ts'
import type { Queue } from './queue.ts'

export interface Delegation {
  txId: string
  start: number
  end: number
  weight: bigint
  reward: bigint
  owner: string
}

export interface Validator {
  nodeId: string
  txId: string
  start: number
  end: number
  weight: bigint
  reward: bigint
  /** Percent. */
  fee: number
  /** What it has kept of the rewards of delegations that ended in this period. */
  accrued: bigint
  /** Its BLS key and the proof that it has it; those that were added long ago have none. */
  signer: { publicKey: string; proofOfPossession: string } | undefined
  owner: string
  delegations: Delegation[]
  /** It goes on by itself: the seconds of its next period, and the millionths of its reward that are staked again. */
  renewal: { period: number; shares: number } | undefined
  /** What each observer has seen, by its node id. */
  views: Map<string, View>
}

/** One observer's record of one validator. */
export interface View {
  /** Seconds without connection since the start of the validation, the running outage left out. */
  lost: number
  /** When the running outage began. */
  since: number | undefined
  /** Reasons why there is no connection now: an outage of the validator, one of the way there, one ordered by hand. */
  reasons: Set<string>
}

export interface Validators {
  all: ReadonlyMap<string, Validator>
  /** Takes effect at the time given; `reason` names the outage so that it can be ended. */
  disconnect(nodeId: string, reason: string, at: number, observers?: readonly string[]): void
  reconnect(nodeId: string, reason: string, at: number): void
}

export interface ValidatorsOptions {
  seed: number
  count: number
  delegations: number
  /** Nodes that will be asked: their own validators are the first of the set. */
  observers: number
  queue: Queue
  begin: number
  /** A reward is promised: the tokens that there can be grow by it. */
  mint: (reward: bigint, at: number) => void
}

const DAY = 86_400
const WEEK = 7 * DAY
const TOKEN = 1_000_000_000n
const MILLION = 1_000_000n
/** After the beginning: the first of those that renew themselves does so while somebody is looking. */
const FIRST_RENEWAL = 3_600 + 600

export function createValidators(options: ValidatorsOptions): Validators {
  const { seed, count, queue, begin, mint } = options
  const all = new Map<string, Validator>()
  const ids = Array.from({ length: count }, (_, at) => `NodeID-${random(seed, 'node', at).base58(33)}`)
  const observers = ids.slice(0, options.observers)

  function disconnect(nodeId: string, reason: string, at: number, seenBy: readonly string[] = observers): void {
    for (const observer of seenBy) {
      // A node takes itself to be connected always.
      if (observer === nodeId) continue
      const view = all.get(nodeId)?.views.get(observer)
      if (!view) continue
      view.reasons.add(reason)
      view.since ??= at
    }
  }

  function reconnect(nodeId: string, reason: string, at: number): void {
    for (const view of all.get(nodeId)?.views.values() ?? []) {
      view.reasons.delete(reason)
      if (view.reasons.size > 0 || view.since === undefined) continue
      view.lost += at - view.since
      view.since = undefined
    }
  }

  /** A validation ends and the same stake goes on, with a new one or with its next period. */
  function renew(validator: Validator, at: number): void {
    const { renewal, weight, reward } = validator
    const dice = random(seed, 'renew', validator.nodeId, at)
    validator.start = at
    validator.accrued = 0n
    if (renewal) {
      validator.end = at + renewal.period
      validator.weight += (reward * BigInt(renewal.shares)) / MILLION
      validator.reward = (reward * validator.weight) / weight
    } else {
      validator.txId = dice.base58(50)
      validator.end = at + dice.between(14, 365) * DAY
    }
    for (const view of validator.views.values()) {
      view.lost = 0
      view.since = view.since === undefined ? undefined : at
    }
    mint(validator.reward, at)
    queue.put({ at: validator.end, happen: (end) => renew(validator, end) })
  }

  function delegate(validator: Validator, name: number, start: number, end: number, dice: Random): Delegation {
    const delegation: Delegation = {
      txId: dice.base58(50),
      start,
      end,
      weight: BigInt(dice.between(25, 2_000)) * TOKEN,
      reward: BigInt(dice.between(1, 100)) * (TOKEN / 10n),
      owner: `fuji1${dice.bech32(38)}`,
    }
    validator.delegations.push(delegation)
    queue.put({ at: end, happen: () => redelegate(validator, delegation, name) })
    return delegation
  }

  /** A delegation ends, and the same delegator goes to any validator with a new one. */
  function redelegate(validator: Validator, ended: Delegation, name: number): void {
    const { end: at } = ended
    const dice = random(seed, 'delegation', name, at)
    validator.delegations = validator.delegations.filter((other) => other !== ended)
    // Of two things at one time the validator's next period may have come first.
    if (ended.start >= validator.start) validator.accrued += feeOf(validator, ended)
    const host = hostFrom(dice.between(0, count - 1), at)
    const { reward } = delegate(host, name, at, Math.min(host.end, at + dice.between(DAY, WEEK)), dice)
    mint(reward, at)
  }

  /** From there on the first validator whose validation lasts a day more, as a delegation ends with it at the latest. */
  function hostFrom(first: number, at: number): Validator {
    for (let step = 0; step < count; step += 1) {
      const host = all.get(ids[(first + step) % count]!)!
      if (host.end - at >= DAY) return host
    }
    return all.get(ids[first]!)!
  }

  ids.forEach((nodeId, at) => {
    const validator = firstValidation(seed, nodeId, at, begin)
    for (const [position, observer] of observers.entries()) {
      const lost = (1 - pastUptime(seed, at, position, nodeId)) * (begin - validator.start)
      validator.views.set(observer, { lost: observer === nodeId ? 0 : lost, since: undefined, reasons: new Set() })
    }
    all.set(nodeId, validator)
    queue.put({ at: validator.end, happen: (end) => renew(validator, end) })
  })
  for (let name = 0; name < options.delegations; name += 1) {
    const validator = all.get(ids[name % count]!)!
    const dice = random(seed, 'delegation', name)
    const duration = dice.between(DAY, WEEK)
    const elapsed = dice.between(0, duration - 1)
    const [start, end] = [begin - elapsed, begin + duration - elapsed]
    delegate(validator, name, Math.max(validator.start, start), Math.min(validator.end, end), dice)
  }

  return { all, disconnect, reconnect }
}

/**
 * Of ten validators one has been away too often in everybody's eyes, and one in the eyes of the first observer alone;
 * one has been away more than most.
 */
function pastUptime(seed: number, at: number, observer: number, nodeId: string): number {
  const luck = random(seed, 'past', nodeId, observer).next()
  const isPoor = at % 10 === 4 || (at % 10 === 3 && observer === 0)
  return isPoor ? 0.6 + 0.15 * luck : (at % 10 === 5 ? 0.97 : 0.99) + 0.01 * luck
}

function firstValidation(seed: number, nodeId: string, at: number, begin: number): Validator {
  const dice = random(seed, 'validator', at)
  const start = Math.max(0, begin - dice.between(1, 200) * DAY)
  const txId = dice.base58(50)
  const end = begin + dice.between(1, 160) * DAY + dice.between(0, DAY)
  return {
    nodeId,
    txId,
    start,
    end: at === 5 ? begin + FIRST_RENEWAL : end,
    weight: BigInt(dice.between(2_000, 1_000_000)) * TOKEN,
    reward: BigInt(dice.between(40, 20_000)) * TOKEN,
    fee: dice.pick([2, 2, 5, 10]),
    accrued: 0n,
    signer: at % 10 === 8 ? undefined : signerOf(`${seed}/${nodeId}`),
    owner: `fuji1${dice.bech32(38)}`,
    delegations: [],
    renewal: at % 10 === 5 ? { period: 30 * DAY, shares: 500_000 } : undefined,
    views: new Map(),
  }
}

/** A BLS public key has 48 bytes, a signature 96. */
function signerOf(name: string): Validator['signer'] {
  return {
    publicKey: `0x${bytesOf(`key of ${name}`, 48)}`,
    proofOfPossession: `0x${bytesOf(`proof of ${name}`, 96)}`,
  }
}

/** What the validator keeps of a delegation's reward. */
export function feeOf({ fee }: Validator, { reward }: Delegation): bigint {
  return (reward * BigInt(fee)) / 100n
}

/** Share of the time since the start of the validation that the observer was connected, 0 to 1. */
export function uptimeOf({ start }: Validator, { lost, since }: View, now: number): number {
  if (now <= start) return 1
  const gone = lost + (since === undefined ? 0 : now - since)
  return Math.max(0, 1 - gone / (now - start))
}
