// The transactions of an EVM chain, each worked out from its number and from the block that it is in.

import { type Accounts, ICM_CONTRACT, numbered, type Token, type Wallet } from './evm-accounts.ts'
import type { Agenda, Step } from './evm-agenda.ts'
import type { Counts } from './evm-counts.ts'
import { createDrafts, type Draft, orderedDraft, type Order, type Orders, ordersFrom } from './evm-drafts.ts'
import { random } from './random.ts'
import { createRecent } from './recent.ts'

export interface EvmTransaction extends Pick<Draft, 'number' | 'step' | 'callType' | 'isDone'> {
  hash: string
  block: number
  /** Its place in the block. */
  index: number
  from: string
  to: string
  /** In the smallest unit of the chain's token, as is the gas price. */
  value: bigint
  gasUsed: number
  gasPrice: bigint
  nonce: number
  /** What it was ordered to be, if it was. */
  order: Order | undefined
}

export interface TokenTransfer {
  transaction: EvmTransaction
  /** No two of a block have the same. */
  logIndex: number
  token: Token
  from: string
  to: string
  /** In the token's smallest unit. */
  value: bigint
}

export interface EvmTransactions {
  at(number: number): EvmTransaction
  inBlock(block: number): EvmTransaction[]
  baseFee(block: number): bigint
  /** Gas of all transactions of a block, and what they pay. */
  totals(block: number): { gasUsed: number; fees: bigint }
  transfers(transaction: EvmTransaction): TokenTransfer[]
  /** What a wallet spends in a round, with its fees. */
  spent(wallet: Wallet, round: number): bigint
}

interface TransactionsOptions {
  seed: number
  chainId: number
  gasLimit: number
  counts: Counts
  agenda: Agenda
  accounts: Accounts
  orders: Orders
}

interface State extends TransactionsOptions {
  draft: (number: number) => Draft
}

const GWEI = 1_000_000_000n
const MILLI = 10n ** 15n
/** Where a transaction goes that makes a contract. */
const NO_ADDRESS = `0x${'0'.repeat(40)}`
/** One block in twelve asks for twenty times the gas. */
const HOT = { oneIn: 12, times: 20 }
/** How many blocks keep their transactions: a few of the newest, which several nodes are asked for. */
const RECENT_BLOCKS = 16
/** Logs of a transaction, at most. */
const LOGS = 8

export function createEvmTransactions(options: TransactionsOptions): EvmTransactions {
  const { seed, chainId, counts, agenda, accounts, orders } = options
  const drafted = createDrafts(seed, chainId, agenda)
  const draft = (number: number) => {
    const order = orders.get(number)
    return order ? orderedDraft(number, order) : drafted(number)
  }
  const state = { ...options, draft }
  const recent = createRecent<number, EvmTransaction[]>(RECENT_BLOCKS)
  const make = (block: number) => gasIn(state, block).map((one) => transaction(state, one.draft, block, one.gas))
  return {
    at(number) {
      const block = counts.blockOf(number)
      const one = draft(number)
      // Only a stranger's call depends on how full the block is.
      const gas = one.gas === one.leastGas ? one.gas : gasIn(state, block)[number - counts.before(block)]!.gas
      return transaction(state, one, block, gas)
    },
    // The transactions of a block that is there do not change any more.
    inBlock: (block) => recent.get(block, make),
    baseFee: (block) => weather(state, block).baseFee,
    totals(block) {
      const all = gasIn(state, block)
      return {
        gasUsed: all.reduce((sum, { gas }) => sum + gas, 0),
        fees: all.reduce((sum, { draft, gas }) => sum + BigInt(gas) * priceOf(state, draft, block), 0n),
      }
    },
    transfers(transaction) {
      const { number, step, index, from, isDone, order } = transaction
      if (order) return order.token ? [{ ...order, token: order.token, transaction, logIndex: LOGS * index }] : []
      if (!isDone || (step?.kind !== 'token' && step?.kind !== 'airdrop')) return []
      const token = step.kind === 'token' ? tokenOf(state, number) : accounts.spam
      const whole = random(seed, 'evm', chainId, 'amount', number).between(1, 5_000)
      const value = BigInt(whole) * 10n ** BigInt(token.decimals)
      const to = step.to ? [accounts.wallets[step.to]] : Object.values(accounts.wallets)
      return to.map((one, at) => ({ transaction, logIndex: LOGS * index + at, token, from, to: one, value }))
    },
    spent: (wallet, round) => spentIn(state, wallet, round),
  }
}

