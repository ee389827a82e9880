// What counters of several replicas counted together. Each replica begins at another number, starts again without storage, and
// misses what happens while it is down; a replica that was replaced goes on under other target labels.

import type { Month } from '../month.ts'
import { type Answer, type Grid, type Series, timeOf } from './series.ts'

/** A rise of the joint count. */
export interface Rise {
  /** The end of the step in which it rose. */
  time: number
  by: number
}

interface Replica {
  /** The joint count minus its own. */
  offset: number
  last: number
  lastAt: number
}

/**
 * The rises of the joint count within the month. A replica's count is a lower bound, as it may have missed something, so the
 * joint count is the highest. A count that falls has begun again at 0.
 */
export function risesOf(replicas: readonly Series[], grid: Grid, { start, until }: Month): Rise[] {
  const seen = new Map<Series, Replica>()
  const rises: Rise[] = []
  let total = 0
  for (let at = 0; at < grid.length; at += 1) {
    const before = total
    for (const one of replicas) {
      const value = one.values[at]!
      if (Number.isNaN(value)) continue
      const known = seen.get(one) ?? joining(value, total, seen, at)
      if (value < known.last) known.offset += known.last
      Object.assign(known, { last: value, lastAt: at })
      seen.set(one, known)
      total = Math.max(total, known.offset + value)
    }
    const time = timeOf(grid, at)
    if (total > before && time > start && time <= until) rises.push({ time, by: total - before })
  }
  return rises
}

/** A replica that appears goes on with the count of the last one if none runs now; else it agrees with those that run. */
function joining(value: number, total: number, seen: ReadonlyMap<Series, Replica>, at: number): Replica {
  const isAlone = ![...seen.keys()].some(({ values }) => !Number.isNaN(values[at]!))
  const [last] = [...seen.values()].toSorted((a, b) => b.lastAt - a.lastAt)
  if (isAlone && last) return { ...last }
  return { offset: total - value, last: value, lastAt: at }
}

/** By these labels, which are those of the metric: the rises of each thing that is counted. */
export function countsBy({ grid, series }: Answer, month: Month, names: readonly string[]) {
  const keyOf = ({ labels }: Series) => JSON.stringify(names.map((name) => labels[name] ?? ''))
  return [...Map.groupBy(series, keyOf).values()].map((some) => ({
    labels: Object.fromEntries(names.map((name) => [name, some[0]!.labels[name] ?? ''])),
    rises: risesOf(some, grid, month),
  }))
}

export const totalOf = (rises: readonly Rise[]) => rises.reduce((sum, { by }) => sum + by, 0)
