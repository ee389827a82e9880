// What the poller publishes.

import type { Moment } from '../lib/clock.ts'
import type { Sample } from './define.ts'
import type { Family } from './exposition.ts'

/** One row of the status page. Times are milliseconds since the epoch. */
export interface TaskStatus {
  key: string
  network: string
  result: 'success' | 'failure' | 'unsupported'
  reason: string
  source: string
  finishedAt: number
  /** Milliseconds. */
  took: number
  /** What it published. */
  series: number
  /** The declared expectations that the run judged. */
  expectations?: readonly ExpectationRow[]
}

export interface ExpectationRow {
  /** Identity labels of the object. */
  labels: Readonly<Record<string, string>>
  expectation: string
  expected: string
  found: string
  isMet: boolean
}

/** Why an upstream last failed, free of secrets. The time is in milliseconds since the epoch. */
export interface UpstreamError {
  network: string
  source: string
  operation: string
  code: string
  reason: string
  at: number
}

/** The key of the unit of an upstream. Dropped, it takes the last error with it. */
export function upstreamUnit({ network, source }: Pick<UpstreamError, 'network' | 'source'>): string {
  return `upstream:${network}/${source}`
}

export type FromPoller =
  | Change
  /** The number of tasks of each network from now on, by network name. */
  | { kind: 'planned'; tasks: Readonly<Record<string, number>>; at: Moment }
  /** A reload: the changes show together, or a scrape would see two configurations at once. */
  | { kind: 'changes'; changes: readonly Change[] }
  | { kind: 'status'; status: TaskStatus }
  | { kind: 'error'; error: UpstreamError }
  /** The scheduler is alive. */
  | { kind: 'tick'; at: Moment }

export type Change =
  | {
      kind: 'publish'
      key: string
      families: readonly Family[]
      /** For the judge; may lack those that it does not read. */
      samples?: readonly Sample[]
      expiresAt: Moment
      /** Key of the task whose answers the unit is made from; left out where no upstream answered. */
      task?: string
    }
  | { kind: 'drop'; keys: readonly string[] }