function weather({ seed, chainId }: State, block: number) {
  const dice = random(seed, 'evm', chainId, 'block', block)
  return { baseFee: BigInt(dice.between(25, 40)) * GWEI, heat: dice.between(1, HOT.oneIn) === 1 ? HOT.times : 1 }
}

const priceOf = (state: State, { tip }: Draft, block: number) => weather(state, block).baseFee + BigInt(tip) * GWEI

/** What the transactions ask for, as long as the block has room: then the least that each can do with. */
function gasIn(state: State, block: number): { draft: Draft; gas: number }[] {
  const { counts, gasLimit } = state
  const first = counts.before(block)
  const drafts = Array.from({ length: counts.of(block) }, (_, at) => state.draft(first + at))
  const { heat } = weather(state, block)
  let left = gasLimit - drafts.reduce((sum, { leastGas }) => sum + leastGas, 0)
  return drafts.map((one) => {
    const more = Math.min(left, (one.gas - one.leastGas) * heat)
    left -= more
    return { draft: one, gas: one.leastGas + more }
  })
}

function partners(state: State, { number, step, callType }: Draft): { from: string; to: string } {
  const { wallets, stranger, contract } = state.accounts
  const order = state.orders.get(number)
  if (order) return { from: order.from, to: order.token?.address ?? order.to }
  const own = stranger(number)
  const from = step?.from ? wallets[step.from] : own
  const plain = step ? (step.to ? wallets[step.to] : own) : stranger(number + 1)
  if (callType === 'NATIVE_TRANSFER') return { from, to: plain }
  if (callType === 'CONTRACT_CREATION') return { from, to: NO_ADDRESS }
  return { from, to: step ? contractOf(state, number, step) : contract }
}

function contractOf(state: State, number: number, { kind }: Step): string {
  if (kind === 'token') return tokenOf(state, number).address
  return kind === 'airdrop' ? state.accounts.spam.address : ICM_CONTRACT
}

const tokenOf = ({ seed, chainId, accounts }: State, number: number) =>
  random(seed, 'evm', chainId, 'token', number).pick(accounts.tokens)

function valueOf(state: State, { number, step, callType }: Draft): bigint {
  if (callType !== 'NATIVE_TRANSFER') return 0n
  const order = state.orders.get(number)
  if (order) return order.value
  const dice = random(state.seed, 'evm', state.chainId, 'value', number)
  if (!step) return BigInt(dice.between(1, 200_000)) * MILLI
  if (step.kind === 'payment') return BigInt(dice.between(1_000, 20_000)) * MILLI
  return spentIn(state, step.to!, Math.floor(step.number / state.agenda.length) - 1)
}

function spentIn(state: State, wallet: Wallet, round: number): bigint {
  if (round < 0) return 0n
  const { agenda, counts } = state
  const { at, before } = agenda.sent[wallet]
  const [first, end] = [before(round * agenda.length), before((round + 1) * agenda.length)]
  let sum = 0n
  for (let sending = first; sending < end; sending += 1) {
    const one = state.draft(agenda.transactionOf(at(sending)))
    const fee = BigInt(one.gas) * priceOf(state, one, counts.blockOf(one.number))
    sum += fee + (one.isDone ? valueOf(state, one) : 0n)
  }
  return sum
}

/** How many the sender has sent before; a stranger sends one alone. */
function nonceOf({ accounts: { wallets }, agenda, orders }: State, { number, step }: Draft): number {
  const from = step?.from ? wallets[step.from] : orders.get(number)?.from
  const wallet = Object.entries(wallets).find(([, address]) => address === from)?.[0] as Wallet | undefined
  return wallet ? agenda.sent[wallet].before(agenda.from(number)) + ordersFrom(orders, wallets[wallet], number) : 0
}

function transaction(state: State, one: Draft, block: number, gasUsed: number): EvmTransaction {
  const { number, step, callType, isDone } = one
  return {
    number,
    step,
    callType,
    isDone,
    hash: numbered(64, number, state.seed, 'evm', state.chainId, 'transaction hash'),
    block,
    index: number - state.counts.before(block),
    ...partners(state, one),
    value: valueOf(state, one),
    gasUsed,
    gasPrice: priceOf(state, one, block),
    nonce: nonceOf(state, one),
    order: state.orders.get(number),
  }
}
