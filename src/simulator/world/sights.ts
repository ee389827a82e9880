// The world as an upstream with incomplete data sees it: a node that was restored from a snapshot, that is on a fork or whose
// index has stalled, and a data service that is behind.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Chain, type Block, NUMBER } from './blocks.ts'
import { type Containers, createIndexes, type Indexes } from './containers.ts'
import type { EvmChain, EvmBlock } from './evm-chains.ts'
import type { Icm } from './icm.ts'
import { chainIds } from './fixed-ids.ts'
import { ALL_OF_IT, type Kept, keptOf, onlyKept } from './kept-indexes.ts'
import type { Ledger } from './ledger.ts'
import { isEmptyOn, type Proposals, proposalsOf } from './proposals.ts'
import type { Staking } from './staking.ts'
import type { Turns } from './turns.ts'
import { type Blocks, blocksUpTo, chainUpTo, ledgerUpTo, stakingUpTo } from './up-to.ts'
import { NUMBER as EVM_NUMBER, numberIn } from './evm-accounts.ts'
import { fromBase58, random } from './random.ts'

/** What an upstream can lack. */
interface Known {
  now(): number
  chains: Readonly<Record<PrimaryChain, Chain>>
  evm: readonly EvmChain[]
  proposals: Readonly<Record<PrimaryChain, Proposals>>
  turns: Turns
  indexes: Indexes
  ledger: Ledger
  staking: Staking
  icm: Icm
}

interface Restored {
  at: number
  /** Seconds between the snapshot and that. */
  behind: number
  /** Seconds of blocks that it reads in one. */
  pace: number
}

/** The service lists what it knew `seconds` ago, but never less than it has listed. */
interface Lag {
  seconds: number
  least: number
}

/** Chains go by their ids. */
interface Sight {
  restored: Restored | undefined
  lag: Lag
  /** The height from which on the node has other blocks than the others. */
  forks: Map<string, number>
  /** What the node's index of a chain has, where that is not all. */
  kept: Map<string, Kept>
}

export interface Sights<World extends Known> {
  /** `formerly` is the name that the node had until then. */
  restore(restored: Restored & { nodeId: string }, formerly: string): void
  /** The world as far as a node or a service knows it. */
  seenBy(who: string): World
  /** From a height on, by default from the next block on. */
  fork(nodeId: string, chainId: string, from?: number): boolean
  unfork(nodeId: string, chainId: string): boolean
  /** The index stops growing, catches up, or restarts. */
  setIndex(nodeId: string, chain: PrimaryChain, change: 'stall' | 'resume' | 'begin'): void
  /** With `isRelisted` the service drops what it has listed. */
  lag(service: string, seconds: number, isRelisted: boolean): void
}

/** `whole` is called late: the world and what is seen of it need each other. */
export function createSights<World extends Known>(whole: () => World): Sights<World> {
  const sights = new Map<string, Sight>()
  const views = new Map<string, { view: World; chains: number }>()

  function sightOf(who: string): Sight {
    let found = sights.get(who)
    if (!found) {
      found = { restored: undefined, lag: { seconds: 0, least: 0 }, forks: new Map(), kept: new Map() }
      sights.set(who, found)
    }
    return found
  }

  function change(who: string, how: (sight: Sight) => void): void {
    how(sightOf(who))
    views.delete(who)
  }

  function seenBy(who: string): World {
    const world = whole()
    const sight = sights.get(who)
    if (!sight) return world
    const known = views.get(who)
    // Chains may be created.
    if (known && known.chains === world.evm.length) return known.view
    const view = viewOf(sight, world)
    views.set(who, { view, chains: world.evm.length })
    return view
  }

  const headOf = (nodeId: string, chainId: string) => {
    const { chains, evm } = seenBy(nodeId)
    const primary = primaryOf(chainId)
    const chain = primary === undefined ? evm.find(({ blockchainId }) => blockchainId === chainId) : chains[primary]
    return chain?.head()
  }

  return {
    seenBy,
    restore({ nodeId, ...restored }, formerly) {
      sights.delete(formerly)
      views.delete(formerly)
      change(nodeId, (sight) => (sight.restored = restored))
    },
    fork(nodeId, chainId, from) {
      const head = headOf(nodeId, chainId)
      if (head === undefined) return false
      change(nodeId, ({ forks }) => forks.set(chainId, from ?? head + 1))
      return true
    },
    unfork(nodeId, chainId) {
      const isForked = sights.get(nodeId)?.forks.has(chainId) ?? false
      change(nodeId, ({ forks }) => forks.delete(chainId))
      return isForked
    },
    setIndex(nodeId, chain, to) {
      const { kept } = sightOf(nodeId)
      const before = kept.get(chainIds[chain]) ?? ALL_OF_IT
      change(nodeId, () => kept.delete(chainIds[chain]))
      const after = keptOf(before, seenBy(nodeId).indexes, chain, to)
      change(nodeId, () => kept.set(chainIds[chain], after))
    },
    lag(service, seconds, isRelisted) {
      const now = whole().now()
      const least = isRelisted ? 0 : Math.max(sightOf(service).lag.least, now - sightOf(service).lag.seconds)
      change(service, (sight) => (sight.lag = { seconds, least }))
    },
  }
}

