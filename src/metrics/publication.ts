// What the poller publishes: plain data that can cross threads.

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

export type FromPoller =
  | Change
  /** The number of tasks of each network from now on, by network name. */
  | { kind: 'planned'; tasks: Readonly<Record<string, number>>; at: Moment }
  /** A reload: the changes show together, or a scrape would see two configurations at once. */
  | { kind: 'changes'; changes: Change[] }
  | { kind: 'status'; status: TaskStatus }
  | { kind: 'error'; error: UpstreamError }
  /** The scheduler is alive. */
  | { kind: 'tick'; at: Moment }

export type Change =
  /**
   * `task` is the key of the task whose answers the unit is made from; left out where no upstream answered. `samples` are for the
   * judge, who takes them off before the change crosses threads.
   */
  | {
      kind: 'publish'
      key: string
      families: Family[]
      samples?: readonly Sample[]
      expiresAt: Moment
      task?: string
    }
  | { kind: 'drop'; keys: string[] }
