// The last check before publishing: sample values that are impossible, by what the definition of the metric says.

import type { RefusalReason } from '../errors.ts'
import { isInFuture } from '../lib/clock.ts'
import type { HistogramValue, Metric, Sample } from './define.ts'

/** Stakes of the primary network and of subnets end within a year. Custom networks may differ. */
const LONGEST_STAKE = 10 * 365 * 86_400_000

/** Why the value must not be published; undefined if it may. `now` in milliseconds since the epoch. */
export function impossible(
  { metric, value }: Pick<Sample, 'metric' | 'value'>,
  now: number,
): RefusalReason | undefined {
  if (typeof value === 'number') return impossibleNumber(metric, value, now)
  return typeof value === 'string' ? undefined : impossibleHistogram(value)
}

function impossibleNumber({ is, type }: Metric, value: number, now: number): RefusalReason | undefined {
  if (!Number.isFinite(value)) return 'number'
  if (type === 'counter') return value < 0 ? 'negative' : undefined
  if (is === 'share') return value < 0 || value > 1 ? 'ratio' : undefined
  if (is === undefined) return undefined
  if (value < 0) return 'negative'
  const latest = { past: now, future: Infinity, end: now + LONGEST_STAKE }[is]
  return isInFuture(value, latest) ? 'future' : undefined
}

/** A sum of negative values would fall. */
function impossibleHistogram({ counts, sum }: HistogramValue): RefusalReason | undefined {
  if (![...counts, sum].every(Number.isFinite)) return 'number'
  return [...counts, sum].some((one) => one < 0) ? 'negative' : undefined
}
