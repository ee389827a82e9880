// The wallets that trade: payments on the P- and the X-Chain, an asset that one of them makes, and money that goes from
// chain to chain.

import { addressOf, LETTERS, bytesOf } from './ids.ts'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Inclusion } from './blocks.ts'
import { type Asset, AVAX, BURR, HAZEL, WALNUT } from './fixed-ids.ts'
import type { Draft, Ledger } from './ledger.ts'
import type { Queue } from './event-queue.ts'
import { type Random, random } from './random.ts'
import { CREATION_FEE, FEES, spending, sumOf } from './wallet-drafts.ts'

export interface Trader {
  /** On the P- and the X-Chain, without their prefixes. */
  address: string
  /** On the C-Chain. */
  evm: string
}

export interface Trade {
  /** The first is there to be watched: it has locked tokens as well. */
  traders: readonly Trader[]
  /**
   * What an address of the C-Chain has had from other chains up to a block, less what it has sent there, never below 0:
   * in the smallest unit of the EVM, a billionth of that of the other chains.
   */
  outside(address: string, blockNumber: number): bigint
}

interface TradeOptions {
  seed: number
  begin: number
  /** When the world is handed over. */
  epoch: number
  queue: Queue
  ledger: Ledger
}

const TRADERS = 6
/** In the smallest unit of the P- and the X-Chain, which has as many of the smallest unit of the EVM. */
const TOKEN = 1_000_000_000n
/** A thousandth. */
const MILLI = 1_000_000n
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
const ROUTES: readonly (readonly [from: PrimaryChain, to: PrimaryChain])[] = [
  ['P', 'X'],
  ['X', 'P'],
  ['P', 'C'],
  ['C', 'P'],
  ['X', 'C'],
  ['C', 'X'],
]

interface State extends TradeOptions {
  traders: readonly Trader[]
  /** By address on the C-Chain: the sum after each change. */
  flows: ReadonlyMap<string, { height: number; sum: bigint }[]>
  /** Whether the second trader has made its asset. */
  isMade: boolean
  /** How many trades there have been. */
  count: number
}

export function createTrade(options: TradeOptions): Trade {
  const { seed } = options
  const traders = Array.from({ length: TRADERS }, (_, at) => ({
    address: addressOf(random(seed, 'trader', at).bech32(LETTERS)),
    evm: `0x${bytesOf(`trader ${seed}/${at}`, 20)}`,
  }))
  const flows = new Map(traders.map(({ evm }) => [evm, []]))
  const state: State = { ...options, traders, flows, isMade: false, count: 0 }
  traders.forEach(({ address }, at) => endow(options.ledger, random(seed, 'endowment', at), address))
  const dice = random(seed, 'locks')
  lock(options, dice, traders[0]!.address)
  options.queue.put({ at: options.begin + dice.between(30, 90), happen: (at) => trade(state, at) })
  return { traders, outside: (address, block) => sumAt(state, address.toLowerCase(), block) * TOKEN }
}

/** One trade after the other. */
function trade(state: State, at: number): void {
  state.count += 1
  const dice = random(state.seed, 'trade', state.count)
  const luck = dice.next()
  if (luck < 0.4) pay(state, dice, dice.pick(['P', 'X']), AVAX)
  else if (luck < 0.55) pay(state, dice, 'X', dice.pick([HAZEL, HAZEL, WALNUT]))
  else if (luck < 0.56) make(state, dice)
  else cross(state, dice, at)
  state.queue.put({ at: at + dice.between(30, 90), happen: (next) => trade(state, next) })
}

function sumAt({ flows }: State, evm: string, block: number): bigint {
  return flows.get(evm)?.findLast(({ height }) => height <= block)?.sum ?? 0n
}

function flow(state: State, evm: string, { height }: Inclusion, amount: bigint): void {
  state.flows.get(evm)!.push({ height, sum: sumAt(state, evm, height) + amount })
}

function pay({ ledger, traders, count }: State, dice: Random, chain: 'P' | 'X', asset: Asset): void {
  const from = dice.between(0, TRADERS - 1)
  const owner = traders[from]!.address
  const payee = traders[(from + dice.between(1, TRADERS - 1)) % TRADERS]!.address
  const amount = amountIn(dice, asset)
  const facts = dice.next() < 0.3 ? { memo: `invoice ${count}` } : {}
  const outputs = [{ owner: payee, amount, asset }]
  ledger.submit(chain, (block) => spending(ledger, block, { chain, owner, type: 'BaseTx', outputs, facts }))
}

