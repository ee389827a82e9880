// What becomes of a rule from one evaluation to the next: what holds is pending for a while, then fires, and goes on firing for
// a while when it no longer holds. As Prometheus has it.

import type { Rule } from '../alerts/rule.ts'
import type { Labels } from '../lib/label-text.ts'
import { keyOf, type Vector } from '../promql/sample.ts'

/** One alert. Times are milliseconds since the epoch. */
export interface Instance {
  labels: Labels
  /** That of the expression, when it last held. */
  value: number
  /** Since when the expression has held. */
  activeAt: number
  firedAt?: number
  /** Since when it fires on, though the expression no longer holds or can no longer be computed. */
  heldSince?: number
}

export type Instances = ReadonlyMap<string, Instance>

/** After an evaluation at `now` with this result. Throws when two of its samples have the same labels. */
export function advance(
  rule: Pick<Rule, 'for' | 'hold'>,
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
    const isDue = now - activeAt >= rule.for * 1_000
    const fired = firedAt ?? (isDue ? now : undefined)
    after.set(key, { labels, value, activeAt, ...(fired !== undefined && { firedAt: fired }) })
  }
  for (const [key, instance] of before) {
    if (found.has(key) || instance.firedAt === undefined) continue
    const heldSince = instance.heldSince ?? now
    if (now - heldSince < rule.hold * 1_000) after.set(key, { ...instance, heldSince })
  }
  return after
}
