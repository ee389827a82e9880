// Series on a grid of times: one value for each step, NaN where there was none. And what counters of several replicas counted
// together: each replica begins at another number, starts again without storage, and misses what happens while it is down; a replica
// that was replaced goes on under other target labels.

import type { Labels } from '../../../lib/label-text.ts'
import type { Month } from '../month.ts'
import type { Question } from '../questions.ts'

/** Value `i` is of the time `start + i * step`, in seconds. */
export interface Grid {
  start: number
  step: number
  length: number
}

export interface Series {
  labels: Labels
  values: Float64Array
}

export interface Answer {
  grid: Grid
  series: readonly Series[]
}

/** The grid of the month: from its start to its end, and the margins around it. */
export function gridOf({ start, until }: Month, { step, margin }: Pick<Question, 'step' | 'margin'>): Grid {
  const first = start - margin.before
  return { start: first, step, length: Math.floor((until + margin.after - first) / step) + 1 }
}

export const timeOf = ({ start, step }: Grid, at: number) => start + at * step
export const indexOf = ({ start, step }: Grid, time: number) => Math.round((time - start) / step)

/** Series with these labels. */
export function having<One extends { labels: Labels }>({ series }: { series: readonly One[] }, wanted: Labels): One[] {
  return series.filter(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value))
}

export interface At<T> {
  time: number
  value: T
}

/** The known values of the month, in the order of their times. One at its first moment is the state before. */
export function knownOf({ values }: Series, grid: Grid, { start, until }: Month): At<number>[] {
  return Array.from(values, (value, at) => ({ time: timeOf(grid, at), value })).filter(
    ({ time, value }) => time >= start && time <= until && !Number.isNaN(value),
  )
}

/** The known values of the one series with these labels; none if there is no such series. */
export function knownWith(answer: Answer, labels: Labels, month: Month): At<number>[] {
  return having(answer, labels).flatMap((one) => knownOf(one, answer.grid, month))
}

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
