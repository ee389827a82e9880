// The simulated network: a log of events derived from (seed, time). `advance` is the only writer; handlers only read.

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
import { createLevels, type Levels, createScript } from './script.ts'
import { createOperator } from './operator.ts'
import { priceOf } from './prices.ts'
import { isEmptyOn, type Proposals, proposalsOf } from './proposals.ts'
import { createQueue } from './event-queue.ts'
import { random } from './random.ts'
import { createRelayer } from './relayer.ts'
import { createReleases, type Releases } from './releases.ts'
import { createSights } from './sights.ts'
import { createStaking, type Staking } from './staking.ts'
import { createSubnetActivity } from './subnet-activity.ts'
import { createTrade, type Trade } from './trade.ts'
import { createTurns, type Turns } from './turns.ts'
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
  /**
   * Validators go away, come back, change their software, and join, leave and pay for L1s only by actions; all messages
   * arrive.
   */
  isCalm?: boolean
}

export interface World {
  /** When it was handed over, in Unix seconds. */
  epoch: number
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
  turns: Turns
  /** The blocks in the wrappings of their proposers. */
  proposals: Readonly<Record<PrimaryChain, Proposals>>
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
  /** Of one whole token, now or at a past time; undefined where there is no price. */
  price(symbol: string, currency: string, at?: number): number | undefined
  /** Upper bound on the tokens that could stake the primary network at a time of late, in the smallest unit. */
  supply(at: number): bigint | undefined
}

const HISTORY = 3_600
const DAY = 86_400
/** Bytes: its header alone has more than 500. */
const SMALLEST_EVM_BLOCK = 700
const P_TYPES = ['BanffStandardBlock', 'BanffStandardBlock', 'BanffProposalBlock', 'BanffCommitBlock']

/** What the world consists of before it has EVM chains. */
type Parts = ReturnType<typeof createParts>

function createParts({
  seed,
  epoch,
  validators: count,
  delegations,
  observers,
  paces = {},
  isCalm = false,
}: WorldOptions) {
  const queue = createQueue()
  const begin = Math.max(0, epoch - HISTORY)
  // The next release comes out some days after the upgrade, and nodes install it one by one.
  const upgrade = Math.max(0, epoch - (isCalm ? 2 : 7) * DAY)
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
    smallest = 200,
  ) => createChain({ seed, name, begin: since, pace, types, strangers, smallest })
  const chains: Readonly<Record<PrimaryChain, GrowingChain>> = {
    P: chain('P', evenly(paces.P) ?? [2, 14], P_TYPES, [1, 3]),
    X: chain('X', evenly(paces.X) ?? [10, 50], ['Standard'], [1, 3]),
    C: chain('C', evenly(paces.C) ?? [1, 3], ['Standard'], [0, 0], begin, SMALLEST_EVM_BLOCK),
  }
  const ledger = createLedger(seed, begin, chains)
  const staking = createStaking({ seed, ledger, validators: validators.all, shrink: validators.shrink })
  const trade = createTrade({ seed, begin, epoch, queue, ledger })
  const l1s = createL1s({ seed, begin, others: 1_400, target: 10_000, excessConstant: 1_246_488_515, minPrice: 512 })
  const operator = createOperator(seed, ledger)
  const l1Activity = createL1Activity({ seed, begin, isCalm, l1s, ledger, queue, operator })
  const subnets = createSubnetActivity({ seed, l1s, ledger, operator })
  const evmWallets = createWallets(seed)
  const watching = ids.slice(0, observers)
  const own = { seed, begin, isCalm, queue, upgrade, supplies, ids, watching, chain, operator, l1Activity, subnets }
  return { ...own, validators, chains, ledger, staking, trade, l1s, evmWallets }
}

function evenly(pace: number | undefined): readonly [number, number] | undefined {
  return pace === undefined ? undefined : [pace, pace]
}

function createEvmOfL1(
  { seed, isCalm, evmWallets: wallets }: Parts,
  { evmChainId: chainId, blockchainId, name }: L1,
  blocks: Chain,
  pace: readonly [number, number],
): EvmChain {
  const token = { name, symbol: name.slice(0, 4).toUpperCase() }
  const traffic = { busy: isCalm ? 2 : 12, gasLimit: 12_000_000, past: 90_000, round: rounds.quiet, every: 20 }
  return createEvmChain({ seed, chainId, blockchainId, token, wallets, blocks, pace, ...traffic, outside: () => 0n })
}

