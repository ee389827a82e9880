// Series on a grid of times: one value for each step, NaN where there was none.

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
