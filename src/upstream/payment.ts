// How a request is paid for, as the client sees it: what a run brings along, and who pays.

import type { BaseError } from '../errors.ts'
import type { HttpAnswer } from './http.ts'

/** The order in which runs get a budget. Only a `reserved` one may use its reserve. */
export const ranks = { reserved: 0, essential: 1, other: 2 } as const

export type Rank = keyof typeof ranks

/** What a run brings along: its right of way, and what it was promised when it began. */
export interface Pass {
  rank: Rank
  promised: Map<Payer, number>
  /** Connections that are kept for its first request. What is there gives one back. */
  starting: Map<Payer, () => void>
  /** What was paid for it. */
  spent: Map<Payer, number>
}

export interface Payment {
  units: number
  /** Without one nothing is essential, and only what the operator has configured is a limit. */
  pass?: Pass | undefined
}

/** Must be called with the end of a request that was paid for. What never left the machine is paid back. */
export type Paid = (outcome: HttpAnswer | BaseError, wasSent?: boolean) => void

export interface Payer {
  /** Pays for a request as soon as there is room. Throws busy, paused or over_budget when there will be none before `signal`. */
  pay(payment: Payment, signal: AbortSignal): Promise<Paid>
  /** Pays when there is room at once and nobody waits for it. */
  payNow(payment: Payment): Paid | undefined
  /** The run has ended: takes back what it was promised and did not use. */
  end(pass: Pass): void
}
