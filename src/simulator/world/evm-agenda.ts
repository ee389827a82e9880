// What the named wallets do on an EVM chain, and when. At regular distances a transaction takes a step of a list
// that is gone through again and again, so that arithmetic alone finds what a wallet did, how often, and what comes next.

import type { Wallet } from './evm-accounts.ts'
import { random } from './random.ts'

/** Without `from` a stranger does it, without `to` it goes to a contract or a stranger. */
export interface Step {
  kind: 'relay' | 'message' | 'token' | 'airdrop' | 'payment' | 'top-up' | 'deposit'
  from?: Wallet
  to?: Wallet
}

const relay: Step = { kind: 'relay', from: 'relayer' }
const errands: readonly Step[] = [
  { kind: 'token', from: 'treasury', to: 'payroll' },
  { kind: 'top-up', from: 'treasury', to: 'relayer' },
  { kind: 'airdrop' },
  { kind: 'payment', from: 'payroll' },
  { kind: 'token', from: 'market', to: 'treasury' },
  { kind: 'top-up', from: 'treasury', to: 'payroll' },
  { kind: 'token', from: 'payroll', to: 'market' },
  { kind: 'top-up', from: 'treasury', to: 'market' },
  { kind: 'deposit', to: 'treasury' },
]
const messages: readonly Step[] = [
  { kind: 'message', from: 'market', to: 'treasury' },
  { kind: 'message' },
  { kind: 'message', from: 'treasury', to: 'market' },
]

/** What evens out what was spent in the round before: each round has each of these once. */
const settles = ({ kind }: Step) => kind === 'top-up' || kind === 'deposit'

export const rounds = {
  /** A message with every errand. */
  busy: errands.flatMap((errand, at) => [relay, messages[at % 3]!, relay, errand]),
  /** Three messages, with all errands between the first two and fewer after that. */
  quiet: messages.flatMap((message, at) => [
    message,
    ...errands.filter((errand) => at === 0 || !settles(errand)).flatMap((errand) => [relay, errand]),
  ]),
}

/** Those of the steps that are of one kind, counted from 0. */
interface Series {
  /** Where it is among all steps. */
  at(number: number): number
  /** How many come before a step. */
  before(step: number): number
}

export interface Agenda {
  /** Steps of a round. */
  length: number
  step(number: number): Step
  /** The transaction that a step is. */
  transactionOf(step: number): number
  /** The step that a transaction is, if it is one. */
  stepOf(transaction: number): number | undefined
  /** The first step that is this transaction or a later one. */
  from(transaction: number): number
  messages: Series
  relays: Series
  /** Of a wallet: what it sends. */
  sent: Readonly<Record<Wallet, Series>>
}

interface AgendaOptions {
  seed: number
  chainId: number
  round: readonly Step[]
  /** Transactions of the chain, one of which is a step. */
  every: number
}

export function createAgenda({ seed, chainId, round, every }: AgendaOptions): Agenda {
  const transactionOf = (step: number) =>
    step * every + random(seed, 'evm', chainId, 'step', step).between(0, every - 1)
  const series = (isOf: (step: Step) => boolean) => seriesOf(round, isOf)
  const sent = (wallet: Wallet) => series(({ from }) => from === wallet)
  return {
    length: round.length,
    step: (number) => round[number % round.length]!,
    transactionOf,
    stepOf(transaction) {
      const step = Math.floor(transaction / every)
      return transactionOf(step) === transaction ? step : undefined
    },
    from(transaction) {
      const step = Math.floor(transaction / every)
      return transactionOf(step) < transaction ? step + 1 : step
    },
    messages: series(({ kind }) => kind === 'message'),
    relays: series(({ kind }) => kind === 'relay'),
    sent: { treasury: sent('treasury'), payroll: sent('payroll'), market: sent('market'), relayer: sent('relayer') },
  }
}

function seriesOf(round: readonly Step[], isOf: (step: Step) => boolean): Series {
  const places = round.flatMap((step, at) => (isOf(step) ? [at] : []))
  return {
    at: (number) => Math.floor(number / places.length) * round.length + places[number % places.length]!,
    before(step) {
      const inRound = places.filter((place) => place < step % round.length).length
      return Math.floor(step / round.length) * places.length + inRound
    },
  }
}