/** The EVM chains that are there from the beginning, and all growing chains by their ids. */
function createEvmChains(parts: Parts) {
  const { seed, isCalm, chain, chains, l1s, evmWallets: wallets, trade } = parts
  const pace = isCalm ? ([10, 10] as const) : ([1, 6] as const)
  const blocksOfL1s = l1s.all.slice(0, 2).map((l1) => ({ l1, blocks: chain(l1.name, pace, ['Standard']) }))
  const evm = [
    createEvmChain({
      seed,
      chainId: 43_113,
      blockchainId: chainIds.C,
      token: { name: 'Avalanche', symbol: 'AVAX' },
      wallets,
      blocks: chains.C,
      pace: [1, 3],
      busy: isCalm ? 4 : 60,
      gasLimit: 32_000_000,
      past: 41_000_000,
      round: rounds.busy,
      every: 150,
      outside: trade.outside,
    }),
    ...blocksOfL1s.map(({ l1, blocks }) => createEvmOfL1(parts, l1, blocks, pace)),
  ]
  const growing = new Map([
    ...(['P', 'X', 'C'] as const).map((name) => [chainIds[name], chains[name]] as const),
    ...blocksOfL1s.map(({ l1, blocks }) => [l1.blockchainId, blocks] as const),
  ])
  return { evm, growing }
}

/** Validators of other L1s come and go. */
function scheduleJoins({ seed, begin, queue, l1s }: Parts): void {
  const happen = (at: number) => {
    const dice = random(seed, 'joins', at)
    l1s.join(dice.between(-2, 3), at)
    queue.put({ at: at + dice.between(120, 1_200), happen })
  }
  queue.put({ at: begin + 60, happen })
}

