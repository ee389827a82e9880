// The simulated network: a log of events derived from (seed, time). `advance` is the only writer; handlers only look.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Action, RETENTION } from './actions.ts'
import { type Chain, createChain, type GrowingChain } from './blocks.ts'
import { createIndexes, type Indexes } from './containers.ts'
import { createWallets, type Wallets } from './evm-accounts.ts'
import { rounds } from './evm-agenda.ts'
import { createEvmChain, type EvmChain } from './evm-chains.ts'
import { createIcm, type Icm } from './icm.ts'
import { chainIds } from './fixed-ids.ts'
import { createL1Activity } from './l1-activity.ts'
import type { L1 } from './l1.ts'
import { createL1s, type L1s } from './l1s.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createLevels, type Levels } from './levels.ts'
import { createOperator } from './operator.ts'
import { priceOf } from './prices.ts'
import { createQueue } from './event-queue.ts'
import { random } from './random.ts'
import { createRelayer } from './relayer.ts'
import { createReleases, type Releases } from './releases.ts'
import { createScript } from './script.ts'
import { createSights } from './sights.ts'
import { createStaking, type Staking } from './staking.ts'
import { createSubnetActivity } from './subnet-activity.ts'
import { createTrade, type Trade } from './trade.ts'
import { createValidators, type Validators } from './validators.ts'
import { createWalletActivity } from './wallet-activity.ts'

export interface WorldOptions {
  seed: number
  /** Unix seconds at which the world is handed over; it has an hour of blocks behind it then. */
  epoch: number
  validators: number
  delegations: number
  /** Nodes that answer questions. */
  observers: number
  /** Fixed seconds from block to block. A chain that is left out has random ones. */
  paces?: Partial<Record<PrimaryChain, number>>
  /** Validators go away, come back, join L1s, leave them and change their software at somebody's word alone; all messages arrive. */
  isCalm?: boolean
}

export interface World {
  /** Unix seconds, whole. */
  now(): number
  /** Lets everything happen that is due by then. Time never goes back. */
  advance(to: number): void
  /** Takes an action at the present time. Returns false when its subject does not exist. */
  take(action: Action): boolean
  /** The world as a node, by its id, or a service knows it: after a restore from a snapshot it lacks the newest blocks for a while. */
  seenBy(who: string): World
  validators: Validators
  chains: Readonly<Record<PrimaryChain, Chain>>
  indexes: Indexes
  ledger: Ledger
  staking: Staking
  trade: Trade
  l1s: L1s
  evm: readonly EvmChain[]
  /** Wallets on the EVM chains, by the names that an operator may give them. */
  evmWallets: Wallets
  icm: Icm
  /** Validations that began at this time or later need more uptime to be rewarded. */
  upgrade: number
  releases: Releases
  levels: Readonly<Levels>
  /** Of one whole token, now or at a time gone by; undefined when nobody quotes it. */
  price(symbol: string, currency: string, at?: number): number | undefined
  /** Upper bound on the tokens that could stake the primary network at a time of late, in the smallest unit. */
  supply(at: number): bigint | undefined
}

/** In seconds, at least and at most. */
interface Outages {
  every: readonly [number, number]
  lasting: readonly [number, number]
  of: readonly string[]
  seenBy?: readonly string[]
  /** Where the nodes validate. */
  at?: Pick<L1s, 'disconnect' | 'reconnect'>
}

const HISTORY = 3_600
const DAY = 86_400
const P_TYPES = ['BanffStandardBlock', 'BanffStandardBlock', 'BanffProposalBlock', 'BanffCommitBlock']

