// EVM chains: the blocks of a chain as the EVM has them, and what their transactions did. Nothing is kept, all follows
// from the seed.

import { type Accounts, createAccounts, numbered, numberIn, type Token, type Wallets } from './evm-accounts.ts'
import { type Agenda, createAgenda, type Step } from './evm-agenda.ts'
import { type BalanceBefore, createBalances } from './evm-balances.ts'
import { type Counts, createCounts } from './evm-counts.ts'
import {
  createEvmTransactions,
  type EvmTransaction,
  type EvmTransactions,
  type TokenTransfer,
} from './evm-transactions.ts'
import { type Order, ordersWith } from './evm-drafts.ts'
import { RECENT_BLOCKS } from './blocks.ts'
import { random } from './random.ts'
import { createRecent } from './recent.ts'
import type { Blocks } from './up-to.ts'

export interface EvmBlock {
  number: number
  hash: string
  parentHash: string
  time: number
  txCount: number
  gasUsed: number
  gasLimit: number
  /** Smallest unit per gas. */
  baseFee: bigint
  fees: bigint
  /** Transactions of the chain up to this block. */
  cumulative: number
}

export interface EvmChain {
  chainId: number
  blockchainId: string
  gasLimit: number
  /** What fees are paid in; it has 18 decimal places. */
  token: { name: string; symbol: string }
  accounts: Accounts
  agenda: Agenda
  head(): number
  block(number: number): EvmBlock | undefined
  find(hash: string): EvmBlock | undefined
  /** Smallest unit per gas: of a block that is there, or of the next one. */
  baseFee(block: number): bigint
  /** The number of the last block up to a time; -1 where there is none yet. */
  blockAt(time: number): number
  /** In the order of the block, which must be there. */
  transactions(block: number): EvmTransaction[]
  /** By its number: the transactions of the chain are counted from 0. Of a block that is there. */
  transaction(number: number): EvmTransaction
  /** When it was accepted; undefined when it is still to come. */
  timeOf(transaction: number): number | undefined
  /** How many transactions all blocks before this one have. */
  transactionsBefore(block: number): number
  /** Those of an address, newest first, in transactions with numbers from `since` up to `last`. */
  transfers(address: string, since: number, last: number): Iterable<TokenTransfer>
  /** Smallest unit, after a block; 0 of an unknown address. */
  balance(address: string, block: number): bigint
  /** Average transactions per second on a day, counted from 1970. */
  averageTps(day: number): number
  /** One of the next transactions moves the chain's own or another token from a wallet, or to it. */
  order(order: { wallet: string; isIncoming: boolean; value: bigint; token: Token | undefined }): void
  /** From the next block on the usual number of transactions is multiplied by `factor`. */
  setTraffic(factor: number, now: number): void
  /** The same chain with what is known of its blocks somewhere. */
  over(see: (blocks: Blocks) => Blocks): EvmChain
}

interface EvmChainOptions {
  seed: number
  chainId: number
  blockchainId: string
  token: EvmChain['token']
  wallets: Wallets
  /** Its blocks and their times. */
  blocks: Blocks
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  /** Transactions of a block, at most. */
  busy: number
  gasLimit: number
  /** Transactions before the beginning. */
  past: number
  /** What the wallets do, and how many transactions of the chain there are for each of their steps. */
  round: readonly Step[]
  every: number
  /** What imports and exports of the primary network added to an address up to a block. */
  outside: (address: string, block: number) => bigint
}

interface State extends EvmChainOptions {
  counts: Counts
  agenda: Agenda
  accounts: Accounts
  orders: Map<number, Order>
  transactions: EvmTransactions
  balanceBefore: BalanceBefore
  /** From when on, and how much of the usual. */
  traffic: { since: number; factor: number }[]
  recent: ReturnType<typeof createRecent<number, Omit<EvmBlock, 'time'>>>
  bank: string
}

const DAY = 86_400

export function createEvmChain(options: EvmChainOptions): EvmChain {
  const { seed, chainId, wallets, busy, gasLimit, round, every } = options
  const counts = createCounts(seed, chainId, busy)
  const agenda = createAgenda({ seed, chainId, round, every })
  const accounts = createAccounts(seed, chainId, wallets)
  const orders = new Map<number, Order>()
  const transactions = createEvmTransactions({ seed, chainId, gasLimit, counts, agenda, accounts, orders })
  const balanceBefore = createBalances(accounts, agenda, transactions, orders)
  const traffic = [{ since: -Infinity, factor: 1 }]
  const recent: State['recent'] = createRecent(RECENT_BLOCKS)
  const bank = `0x${random(seed, 'evm', chainId, 'bank').hex(40)}`
  const parts = { counts, agenda, accounts, orders, transactions, balanceBefore, traffic, recent, bank }
  return over({ ...options, ...parts }, options.blocks)
}