/** The last of the nodes begins to follow the second L1, and leaves it again. */
function scheduleVisits({ seed, begin, queue, l1s, watching }: Parts): void {
  const { followers } = l1s.all[1]!
  const visitor = watching.at(-1)!
  const happen = (at: number) => {
    if (!followers.delete(visitor)) followers.add(visitor)
    queue.put({ at: at + random(seed, 'visits', at).between(120, 420), happen })
  }
  queue.put({ at: begin + 120, happen })
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

/** From time to time one of the validators goes down, or the way to it from one of the observers given. */
function scheduleOutages(parts: Parts, kind: string, { every, lasting, of, seenBy, at: set }: Outages): void {
  const { seed, begin, queue, validators } = parts
  const { disconnect, reconnect } = set ?? validators
  let count = 0
  const happen = (at: number) => {
    count += 1
    const dice = random(seed, kind, count)
    const reason = `${kind} ${count}`
    const nodeId = dice.pick(of)
    disconnect(nodeId, reason, at, seenBy ? [dice.pick(seenBy)] : validators.observers)
    queue.put({ at: at + dice.between(...lasting), happen: (end) => reconnect(nodeId, reason, end) })
    queue.put({ at: at + dice.between(...every), happen })
  }
  if (of.length > 0) queue.put({ at: begin + random(seed, kind, 0).between(...every), happen })
}

function scheduleAllOutages(parts: Parts): void {
  const { ids, watching, l1s } = parts
  scheduleOutages(parts, 'validator', { every: [60, 600], lasting: [60, 1_800], of: ids })
  scheduleOutages(parts, 'way', { every: [30, 300], lasting: [60, 1_800], of: ids, seenBy: watching })
  // The first validators with a poor past keep failing, so that their operators have something to see.
  const [blamed, poor] = [ids.slice(3, 4), ids.slice(4, 5)]
  const first = watching.slice(0, 1)
  scheduleOutages(parts, 'poor way', { every: [300, 900], lasting: [60, 300], of: blamed, seenBy: first })
  const of = l1s.all.flatMap(({ validators, legacy }) => [...validators, ...legacy]).map(({ nodeId }) => nodeId)
  const ofL1s = { every: [120, 900], lasting: [60, 900], of, at: l1s } as const
  scheduleOutages(parts, 'L1 validator', ofL1s)
  scheduleOutages(parts, 'way to an L1', { ...ofL1s, seenBy: watching })
  scheduleOutages(parts, 'poor validator', { every: [300, 900], lasting: [60, 300], of: poor })
}

/** The owner of the first validator that renews itself wants it to leave, then to go on with shorter periods. */
function scheduleDecisions({ queue, validators, staking }: Parts): void {
  const renewing = [...validators.all.values()].find(({ renewal }) => renewal)
  if (!renewing?.renewal) return
  const { shares } = renewing.renewal
  const decide = (after: number, period: number) =>
    queue.put({ at: renewing.end + after, happen: () => void staking.setRenewal(renewing, { period, shares }) })
  decide(60, 0)
  decide(240, 14 * DAY)
}

/** Once a day drops what is over for long from the lists; heights, totals and balances stay. */
function scheduleForgetting(parts: Parts, growing: ReadonlyMap<string, GrowingChain>): void {
  const { begin, queue, ledger, staking, validators, l1s, supplies } = parts
  const happen = (at: number) => {
    const before = at - RETENTION
    const l1Validators = new Set(l1s.all.flatMap((l1) => l1.validators.map(({ validationId }) => validationId)))
    ledger.forget(before, l1Validators)
    staking.forget(before)
    validators.keepSince(before)
    l1s.keepSince(before)
    for (const one of growing.values()) one.forget(before)
    const first = supplies.findLastIndex(({ since }) => since <= before)
    if (first > 0) supplies.splice(0, first)
    queue.put({ at: at + DAY, happen })
  }
  queue.put({ at: begin + DAY, happen })
}

export function createWorld(options: WorldOptions): World {
  const { seed, epoch, isCalm = false } = options
  const parts = createParts(options)
  const { queue, l1s, ledger, watching, chains, supplies, upgrade } = parts
  const { evm, growing } = createEvmChains(parts)
  let now = parts.begin
  if (!isCalm) scheduleJoins(parts)
  const [followed, , lantern] = l1s.all
  followed!.followers.add(watching[0]!)
  for (const nodeId of watching) lantern!.followers.add(nodeId)
  if (!isCalm) scheduleVisits(parts)
  if (!isCalm) scheduleAllOutages(parts)
  if (!isCalm) scheduleDecisions(parts)
  scheduleForgetting(parts, growing)

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

  const sights = createSights<World>(() => world)
  const relayer = createRelayer(isCalm)
  const releases = createReleases(seed, upgrade, isCalm, { nodeId: watching[0]!, at: epoch + 420 })
  const levels = createLevels()
  const turns = createTurns(parts.validators, chains.P)
  const proposals = proposalsOf(chains, turns, isEmptyOn(evm))
  for (const name of ['P', 'X', 'C'] as const) chains[name].postponeBy(proposals[name].postpone)
  const script = createScript({
    ...parts,
    turns,
    relayer,
    releases,
    levels,
    evm,
    sights,
    growing,
    wallets: createWalletActivity(seed, ledger),
    owner: parts.operator.address,
    grow(subnet, secondsPerBlock, since) {
      const pace = [secondsPerBlock, secondsPerBlock] as const
      const blocks = parts.chain(subnet.name, pace, ['Standard'], [0, 0], since + secondsPerBlock)
      growing.set(subnet.blockchainId, blocks)
      evm.push(createEvmOfL1(parts, subnet, blocks, pace))
    },
  })

  advance(epoch)
  const { validators, staking, trade, evmWallets } = parts
  const shown = { validators, chains, ledger, staking, trade, l1s, evmWallets, upgrade }
  const world: World = {
    epoch,
    now: () => now,
    advance,
    take: (action) => script(action, now),
    seenBy: (who) => sights.seenBy(who),
    ...shown,
    evm,
    releases,
    levels,
    turns,
    proposals,
    indexes: createIndexes(chains, proposals, ledger),
    // Of the chains that are there from the beginning.
    icm: createIcm(seed, [...evm], relayer),
    price: (symbol, currency, at = now) => priceOf(seed, symbol, currency, at),
    supply: (at) => supplies.findLast(({ since }) => since <= at)?.supply,
  }
  return world
}
