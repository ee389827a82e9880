// How people write another limit: in the configuration, and in the flags of backtest.

import { parseDuration } from '../lib/duration.ts'
import { type Thresholds, thresholds } from './thresholds.ts'

export type Limits = { readonly [name in keyof Thresholds]?: number }

/** Limits that are neither a time nor a share. */
const plain: ReadonlySet<string> = new Set<keyof Thresholds>([
  'blocksDue',
  'budgetStretch',
  'collectorIntervals',
  'gasPriceRise',
  'l1PriceRise',
  'listedBehindBlocks',
  'nodeBehindBlocks',
  'nodeRestarts',
  'restarts',
  'throughputLeast',
  'turnsMissed',
  'turnsMissedLeast',
  'unsteadyOutages',
])

/**
 * Plain limits of how many times as much something is: less than 1 would always be exceeded. And of restarts: StakewatchDown knows them by
 * a value above the limit, and what is no restart has the value 1.
 */
const fromOne: ReadonlySet<string> = new Set<keyof Thresholds>([
  'budgetStretch',
  'gasPriceRise',
  'l1PriceRise',
  'restarts',
])

/** All limits, with those of the configuration. */
export const limitsOf = ({ limits: own }: { limits: Limits }): Thresholds => ({ ...thresholds, ...own })

export const isLimit = (name: string): name is keyof Thresholds => Object.hasOwn(thresholds, name)

/** The limit in its unit, seconds for a time; or what was expected instead. */
export function readLimit(name: keyof Thresholds, text: string): number | { expected: string } {
  const isPlain = plain.has(name)
  const isTime = !isPlain && thresholds[name] > 1
  const duration = isTime ? parseDuration(text) : undefined
  const number = duration === undefined ? (/^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN) : duration / 1_000
  const isFromOne = fromOne.has(name)
  if (number > 0 && !(isFromOne && number < 1) && (isPlain || isTime || number <= 1)) return number
  const expected = isTime
    ? 'seconds or a duration such as 2h'
    : isPlain
      ? `a number ${isFromOne ? 'from 1 on' : 'above 0'}`
      : 'a share between 0 and 1'
  return { expected: `${expected} for ${name}, which is ${thresholds[name]}` }
}
