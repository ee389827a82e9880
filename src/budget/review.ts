// What the tasks of an account need, and by how much their intervals grow where the upstream allows less.

import type { Clock } from '../lib/clock.ts'
import type { Task } from '../scheduler/plan.ts'
import { type Rank, ranks } from '../upstream/request-budget.ts'
import type { Account, Kept } from './account.ts'

/** Largest factor by which an interval may grow: beyond it, requests that find no room fail, and say so. */
const MOST_STRETCHED = 16
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Milliseconds between two reviews of what tasks need. */
const REVIEW = 5_000
/** Part of what is left for the ranks that come later: they go on, though slowly. */
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
  /** The ranks of its tasks. */
  ranks: readonly Rank[]
  /** Units that runs of each rank leave to others. */
  kept: Record<Rank, Kept>
  at: number
}

export function rankOf({ collector, subject }: Pick<Task, 'collector' | 'subject'>): Rank {
  if (collector.isFirst?.(subject)) return 'first'
  return collector.isReserved ? 'reserved' : collector.isEssential ? 'essential' : 'other'
}

const ofEach = <Value>(value: (rank: Rank) => Value): Record<Rank, Value> => ({
  first: value('first'),
  reserved: value('reserved'),
  essential: value('essential'),
  other: value('other'),
})

const NOTHING: Kept = { round: 0, day: 0 }

export const noReview = (): Review => ({
  stretch: ofEach(() => 1),
  ranks: [],
  kept: ofEach(() => NOTHING),
  at: -Infinity,
})

/** Added up again now and then, as limits and costs change. */
export function reviewed(one: Reviewed, clock: Clock): Review {
  const now = clock.now().steady
  if (now - one.review.at < REVIEW) return one.review
  const perMinute = ofEach(() => 0)
  const round = ofEach(() => 0)
  for (const { units, task } of one.needs.values()) {
    const rank = rankOf(task)
    perMinute[rank] += (units * task.settings.runsPerDay * MINUTE) / DAY
    round[rank] += units
  }
  const shares = allotments(one.account.allowed(), perMinute)
  const keptFrom = (rank: Rank): Kept => {
    const before = RESERVED.filter((earlier) => ranks[earlier] < ranks[rank])
    const sum = (of: (earlier: Rank) => number) => before.reduce((all, earlier) => all + of(earlier), 0)
    return {
      round: sum((earlier) => round[earlier]),
      day: (sum((earlier) => Math.min(perMinute[earlier], shares[earlier])) * DAY) / MINUTE,
    }
  }
  return (one.review = {
    stretch: ofEach((rank) => stretchOf(perMinute[rank], shares[rank])),
    ranks: ORDER.filter((rank) => perMinute[rank] > 0),
    kept: ofEach(keptFrom),
    at: now,
  })
}

const ORDER = Object.keys(ranks) as Rank[]
const RESERVED: readonly Rank[] = ['first', 'reserved']

/** By how much intervals grow so that a need fits into its share (units a minute). */
const stretchOf = (need: number, share: number) => (need > share ? Math.min(need / share, MOST_STRETCHED) : 1)

/**
 * What each rank may spend of an allowance (units a minute): what the ranks before it leave, of which those after it keep a small
 * part, as far as they need it.
 */
function allotments(allowed: number, need: Readonly<Record<Rank, number>>): Record<Rank, number> {
  const shares = ofEach(() => 0)
  let left = allowed
  for (const [at, rank] of ORDER.entries()) {
    const after = ORDER.slice(at + 1).reduce((sum, one) => sum + need[one], 0)
    shares[rank] = left - Math.min(after, left * FOR_OTHERS)
    left = Math.max(left - need[rank], left * FOR_OTHERS)
  }
  return shares
}
