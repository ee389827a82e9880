// Turns to build blocks as text.

import { timeText, UNKNOWN } from '../../lib/figures.ts'
import type { Turns } from '../value/status-schema.ts'

/** `made 41 of 42 this week`, `none this week`. */
export function turnsText({ made, missed, whole_week, since_timestamp_seconds: since }: Omit<Turns, 'chains'>): string {
  if (made === null || missed === null) return UNKNOWN
  const when = whole_week ? 'this week' : `since ${timeText(since)}`
  const all = made + missed
  return all === 0 ? `none ${when}` : `made ${made} of ${all} ${when}`
}