function primaryOf(chainId: string): PrimaryChain | undefined {
  return (['P', 'X', 'C'] as const).find((name) => chainIds[name] === chainId)
}

/** The validator set stays as it is in the world now, and so does what a node says of balances. */
function viewOf<World extends Known>({ restored, lag, forks, kept }: Sight, world: World): World {
  const now = () => Math.max(lag.least, world.now() - lag.seconds)
  const reached = () => (restored ? Math.min(now(), readUpTo(restored, world.now())) : now())
  const upTo = (blocks: Blocks) => blocksUpTo(blocks, reached)
  const chain = (name: PrimaryChain) =>
    forkedChain(chainUpTo(world.chains[name], reached), forks.get(chainIds[name]) ?? Infinity)
  const chains = { P: chain('P'), X: chain('X'), C: chain('C') }
  const evm = world.evm.map((one) => forkedEvmChain(one.over(upTo), forks.get(one.blockchainId) ?? Infinity))
  const ledger = lag.seconds > 0 ? ledgerUpTo(world.ledger, now) : world.ledger
  const staking = lag.seconds > 0 ? stakingUpTo(world.staking, now) : world.staking
  const proposals = proposalsOf(chains, world.turns, isEmptyOn(evm))
  const indexes = createIndexes(chains, proposals, world.ledger)
  const accepted = restored ? acceptedLater(indexes, restored) : indexes
  const icm = lag.seconds > 0 ? world.icm.over(evm) : world.icm
  return { ...world, now, chains, evm, ledger, staking, icm, proposals, indexes: onlyKept(accepted, kept) }
}

function readUpTo({ at, behind, pace }: Restored, now: number): number {
  return Math.min(now, at - behind + pace * (now - at))
}

/** A block that the node caught up on was accepted when it did. */
function acceptedLater(indexes: Indexes, { at: since, behind, pace }: Restored): Indexes {
  const snapshot = since - behind
  const acceptedAt = (time: number) =>
    time <= snapshot ? time : Math.max(time, Math.floor(since + (time - snapshot) / pace))
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

// A chain as a node has it that is on a fork: from a height on its blocks have other ids, and the same transactions.

/** An id ends in the number of its block. */
const otherId = (id: string) => random('fork', id).base58(id.length - NUMBER) + id.slice(-NUMBER)
const otherHash = (hash: string) =>
  `0x${random('fork', hash).hex(hash.length - 2 - EVM_NUMBER)}${hash.slice(-EVM_NUMBER)}`

/** The blocks of a chain that has others from a height on; `numberOf` reads the number that an id ends in. */
function onFork<B extends Block | EvmBlock>(
  blockAt: (height: number) => B | undefined,
  from: number,
  other: (id: string) => string,
  numberOf: (id: string) => number,
) {
  function block(height: number): B | undefined {
    const found = blockAt(height)
    if (!found || height < from) return found
    const parentHash = height > from ? other(found.parentHash) : found.parentHash
    return { ...found, hash: other(found.hash), parentHash }
  }
  function find(hash: string): B | undefined {
    const found = block(numberOf(hash))
    return found?.hash === hash ? found : undefined
  }
  return { block, find }
}

function forkedChain(chain: Chain, from: number): Chain {
  if (from === Infinity) return chain
  return { ...chain, ...onFork(chain.block, from, otherId, (id) => fromBase58(id.slice(-NUMBER))) }
}

function forkedEvmChain(chain: EvmChain, from: number): EvmChain {
  if (from === Infinity) return chain
  return { ...chain, ...onFork(chain.block, from, otherHash, numberIn) }
}
