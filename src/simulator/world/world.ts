// The simulated network: a log of events derived from (seed, time). `advance` is the only writer; handlers only look.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Chain, createChain, type GrowingChain } from './blocks.ts'
import { createQueue } from './queue.ts'
import { random } from './random.ts'
import { createValidators, type Validators } from './validators.ts'

export interface WorldOptions {
  seed: number
  /** Unix seconds at which the world is handed over; it has an hour of blocks behind it then. */
  epoch: number
  validators: number
  delegations: number
  /** Nodes that answer questions. */
  observers: number
}

export interface World {
  /** Unix seconds, whole. */
  now(): number
  /** Lets everything happen that is due by then. Time never goes back. */
  advance(to: number): void
  /** A change from outside, at the present time. */
  take(action: Action): void
  validators: Validators
  chains: Readonly<Record<PrimaryChain, Chain>>
  /** Upper bound on the tokens that could stake the primary network at a time gone by, in the smallest unit. */
  supply(at: number): bigint
}

type Action = { kind: 'disconnect' | 'reconnect'; nodeId: string }

/** In seconds, at least and at most. */
interface Outages {
  every: readonly [number, number]
  lasting: readonly [number, number]
  of: readonly string[]
  seenBy?: readonly string[]
}

const HISTORY = 3_600
const P_TYPES = ['BanffStandardBlock', 'BanffStandardBlock', 'BanffProposalBlock', 'BanffCommitBlock']

export function createWorld({ seed, epoch, validators: count, delegations, observers }: WorldOptions): World {
  const queue = createQueue()
  const begin = Math.max(0, epoch - HISTORY)
  let now = begin
  const supplies = [{ since: begin, supply: 460_000_000_123_456_789n }]
  const validators = createValidators({
    seed,
    count,
    delegations,
    observers,
    queue,
    begin,
    mint: (reward, since) => supplies.push({ since, supply: supplies.at(-1)!.supply + reward }),
  })
  const ids = [...validators.all.keys()]
  const chain = (name: PrimaryChain, pace: readonly [number, number], types: readonly string[]) =>
    createChain({ seed, name, begin, pace, types, proposers: ids })

  /** One of the validators goes down now and then, or the way to it from one of the observers given. */
  function outages(kind: string, { every, lasting, of, seenBy }: Outages): void {
    let told = 0
    const happen = (at: number) => {
      told += 1
      const dice = random(seed, kind, told)
      const reason = `${kind} ${told}`
      const nodeId = dice.pick(of)
      validators.disconnect(nodeId, reason, at, seenBy && [dice.pick(seenBy)])
      queue.put({ at: at + dice.between(...lasting), happen: (end) => validators.reconnect(nodeId, reason, end) })
      queue.put({ at: at + dice.between(...every), happen })
    }
    if (of.length > 0) queue.put({ at: begin + random(seed, kind, 0).between(...every), happen })
  }

  const chains: Readonly<Record<PrimaryChain, GrowingChain>> = {
    P: chain('P', [2, 14], P_TYPES),
    X: chain('X', [10, 50], ['Standard']),
    C: chain('C', [1, 3], ['Standard']),
  }
  const watching = ids.slice(0, observers)
  outages('validator', { every: [60, 600], lasting: [60, 1_800], of: ids })
  outages('way', { every: [30, 300], lasting: [60, 1_800], of: ids, seenBy: watching })
  // The first validators with a poor past go on like that: whoever watches them has something to see.
  const [blamed, poor] = [ids.slice(3, 4), ids.slice(4, 5)]
  outages('poor way', { every: [300, 900], lasting: [60, 300], of: blamed, seenBy: watching.slice(0, 1) })
  outages('poor validator', { every: [300, 900], lasting: [60, 300], of: poor })

  function advance(to: number): void {
    for (let event = queue.takeDue(to); event; event = queue.takeDue(to)) {
      now = event.at
      event.happen(event.at)
    }
    now = Math.max(now, Math.floor(to))
    for (const one of Object.values(chains)) one.advance(now)
  }

  advance(epoch)
  return {
    now: () => now,
    advance,
    take({ kind, nodeId }) {
      if (kind === 'disconnect') validators.disconnect(nodeId, 'ordered', now)
      else validators.reconnect(nodeId, 'ordered', now)
    },
    validators,
    chains,
    supply: (at) => (supplies.findLast(({ since }) => since <= at) ?? supplies[0]!).supply,
  }
}
