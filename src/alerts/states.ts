// The states of an alert between evaluations, as in Prometheus: pending, firing, and held for a while after its condition has
// become false.

import type { Reading } from '../conditions/board.ts'
import type { Said } from '../conditions/details.ts'
import { type Labels, labelKey } from '../lib/label-text.ts'
import { HOLD, type Rule } from './rule.ts'

/** One alert. Times are milliseconds since the epoch. While it is held, it says what it last said. */
export interface Instance extends Said {
  labels: Labels
  /** The value of the expression when it was last true. */
  value: number
  /** Since when the expression has been true. */
  activeAt: number
  firedAt?: number
  /** Since when it is held: the expression is no longer true, or can no longer be evaluated. */
  heldSince?: number
}

/** A sample of the result. */
export interface Found extends Reading, Said {
  /** Since when the daemon has known of it, maybe from before a restart (seconds since the epoch). */
  since?: number
}

export type Instances = ReadonlyMap<string, Instance>

/** After an evaluation at `now` with this result. */
export function advance(
  { for: waits, hold = HOLD }: Pick<Rule, 'for' | 'hold'>,
  before: Instances,
  result: readonly Found[],
  now: number,
): Map<string, Instance> {
  const found = new Map(result.map((sample) => [labelKey(sample.labels), sample]))
  const after = new Map<string, Instance>()
  for (const [key, { labels, value, since, details, unknownSince }] of found) {
    const { activeAt = since === undefined ? now : since * 1_000, firedAt } = before.get(key) ?? {}
    const dueAt = activeAt + waits * 1_000
    const fired = firedAt ?? (now >= dueAt ? dueAt : undefined)
    after.set(key, { labels, value, details, unknownSince, activeAt, ...(fired !== undefined && { firedAt: fired }) })
  }
  for (const [key, instance] of before) {
    if (found.has(key) || instance.firedAt === undefined) continue
    const heldSince = instance.heldSince ?? now
    if (now - heldSince < hold * 1_000) after.set(key, { ...instance, heldSince })
  }
  return after
}
