// The report as plain data: what all formats are made of. Times in seconds since the epoch; amounts in the smallest unit of the
// token. What is not known is undefined, and never 0.

import type { Outage, Span, Times } from './timeline.ts'

export interface Report {
  month: string
  from: number
  until: number
  /** Whether the month is over. */
  isComplete: boolean
  /** Whether the report is about some validators only. */
  isPartial: boolean
  validators: readonly ValidatorReport[]
  l1s: readonly L1Report[]
  wallets: readonly WalletReport[]
  /** Undefined if Prometheus has no alerts of stakewatch. */
  pages: readonly PageReport[] | undefined
  upstreams: readonly UpstreamReport[]
  /** Figures that the report lacks, because Prometheus has no series for them. */
  missing: readonly Missing[]
}

export interface Missing {
  figure: string
  metric: string
}

/** A validator by its names. */
export interface ValidatorId {
  network: string
  subnet: string
  nodeId: string
  name: string
}

export interface Observer {
  source: string
  times: Times
  /** As it reports itself: of the whole period, at its last report in the month. */
  periodUptime: number | undefined
  budget: number | undefined
}

interface CausedOutage extends Outage {
  /** What alerts and maintenance windows say about that time. */
  causes: readonly string[]
}

export interface At<T> {
  time: number
  value: T
}

/** The first and the last value of the month that are known. */
export interface Change<T> {
  first: At<T>
  last: At<T>
}

export interface Daily<T> {
  /** The start of the day. */
  start: number
  /** The last value that is known of the day. */
  value: T | undefined
}

export interface Money {
  tokens: bigint
  /** At the price of the time; without a price it is undefined. */
  value: { currency: string; amount: number } | undefined
}

/** How a period ended: by stakewatch's count of renewals, or a fixed term that was over. */
export const endings = ['compounded', 'not_compounded', 'removed', 'left', 'unseen', 'term_over', 'unknown'] as const
export type Ending = (typeof endings)[number]

export interface Period {
  start: number | undefined
  end: number | undefined
  /** Undefined while it goes on. */
  ending: Ending | undefined
  /** Whether the validation renews itself; a fixed term does not. */
  isRenewed: boolean
  reward: Money | undefined
  /** Seconds of downtime that the network allows in the period, and what most observers say is left of them. */
  allowance: number | undefined
  budget: number | undefined
  /** What most observers said last about the reward. */
  state: string | undefined
  /** When it was last seen going on. */
  seen: number | undefined
}

/** Undefined where the reward of a period is not known. */
export type Amounts = readonly (Money | undefined)[]

export interface Rewards {
  /** Of periods that ended in the month and were followed by another one. */
  earned: Amounts
  /** Of periods that ended with the removal of the validator. */
  lost: Amounts
  /** Of periods that ended and of which no metric says whether they were rewarded. */
  undecided: Amounts
  /** What the running period earns if the network grants it. */
  pending: Money | undefined
  /** The same by the data service: own rewards, and fees of delegators. */
  listed: readonly { type: string; money: Money }[]
}

/** Turns to build blocks of a chain. */
export interface TurnsReport {
  chain: string
  made: number | undefined
  /** Undefined where only builders are known, such as from the data service. */
  missed: number | undefined
  /** Too little is known of the blocks around them. */
  unknown: number | undefined
  /** When counting began; the start of the month if it had begun before. */
  since: number
  /** How often blocks went uncounted. */
  gaps: number | undefined
}

export interface ValidatorReport extends ValidatorId {
  /** By the vote of the observers. */
  times: Times
  days: readonly { start: number; times: Times }[]
  observers: readonly Observer[]
  outages: readonly CausedOutage[]
  stake: Change<bigint> | undefined
  delegated: Change<bigint> | undefined
  delegators: Change<number> | undefined
  delegationFee: number | undefined
  stakeByDay: readonly Daily<{ own: bigint; delegated: bigint | undefined }>[]
  periods: readonly Period[]
  rewards: Rewards
  turns: readonly TurnsReport[]
}

export interface Balance extends Span {
  validator: ValidatorId
  /** At `from` and `until`, which are the first and last time at which it is known. */
  first: bigint
  last: bigint
  paidIn: bigint
  spent: bigint
  /** Whether the payments are counted; else they are the rises of the balance. */
  isCounted: boolean
  /** With a balance, without one, or unknown. */
  active: Times
  byDay: readonly Daily<bigint>[]
}

export interface Price {
  method: string
  first: number
  last: number
  lowest: number
  highest: number
  /** Of its hourly values. */
  mean: number
  byDay: readonly Daily<number>[]
}

export interface Liveness {
  threshold: string
  /** `up`: most observers saw at least the share that is needed. */
  times: Times
  /** The least that any observer saw above the share that is needed. */
  lowestMargin: number
}

export interface L1Report {
  network: string
  subnet: string
  balances: readonly Balance[]
  price: Price | undefined
  liveness: readonly Liveness[]
}

export interface WalletReport {
  network: string
  address: string
  paid: readonly { type: string; tokens: bigint; values: readonly { currency: string; amount: number }[] }[]
  pending: readonly { type: string; money: Money }[]
  /** Counted rewards without a price at the end, which the values lack. */
  unpriced: number | undefined
  /** How often rewards may have gone uncounted. */
  gaps: number
}

export interface PageReport {
  alert: string
  summary: string
  pages: readonly (Span & { about: string })[]
}

export interface UpstreamReport {
  network: string
  source: string
  times: Times
  /** Sent requests and those that failed; undefined without a counter. */
  requests: { sent: number; failed: number; rateLimited: number } | undefined
}
