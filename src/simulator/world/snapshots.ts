// Nodes that were restored from a snapshot. Until they have caught up, they lack the newest blocks.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Chain } from './blocks.ts'
import { type Containers, createIndexes, type Indexes } from './containers.ts'
import type { Ledger } from './ledger.ts'

/** What a node can lack. */
interface Known {
  now(): number
  chains: Readonly<Record<PrimaryChain, Chain>>
  indexes: Indexes
  ledger: Ledger
}

interface Restored {
  nodeId: string
  at: number
  /** Seconds between the snapshot and that. */
  behind: number
  /** Seconds of blocks that it reads in one. */
  pace: number
}

export interface Snapshots<World extends Known> {
  /** `formerly` is the name that the node had until then. */
  restore(restored: Restored, formerly: string): void
  /** The world as far as a node knows it. */
  seenBy(nodeId: string, world: World): World
}

export function createSnapshots<World extends Known>(): Snapshots<World> {
  const restored = new Map<string, Restored>()
  const views = new Map<string, World>()
  return {
    restore(one, formerly) {
      restored.delete(formerly)
      views.delete(formerly)
      restored.set(one.nodeId, one)
      views.delete(one.nodeId)
    },
    seenBy(nodeId, world) {
      const one = restored.get(nodeId)
      if (!one) return world
      let view = views.get(nodeId)
      if (!view) views.set(nodeId, (view = viewOf(one, world)))
      return view
    },
  }
}

/** Only blocks and indexes go back. The validator set and the balances stay as they are in the world now. */
function viewOf<World extends Known>({ at, behind, pace }: Restored, world: World): World {
  const snapshot = at - behind
  const reached = () => Math.min(world.now(), snapshot + pace * (world.now() - at))
  const { P, X, C } = world.chains
  const chains = { P: upTo(P, reached), X: upTo(X, reached), C: upTo(C, reached) }
  /** A block that it caught up on was accepted when it did. */
  const acceptedAt = (time: number) => {
    return time <= snapshot ? time : Math.max(time, Math.floor(at + (time - snapshot) / pace))
  }
  return { ...world, chains, indexes: acceptedLater(createIndexes(chains, world.ledger), acceptedAt) }
}

function upTo(chain: Chain, reached: () => number): Chain {
  const head = () => Math.max(0, chain.heightAt(reached()))
  return {
    ...chain,
    head,
    time: (height) => (height <= head() ? chain.time(height) : undefined),
    block: (height) => (height <= head() ? chain.block(height) : undefined),
    find(hash) {
      const block = chain.find(hash)
      return block && block.height <= head() ? block : undefined
    },
  }
}

function acceptedLater(indexes: Indexes, acceptedAt: (time: number) => number): Indexes {
  const later = (one: Containers): Containers => ({
    ...one,
    at(position) {
      const container = one.at(position)
      return container && { ...container, time: acceptedAt(container.time) }
    },
  })
  const each = ({ P, X, C }: Indexes['blocks']) => ({ P: later(P), X: later(X), C: later(C) })
  return {
    ...indexes,
    blocks: each(indexes.blocks),
    proposals: each(indexes.proposals),
    transactions: later(indexes.transactions),
  }
}