/** The second trader makes an asset, and more of it from time to time. */
function make(state: State, dice: Random): void {
  const { ledger, traders } = state
  const owner = traders[1]!.address
  const made = { owner, amount: amountIn(dice, WALNUT), asset: WALNUT }
  ledger.submit('X', (block) => {
    const [type, fee] = state.isMade ? ['OperationTx', FEES.X] : ['CreateAssetTx', CREATION_FEE]
    const draft = spending(ledger, block, { chain: 'X', owner, type, outputs: [], fee })
    if (!draft) return undefined
    state.isMade = true
    return { ...draft, outputs: [made, ...draft.outputs] }
  })
}

type Route = (typeof ROUTES)[number]

function exported(state: State, trader: Trader, [from, to]: Route, amount: bigint, block: Inclusion) {
  const { address: owner, evm } = trader
  const outputs = [{ owner, amount, destination: to }]
  const facts = { sourceChain: from, destinationChain: to }
  if (from !== 'C') return spending(state.ledger, block, { chain: from, owner, type: 'ExportTx', outputs, facts })
  const paid = amount + FEES.C
  if (sumAt(state, evm, block.height) < paid) return undefined
  flow(state, evm, block, -paid)
  return { type: 'ExportTx', consumed: [], outputs, facts: { ...facts, evm: [{ address: evm, amount: paid }] } }
}

/** What the trader exported in a block of the other chain. */
function imported(state: State, trader: Trader, [from, to]: Route, sent: number, block: Inclusion) {
  const { address: owner, evm } = trader
  const consumed = [...state.ledger.unspentOf(owner)].filter(
    ({ chain, destination, height }) => chain === from && destination === to && height === sent,
  )
  const amount = sumOf(consumed) - FEES[to]
  if (amount <= 0n) return undefined
  const draft = { type: 'ImportTx', consumed, facts: { sourceChain: from, destinationChain: to } }
  if (to !== 'C') return { ...draft, outputs: [{ owner, amount }] }
  flow(state, evm, block, amount)
  return { ...draft, outputs: [], facts: { ...draft.facts, evm: [{ address: evm, amount }] } }
}

function cross(state: State, dice: Random, at: number): void {
  const { ledger, queue, traders } = state
  const trader = dice.pick(traders)
  const route = dice.pick(ROUTES)
  const amount = amountIn(dice, AVAX)
  let sent: number | undefined
  ledger.submit(route[0], (block): Draft | undefined => {
    const draft = exported(state, trader, route, amount, block)
    if (draft) sent = block.height
    return draft
  })
  // The slowest chain has a block every 50 seconds. Some forget for hours that there is something to fetch.
  const patience = dice.next() < 0.2 ? dice.between(2 * HOUR, DAY) : dice.between(MINUTE, 5 * MINUTE)
  const fetch = () =>
    ledger.submit(route[1], (block) => (sent === undefined ? undefined : imported(state, trader, route, sent, block)))
  queue.put({ at: at + patience, happen: fetch })
}

/** What the first trader has that is locked, and a token of its own. */
function lock({ ledger, epoch }: TradeOptions, dice: Random, owner: string): void {
  const locked = [
    { owner, amount: 500n * TOKEN, platformLocktime: epoch + dice.between(10 * MINUTE, 2 * HOUR) },
    { owner, amount: 2_500n * TOKEN, stakeableLocktime: epoch + dice.between(DAY, 10 * DAY) },
  ]
  ledger.genesis('P', { type: 'BaseTx', consumed: [], outputs: locked })
  // Locked until the day after tomorrow: on the X-Chain, and on its way there.
  const platformLocktime = epoch + 2 * DAY
  const burr = { owner, amount: 1n, asset: BURR, nft: { groupId: 1, payload: '0x6275727220372f3230' } }
  ledger.genesis('X', { type: 'BaseTx', consumed: [], outputs: [{ owner, amount: 40n * TOKEN, platformLocktime }] })
  ledger.genesis('X', { type: 'OperationTx', consumed: [], outputs: [burr] })
  const leaving = { owner, amount: 30n * TOKEN, destination: 'X', platformLocktime } as const
  ledger.genesis('P', { type: 'ExportTx', consumed: [], outputs: [leaving] })
}

/** What a trader has at the beginning. */
function endow(ledger: Ledger, dice: Random, owner: string): void {
  const some = (asset: Asset, unit: bigint) =>
    Array.from({ length: 3 }, () => ({ owner, asset, amount: BigInt(dice.between(200, 2_000)) * unit }))
  ledger.genesis('P', { type: 'BaseTx', consumed: [], outputs: some(AVAX, TOKEN) })
  ledger.genesis('X', { type: 'BaseTx', consumed: [], outputs: [...some(AVAX, TOKEN), ...some(HAZEL, 100n)] })
}

function amountIn(dice: Random, asset: Asset): bigint {
  return BigInt(dice.between(500, 40_000)) * (asset === AVAX ? MILLI : 1n)
}
