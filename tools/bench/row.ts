// What a row of the table is, and whether it meets its target.

import { median } from './statistics.ts'

/** `quick` is for CI: fewer runs, smaller sizes, half the target. */
export type Effort = 'full' | 'quick'

export type Target = { most: number } | { least: number }

export interface Row {
  name: string
  target: Target
  /** A ratio is compared with something that is run in the same minute. */
  unit: 'ratio' | 'bytes' | 'ms' | 'share'
  measure(effort: Effort): Promise<Measured>
}

/** One figure per run; the row's value is their median. */
export type Measured = { runs: readonly number[] } | LeftOut

/** What is missing on this machine, and how to get it. */
interface LeftOut {
  leftOut: string
}

export type Result = Pick<Row, 'name' | 'target'> &
  (
    | LeftOut
    | {
        runs: readonly number[]
        median: number
        /** Least and greatest of the runs. */
        spread: readonly [number, number]
        met: boolean
      }
  )

/** A guard has to hold on a busy machine, too. */
const HALF = 2

export function limitOf(target: Target, effort: Effort): number {
  const ease = effort === 'quick' ? HALF : 1
  return 'most' in target ? target.most * ease : target.least / ease
}

export function isMet(target: Target, value: number, effort: Effort): boolean {
  const limit = limitOf(target, effort)
  return 'most' in target ? value <= limit : value >= limit
}

function resultOf(row: Row, measured: Measured, effort: Effort): Result {
  const { name, target } = row
  if ('leftOut' in measured) return { name, target, leftOut: measured.leftOut }
  const { runs } = measured
  const value = median(runs)
  return {
    name,
    target,
    runs: runs.map(rounded),
    median: rounded(value),
    spread: [rounded(Math.min(...runs)), rounded(Math.max(...runs))],
    met: isMet(target, value, effort),
  }
}

/** Other units than ratios depend on the machine, and CI may run on any. */
export async function measure(row: Row, effort: Effort): Promise<Result> {
  const isJudged = effort === 'full' || row.unit === 'ratio'
  const measured = isJudged ? await row.measure(effort) : { leftOut: 'no ratio: only in the full run' }
  return resultOf(row, measured, effort)
}

/** More digits would be noise. */
const rounded = (value: number) => Number(value.toPrecision(4))
