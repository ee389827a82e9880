// The last check before publishing: sample values that are impossible, by type and name of the metric.

import type { RefusalReason } from '../errors.ts'
import { isInFuture } from '../lib/clock.ts'
import type { HistogramValue, Metric, Sample } from './define.ts'

/** Times of future events. All other timestamps are in the past. */
const WILL_BE = /_(end|unlock|depletion|upgrade)_timestamp_seconds$/
/** Stakes of the primary network and of subnets end within a year. Custom networks may differ. */
const LONGEST_STAKE = 10 * 365 * 86_400_000
const ENDS = /_end_timestamp_seconds$/

/** Why the value must not be published; undefined if it may. `now` in milliseconds since the epoch. */
export function impossible(
  { metric, value }: Pick<Sample, 'metric' | 'value'>,
  now: number,
): RefusalReason | undefined {
  if (typeof value === 'number') return impossibleNumber(metric, value, now)
  return typeof value === 'string' ? undefined : impossibleHistogram(value)
}

function impossibleNumber({ name, type }: Metric, value: number, now: number): RefusalReason | undefined {
  if (!Number.isFinite(value)) return 'number'
  if (type === 'counter') return value < 0 ? 'negative' : undefined
  if (name.endsWith('_ratio')) return value < 0 || value > 1 ? 'ratio' : undefined
  if (!name.endsWith('_timestamp_seconds')) return undefined
  if (value < 0) return 'negative'
  if (ENDS.test(name)) return isInFuture(value, now + LONGEST_STAKE) ? 'future' : undefined
  return isInFuture(value, now) && !WILL_BE.test(name) ? 'future' : undefined
}

/** A sum of negative values would fall. */
function impossibleHistogram({ counts, sum }: HistogramValue): RefusalReason | undefined {
  if (![...counts, sum].every(Number.isFinite)) return 'number'
  return [...counts, sum].some((one) => one < 0) ? 'negative' : undefined
}
