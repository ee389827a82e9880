// Asks Prometheus the questions of the report, in pieces of the month that it can answer.

import { BaseError, toBaseError } from '../../errors.ts'
import { entryOf } from '../../lib/entry.ts'
import { type Labels, sortedLabels } from '../../lib/label-text.ts'
import { DAY } from '../../lib/seconds.ts'
import type { Prometheus } from '../monitoring/prometheus.ts'
import { type Answer, type Grid, gridOf, indexOf, timeOf } from './figures/series.ts'
import type { Month } from './month.ts'
import { type Question, type QuestionName, questions } from './questions.ts'

export type Answers = Readonly<Record<QuestionName, Answer>>

/** Steps of one request: a day of minutes, two months of hours. Prometheus allows 11,000. */
const MOST_STEPS = 1_440
/** Seconds of one request: each step may read 240 samples of a series, and Prometheus reads 50,000,000 at most. */
const LONGEST = 5 * DAY
/** Requests at a time: the server evaluates rules as well. */
const PARALLEL = 4

export interface Asked {
  prometheus: Prometheus
  month: Month
  /** Selects validators. */
  only: string
  /** Whether wallets and upstreams are left out. */
  isPartial: boolean
  /** Called with the share that is done. */
  progress(done: number, all: number): void
}

export async function askAll({ prometheus, month, only, isPartial, progress }: Asked): Promise<Answers> {
  const waiting = Object.entries<Question>(questions)
  const all = waiting.length
  const answers: Record<string, Answer> = {}
  let isOver = false
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, question] = next
      const isLeftOut = isPartial && question.about === 'rest'
      const none: Answer = { grid: gridOf(month, question), series: [] }
      const answer = isLeftOut ? none : await ask(prometheus, question, month, only)
      if (isOver) return
      answers[name] = answer
      progress(Object.keys(answers).length, all)
    }
  }
  // After a failure nothing more is asked or shown.
  await Promise.all(Array.from({ length: PARALLEL }, work)).finally(() => (isOver = true))
  return answers as Answers
}

/** No amount of the metrics is larger, and a text of a larger number would have an exponent. */
const MOST = 1e18
/** Dates end there, in seconds. */
const LAST_DATE = 8.64e12

export async function ask(prometheus: Prometheus, question: Question, month: Month, only: string): Promise<Answer> {
  const grid = gridOf(month, question)
  const found = new Map<string, { labels: Labels; values: Float64Array }>()
  const steps = Math.min(MOST_STEPS, LONGEST / grid.step)
  const most = question.isTime ? LAST_DATE : MOST
  for (let from = 0; from < grid.length; from += steps) {
    const pieces = await piecesOf(prometheus, question.expr(only), grid, from, Math.min(from + steps, grid.length))
    for (const { labels, values } of pieces) {
      const kept = sortedLabels(Object.entries(labels))
      const none = () => ({ labels: kept, values: new Float64Array(grid.length).fill(NaN) })
      const one = entryOf(found, JSON.stringify(kept), none)
      for (const [time, value] of values) if (Math.abs(value) < most) one.values[indexOf(grid, time)] = value
    }
  }
  return { grid, series: [...found.values()] }
}

/** The values from one index to before another. An answer that is too large is asked for in halves. */
async function piecesOf(
  prometheus: Prometheus,
  expr: string,
  grid: Grid,
  from: number,
  to: number,
): Promise<Awaited<ReturnType<Prometheus['queryRange']>>> {
  const range = { start: timeOf(grid, from), end: timeOf(grid, to - 1), step: grid.step }
  try {
    return await prometheus.queryRange(expr, range)
  } catch (thrown) {
    const { code, message, details } = toBaseError(thrown)
    if (code !== 'too_large') throw thrown
    if (to - from < 2)
      throw new BaseError('too_large', `${message}; name fewer validators with --validator`, { details })
    const middle = Math.ceil((from + to) / 2)
    const first = await piecesOf(prometheus, expr, grid, from, middle)
    return [...first, ...(await piecesOf(prometheus, expr, grid, middle, to))]
  }
}