export function createWorld(options: WorldOptions): World {
  const { seed, epoch, validators: count, delegations, observers, paces = {}, isCalm = false } = options
  const queue = createQueue()
  const begin = Math.max(0, epoch - HISTORY)
  // Some days after it the next release is out, and nodes take it over one by one.
  const upgrade = Math.max(0, epoch - (isCalm ? 2 : 7) * DAY)
  let now = begin
  /** Each holds until the next one. */
  const supplies = [{ since: begin, supply: 460_000_000_123_456_789n }]
  const validators = createValidators({
    seed,
    count,
    delegations,
    observers,
    queue,
    begin,
    upgrade,
    restaked: (change) => staking.restake(change),
    left: (change) => staking.left(change),
    moved: (stake) => staking.moved(stake),
    mint: (reward, since) => supplies.push({ since, supply: supplies.at(-1)!.supply + reward }),
  })
  const ids = [...validators.all.keys()]
  const chain = (
    name: string,
    pace: readonly [number, number],
    types: readonly string[],
    strangers: readonly [number, number] = [0, 0],
    since: number = begin,
  ) => createChain({ seed, name, begin: since, pace, types, strangers, proposers: ids })

  /** One of the validators goes down now and then, or the way to it from one of the observers given. */
  function outages(kind: string, { every, lasting, of, seenBy, at: set = validators }: Outages): void {
    let told = 0
    const happen = (at: number) => {
      told += 1
      const dice = random(seed, kind, told)
      const reason = `${kind} ${told}`
      const nodeId = dice.pick(of)
      set.disconnect(nodeId, reason, at, seenBy ? [dice.pick(seenBy)] : validators.observers)
      queue.put({ at: at + dice.between(...lasting), happen: (end) => set.reconnect(nodeId, reason, end) })
      queue.put({ at: at + dice.between(...every), happen })
    }
    if (of.length > 0 && !isCalm) queue.put({ at: begin + random(seed, kind, 0).between(...every), happen })
  }

  const chains: Readonly<Record<PrimaryChain, GrowingChain>> = {
    P: chain('P', evenly(paces.P) ?? [2, 14], P_TYPES, [1, 3]),
    X: chain('X', evenly(paces.X) ?? [10, 50], ['Standard'], [1, 3]),
    C: chain('C', evenly(paces.C) ?? [1, 3], ['Standard']),
  }
  const ledger = createLedger(seed, begin, chains)
  const staking = createStaking({ seed, ledger, validators: validators.all })
  const trade = createTrade({ seed, begin, epoch, queue, ledger })
  const l1s = createL1s({ seed, begin, others: 1_400, target: 10_000, excessConstant: 1_246_488_515, minPrice: 512 })
  const operator = createOperator(seed, ledger)
  const l1Activity = createL1Activity({ seed, begin, l1s, ledger, queue, operator })
  const subnets = createSubnetActivity({ seed, l1s, ledger, operator })
  const paceOfL1s = isCalm ? ([10, 10] as const) : ([1, 6] as const)
  const blocksOfL1s = l1s.all.slice(0, 2).map((l1) => ({ l1, blocks: chain(l1.name, paceOfL1s, ['Standard']) }))
  const evmWallets = createWallets(seed)
  const evmOfL1 = ({ evmChainId, blockchainId, name }: L1, blocks: Chain, pace: readonly [number, number]) =>
    createEvmChain({
      seed,
      chainId: evmChainId,
      blockchainId,
      token: { name, symbol: name.slice(0, 4).toUpperCase() },
      wallets: evmWallets,
      blocks,
      pace,
      busy: isCalm ? 2 : 12,
      gasLimit: 12_000_000,
      past: 90_000,
      round: rounds.quiet,
      every: 20,
      outside: () => 0n,
    })
  const evm = [
    createEvmChain({
      seed,
      chainId: 43_113,
      blockchainId: chainIds.C,
      token: { name: 'Avalanche', symbol: 'AVAX' },
      wallets: evmWallets,
      blocks: chains.C,
      pace: [1, 3],
      busy: isCalm ? 4 : 60,
      gasLimit: 32_000_000,
      past: 41_000_000,
      round: rounds.busy,
      every: 150,
      outside: trade.outside,
    }),
    ...blocksOfL1s.map(({ l1, blocks }) => evmOfL1(l1, blocks, paceOfL1s)),
  ]
  /** By their ids. */
  const growing = new Map([
    ...(['P', 'X', 'C'] as const).map((name) => [chainIds[name], chains[name]] as const),
    ...blocksOfL1s.map(({ l1, blocks }) => [l1.blockchainId, blocks] as const),
  ])

  /** Validators of other L1s come and go. */
  function joins(at: number): void {
    const dice = random(seed, 'joins', at)
    l1s.join(dice.between(-2, 3), at)
    queue.put({ at: at + dice.between(120, 1_200), happen: joins })
  }
  if (!isCalm) queue.put({ at: begin + 60, happen: joins })

  const watching = ids.slice(0, observers)
  const [followed, visited, lantern] = l1s.all
  const visitor = watching.at(-1)!
  followed!.followers.add(watching[0]!)
  for (const nodeId of watching) lantern!.followers.add(nodeId)
  /** The last of the nodes begins to follow an L1, and leaves it again. */
  function visits(at: number): void {
    if (!visited!.followers.delete(visitor)) visited!.followers.add(visitor)
    queue.put({ at: at + random(seed, 'visits', at).between(120, 420), happen: visits })
  }
  if (!isCalm) queue.put({ at: begin + 120, happen: visits })
  outages('validator', { every: [60, 600], lasting: [60, 1_800], of: ids })
  outages('way', { every: [30, 300], lasting: [60, 1_800], of: ids, seenBy: watching })
  // The first validators with a poor past go on like that: whoever watches them has something to see.
  const [blamed, poor] = [ids.slice(3, 4), ids.slice(4, 5)]
  outages('poor way', { every: [300, 900], lasting: [60, 300], of: blamed, seenBy: watching.slice(0, 1) })
  const ofL1s = l1s.all.flatMap(({ validators: paying, legacy }) => [...paying, ...legacy]).map(({ nodeId }) => nodeId)
  outages('L1 validator', { every: [120, 900], lasting: [60, 900], of: ofL1s, at: l1s })
  outages('way to an L1', { every: [120, 900], lasting: [60, 900], of: ofL1s, at: l1s, seenBy: watching })
  outages('poor validator', { every: [300, 900], lasting: [60, 300], of: poor })

  function advance(to: number): void {
    for (let event = queue.takeDue(to); event; event = queue.takeDue(to)) {
      now = event.at
      // What an event submits gets into the next block after it.
      for (const one of growing.values()) one.advance(now)
      event.happen(now)
    }
    now = Math.max(now, Math.floor(to))
    for (const one of growing.values()) one.advance(now)
    l1s.settle(now)
  }

  /** Once a day. What is over falls out of the lists after a while; heights, totals and balances stay. */
  function forget(at: number): void {
    const before = at - RETENTION
    const l1Validators = new Set(l1s.all.flatMap((l1) => l1.validators.map(({ validationId }) => validationId)))
    ledger.forget(before, l1Validators)
    staking.forget(before)
    validators.keepSince(before)
    l1s.keepSince(before)
    for (const one of growing.values()) one.forget(before)
    const first = supplies.findLastIndex(({ since }) => since <= before)
    if (first > 0) supplies.splice(0, first)
    queue.put({ at: at + DAY, happen: forget })
  }
  queue.put({ at: begin + DAY, happen: forget })

  const sights = createSights<World>(() => world)
  const relayer = createRelayer(isCalm)
  const releases = createReleases(seed, upgrade, isCalm)
  const levels = createLevels()
  const script = createScript({
    seed,
    relayer,
    releases,
    levels,
    evm,
    wallets: createWalletActivity(seed, ledger),
    validators,
    staking,
    l1s,
    l1Activity,
    subnets,
    sights,
    growing,
    owner: operator.address,
    grow(subnet, secondsPerBlock, since) {
      const pace = [secondsPerBlock, secondsPerBlock] as const
      const blocks = chain(subnet.name, pace, ['Standard'], [0, 0], since + secondsPerBlock)
      growing.set(subnet.blockchainId, blocks)
      evm.push(evmOfL1(subnet, blocks, pace))
    },
  })

  advance(epoch)
  const world: World = {
    now: () => now,
    advance,
    take: (action) => script(action, now),
    seenBy: (who) => sights.seenBy(who),
    validators,
    chains,
    indexes: createIndexes(chains, ledger),
    ledger,
    staking,
    trade,
    l1s,
    evm,
    evmWallets,
    // Of the chains that are there from the beginning.
    icm: createIcm(seed, [...evm], relayer),
    upgrade,
    releases,
    levels,
    price: (symbol, currency, at = now) => priceOf(seed, symbol, currency, at),
    supply: (at) => supplies.findLast(({ since }) => since <= at)?.supply,
  }
  return world
}

function evenly(pace: number | undefined): readonly [number, number] | undefined {
  return pace === undefined ? undefined : [pace, pace]
}
