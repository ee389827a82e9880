// What the tasks of an account need, and by how much their intervals grow where the upstream allows less.

import type { Clock } from '../lib/clock.ts'
import type { Task } from '../scheduler/plan.ts'
import { type Rank, ranks } from '../upstream/payment.ts'
import type { Account } from './account.ts'

/** Largest factor by which an interval may grow. */
const MOST_STRETCHED = 16
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Milliseconds between two reviews of what tasks need. */
const REVIEW = 5_000
/** Part of the allowance for tasks that are not essential: they go on, though slowly. */
const FOR_OTHERS = 0.1

/** A task, and the units of a run. */
export interface Need {
  task: Task
  units: number
}

interface Reviewed {
  account: Pick<Account, 'allowed'>
  /** By task key. */
  needs: ReadonlyMap<string, Need>
  review: Review
}

export interface Review {
  /** How much longer the intervals of each rank are. */
  stretch: Record<Rank, number>
  /** Units that are kept for reserved runs: of one round of them, and of a day. */
  reserve: { round: number; day: number }
  at: number
}

export const rankOf = ({ isReserved, isEssential }: Task['collector']): Rank =>
  isReserved ? 'reserved' : isEssential ? 'essential' : 'other'

export const noReview = (): Review => ({
  stretch: { reserved: 1, essential: 1, other: 1 },
  reserve: { round: 0, day: 0 },
  at: -Infinity,
})

/** Added up again now and then, as limits and costs change. */
export function reviewed(one: Reviewed, clock: Clock): Review {
  const now = clock.now().steady
  if (now - one.review.at < REVIEW) return one.review
  const perMinute = { reserved: 0, essential: 0, other: 0 }
  let round = 0
  for (const { units, task } of one.needs.values()) {
    const rank = rankOf(task.collector)
    perMinute[rank] += (units * task.settings.runsPerDay * MINUTE) / DAY
    if (rank === 'reserved') round += units
  }
  const reserve = { round, day: (perMinute.reserved * DAY) / MINUTE }
  return (one.review = { stretch: stretches(one.account.allowed(), perMinute), reserve, at: now })
}

/**
 * By how much intervals grow so that the need fits into the allowance (units a minute). Each rank gets what the ranks
 * before it leave, and the ranks after it keep a small part.
 */
function stretches(allowed: number, need: Readonly<Record<Rank, number>>): Record<Rank, number> {
  const bounded = (factor: number) => Math.min(Math.max(1, factor), MOST_STRETCHED)
  const order = Object.keys(ranks) as Rank[]
  const stretch = noReview().stretch
  let left = allowed
  for (const [at, rank] of order.entries()) {
    const after = order.slice(at + 1).reduce((sum, one) => sum + need[one], 0)
    const own = left - Math.min(after, left * FOR_OTHERS)
    if (need[rank] > own) stretch[rank] = bounded(need[rank] / own)
    left = Math.max(left - need[rank], left * FOR_OTHERS)
  }
  return stretch
}