/** The chain with these of its blocks: it may be known up to an older one somewhere. */
function over(state: State, blocks: Blocks): EvmChain {
  const { chainId, blockchainId, gasLimit, token, accounts, agenda, counts, transactions } = state
  const make = (number: number) => makeBlock(state, number)
  function block(number: number): EvmBlock | undefined {
    const time = blocks.time(number)
    return time === undefined ? undefined : { ...state.recent.get(number, make), time }
  }
  return {
    chainId,
    blockchainId,
    gasLimit,
    token,
    accounts,
    agenda,
    head: blocks.head,
    block,
    find(hash) {
      const number = numberIn(hash)
      return hashOf(state, number) === hash ? block(number) : undefined
    },
    baseFee: transactions.baseFee,
    blockAt: blocks.heightAt,
    transactions: transactions.inBlock,
    transaction: transactions.at,
    timeOf: (transaction) => blocks.time(counts.blockOf(transaction)),
    transactionsBefore: counts.before,
    transfers: (address, since, last) => transfersOf(state, address, since, last),
    balance: (address, number) =>
      state.balanceBefore(address, counts.before(number + 1)) + state.outside(address, number),
    averageTps: (day) => averageTps(state, day),
    order({ wallet, isIncoming, value, token }) {
      const number = nextFree(state)
      const other = isIncoming ? state.bank : accounts.stranger(number)
      const [from, to] = isIncoming ? [other, wallet] : [wallet, other]
      state.orders.set(number, { from, to, value, token })
    },
    setTraffic(factor, now) {
      counts.change(state.blocks.head() + 1, Math.round(state.busy * factor))
      state.traffic.push({ since: now, factor })
    },
    over: (see) => over(state, see(blocks)),
  }
}

function hashOf({ seed, chainId }: State, number: number): string {
  if (number < 0) return `0x${random(seed, 'evm', chainId, 'genesis').hex(64)}`
  return numbered(64, number, seed, 'evm', chainId, 'hash')
}

/** A block that is there does not change any more. */
function makeBlock(state: State, number: number): Omit<EvmBlock, 'time'> {
  const { counts, transactions, gasLimit, past } = state
  return {
    number,
    hash: hashOf(state, number),
    parentHash: hashOf(state, number - 1),
    txCount: counts.of(number),
    ...transactions.totals(number),
    gasLimit,
    baseFee: transactions.baseFee(number),
    cumulative: past + counts.before(number + 1),
  }
}

/** The first transaction that is still to come and neither a wallet's nor ordered. */
function nextFree({ counts, agenda, orders, blocks }: State): number {
  let number = counts.before(blocks.head() + 1)
  while (agenda.stepOf(number) !== undefined || orders.has(number)) number += 1
  return number
}

function averageTps({ seed, chainId, busy, pace, traffic }: State, day: number): number {
  const [begin, end] = [day * DAY, (day + 1) * DAY]
  const seconds = (at: number) =>
    Math.max(0, Math.min(end, traffic[at + 1]?.since ?? Infinity) - Math.max(begin, traffic[at]!.since))
  const share = traffic.reduce((sum, { factor }, at) => sum + factor * seconds(at), 0) / DAY
  const usual = busy / 2 / ((pace[0] + pace[1]) / 2)
  return Number((share * usual * (0.7 + 0.6 * random(seed, 'evm', chainId, 'day', day).next())).toFixed(4))
}

function* transfersOf(state: State, address: string, since: number, last: number): Generator<TokenTransfer> {
  const { accounts, wallets, transactions } = state
  const own = accounts.numberOf(address)
  const isWallet = Object.values(wallets).includes(address)
  for (const number of isWallet ? movingTokens(state, address, since, last) : own === undefined ? [] : [own]) {
    if (number < since || number > last) continue
    for (const transfer of transactions.transfers(transactions.at(number)).toReversed()) {
      if (transfer.from === address || transfer.to === address) yield transfer
    }
  }
}

/** The orders and the steps of a wallet that move tokens, newest first. */
function movingTokens({ orders, agenda }: State, address: string, since: number, last: number): Iterable<number> {
  const ordered = ordersWith(orders, address, last + 1).filter((number) => number >= since)
  const steps = stepsMovingTokens(agenda, since, last)
  return ordered.length === 0 ? steps : [...steps, ...ordered].toSorted((a, b) => b - a)
}

function* stepsMovingTokens(agenda: Agenda, since: number, last: number): Generator<number> {
  for (let step = agenda.from(last + 1) - 1; step >= 0; step -= 1) {
    const number = agenda.transactionOf(step)
    if (number < since) return
    if (['token', 'airdrop'].includes(agenda.step(step).kind)) yield number
  }
}
