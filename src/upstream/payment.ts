// How a request is paid for, as the client sees it: what a run brings along, and who pays.

import type { BaseError } from '../errors.ts'
import type { HttpAnswer } from './http.ts'

/** The order in which runs get a budget. What the first two need is kept for them. */
export const ranks = { first: 0, reserved: 1, essential: 2, other: 3 } as const

export type Rank = keyof typeof ranks

/** What a run brings along: its rank, and its claim on each upstream. */
export interface Pass {
  rank: Rank
  claims: Map<Payer, Claim>
}

export interface Claim {
  /** Units promised to the run and not used yet. */
  promised: number
  spent: number
  /** Gives back the connection kept for the run's first request, once. */
  release: () => void
}

export interface Payment {
  units: number
  /** Without a pass nothing comes before the others, and only a configured budget is a limit. */
  pass?: Pass | undefined
}

/** Must be called when a request that was paid for ends. Requests that never left the machine are refunded. */
export type Paid = (outcome: HttpAnswer | BaseError, wasSent?: boolean) => void

export interface Payer {
  /** Pays for a request as soon as there is room. Throws busy, paused or over_budget when there will be none before `signal`. */
  pay(payment: Payment, signal: AbortSignal): Promise<Paid>
  /** Pays when there is room at once and no request waits for it. */
  payNow(payment: Payment): Paid | undefined
  /** The run has ended: takes back what it was promised and did not use. */
  end(pass: Pass): void
}
