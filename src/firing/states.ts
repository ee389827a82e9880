// The states of an alert between evaluations, as in Prometheus: pending, firing, and held for a while after its condition has
// become false.

import { HOLD, type Rule } from '../alerts/rule.ts'
import type { Labels } from '../lib/label-text.ts'
import { keyOf, type Vector } from '../promql/sample.ts'

/** One alert. Times are milliseconds since the epoch. */
export interface Instance {
  labels: Labels
  /** The value of the expression when it was last true. */
  value: number
  /** Since when the expression has been true. */
  activeAt: number
  firedAt?: number
  /** Since when it is held: the expression is no longer true, or can no longer be evaluated. */
  heldSince?: number
}

export type Instances = ReadonlyMap<string, Instance>

/** After an evaluation at `now` with this result. Throws when two of its samples have the same labels. */
export function advance(
  { for: waits, hold = HOLD }: Pick<Rule, 'for' | 'hold'>,
  before: Instances,
  result: Vector,
  now: number,
): Map<string, Instance> {
  const found = new Map<string, Vector[number]>()
  for (const sample of result) {
    const key = keyOf(sample.labels)
    if (found.has(key)) throw new Error('several samples of the result have the same labels')
    found.set(key, sample)
  }
  const after = new Map<string, Instance>()
  for (const [key, { labels, value }] of found) {
    const { activeAt = now, firedAt } = before.get(key) ?? {}
    const isDue = now - activeAt >= waits * 1_000
    const fired = firedAt ?? (isDue ? now : undefined)
    after.set(key, { labels, value, activeAt, ...(fired !== undefined && { firedAt: fired }) })
  }
  for (const [key, instance] of before) {
    if (found.has(key) || instance.firedAt === undefined) continue
    const heldSince = instance.heldSince ?? now
    if (now - heldSince < hold * 1_000) after.set(key, { ...instance, heldSince })
  }
  return after
}
