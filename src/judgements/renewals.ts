// How the periods of an auto-renewed validation end (ACP-236). The next period begins in the second in which the one before
// ends, under the same transaction; it begins only if that one is rewarded, and a part of the reward may be staked with it.
// Otherwise the validator is removed. Times in Unix seconds.

/** A period, as a record of the validator has it. */
export interface Period {
  txId: string
  start: number
  end: number
  /** Own stake. */
  weight: bigint
  /** Seconds of the next period; 0 when the validator is to leave at the end of this one. */
  next: number
}

export const outcomes = ['compounded', 'not_compounded', 'removed', 'left', 'unseen'] as const

export type Outcome = (typeof outcomes)[number]

/** A last look longer than this before the end (seconds) may have missed what the owner decided in the meantime. */
const LAST_LOOK = 900

/** How the period ended, given the current record; undefined while the period goes on. */
export function outcomeOfRenewal(before: Period, now: Period): Outcome | undefined {
  // A node that lags still reports an earlier period.
  if (now.start <= before.start) return undefined
  // More than one period has ended.
  if (now.start !== before.end) return 'unseen'
  return now.weight > before.weight ? 'compounded' : 'not_compounded'
}

/** How the period of a validation ended that is gone since `since`; undefined if it cannot have ended yet. */
export function outcomeOfLeaving({ end, next }: Period, seen: number, since: number): Outcome | undefined {
  if (since < end) return undefined
  if (end - seen > LAST_LOOK) return 'unseen'
  if (next === 0) return 'left'
  // Later it may have begun another period and left at the end of that one.
  return since < end + next ? 'removed' : 'unseen'
}
