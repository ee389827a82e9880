// How a request is paid for, as the client sees it: what a run brings along, and who pays.

import type { BaseError } from '../errors.ts'
import type { HttpAnswer } from './http.ts'

/** The order in which runs get a budget. What the first two need is kept for them. */
export const ranks = { first: 0, reserved: 1, essential: 2, other: 3 } as const

export type Rank = keyof typeof ranks

/** What a run brings along: its rank, and its claim on each upstream. */
export interface Allotment {
  rank: Rank
  claims: Map<RequestBudget, Claim>
}

export interface Claim {
  /** Units promised to the run and not used yet. */
  promised: number
  spent: number
  /** Gives back the connection kept for the run's first request, once. */
  release: () => void
}

export interface Charge {
  units: number
  /** Without an allotment nothing comes before the others, and only a configured budget is a limit. */
  allotment?: Allotment | undefined
}

/** Must be called when a request that was paid for ends. Requests that never left the machine are refunded. */
export type Settle = (outcome: HttpAnswer | BaseError, wasSent?: boolean) => void

export interface RequestBudget {
  /** Pays for a request as soon as there is room. Throws busy, paused or over_budget when there will be none before `signal`. */
  pay(charge: Charge, signal: AbortSignal): Promise<Settle>
  /** Pays when there is room at once and no request waits for it. */
  payNow(charge: Charge): Settle | undefined
  /** The run has ended: takes back what it was promised and did not use. */
  end(allotment: Allotment): void
}
