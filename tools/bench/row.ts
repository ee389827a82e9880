// What a row of the table is, and whether it meets its target.

import { median } from './statistics.ts'

export type Target = { most: number } | { least: number }

export interface Row {
  name: string
  target: Target
  /** A ratio is compared with something that is run in the same minute. */
  unit: 'ratio' | 'bytes' | 'ms' | 'share'
  measure(): Promise<Measured>
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

export function isMet(target: Target, value: number): boolean {
  return 'most' in target ? value <= target.most : value >= target.least
}

export async function measure(row: Row): Promise<Result> {
  const { name, target } = row
  const measured = await row.measure()
  if ('leftOut' in measured) return { name, target, leftOut: measured.leftOut }
  const { runs } = measured
  const value = median(runs)
  return {
    name,
    target,
    runs: runs.map(rounded),
    median: rounded(value),
    spread: [rounded(Math.min(...runs)), rounded(Math.max(...runs))],
    met: isMet(target, value),
  }
}

/** More digits would be noise. */
const rounded = (value: number) => Number(value.toPrecision(4))
