// The simulated network: a log of events derived from (seed, time). `advance` is the only writer; handlers only look.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Chain, createChain } from './blocks.ts'
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
  /** Upper bound on the tokens that can stake the primary network, in the smallest unit. */
  supply(): bigint
}

type Action = { kind: 'disconnect' | 'reconnect'; nodeId: string }

const HISTORY = 3_600
const P_TYPES = ['BanffStandardBlock', 'BanffStandardBlock', 'BanffProposalBlock', 'BanffCommitBlock']

export function createWorld({ seed, epoch, validators: count, delegations, observers }: WorldOptions): World {
  const queue = createQueue()
  const begin = Math.max(0, epoch - HISTORY)
  let now = begin
  let supply = 460_000_000_123_456_789n
  const validators = createValidators({
    seed,
    count,
    delegations,
    observers,
    queue,
    begin,
    mint: (reward) => (supply += reward),
  })
  const proposers = [...validators.all.keys()]
  const chain = (name: PrimaryChain, pace: readonly [number, number], types: readonly string[]) =>
    createChain({ seed, name, queue, begin, pace, types, proposers })

  /** Validators go down now and then, and the way from one observer to one validator does so more often. */
  function outage(kind: 'validator' | 'way', every: readonly [number, number]): void {
    let told = 0
    const happen = (at: number) => {
      told += 1
      const dice = random(seed, kind, told)
      const reason = `${kind} ${told}`
      const nodeId = dice.pick(proposers)
      const seenBy = kind === 'way' ? [dice.pick(proposers.slice(0, observers))] : undefined
      validators.disconnect(nodeId, reason, at, seenBy)
      queue.put({ at: at + dice.between(60, 1_800), happen: (end) => validators.reconnect(nodeId, reason, end) })
      queue.put({ at: at + dice.between(...every), happen })
    }
    queue.put({ at: begin + random(seed, kind, 0).between(...every), happen })
  }

  const chains = {
    P: chain('P', [2, 14], P_TYPES),
    X: chain('X', [10, 50], ['Standard']),
    C: chain('C', [1, 3], ['Standard']),
  }
  outage('validator', [60, 600])
  outage('way', [30, 300])

  function advance(to: number): void {
    for (let event = queue.takeDue(to); event; event = queue.takeDue(to)) {
      now = event.at
      event.happen(event.at)
    }
    now = Math.max(now, Math.floor(to))
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
    supply: () => supply,
  }
}
