// The texts about alerts, rounds of the judge and turns to build blocks, for the page and `stakewatch top`.

import type { Alert, Status, Turns, Validator } from '../value/status-schema.ts'
import { durationText, timeText, UNKNOWN } from '../../lib/figures.ts'

/** Whether it fires, and since when. */
export function stateText(one: Alert, now: number): string {
  const ago = (timestamp: number | null) => durationText(now - (timestamp ?? now))
  switch (one.state) {
    case 'pending':
      return `pending for ${ago(one.active_timestamp_seconds)}`
    case 'firing':
      return `firing for ${ago(one.firing_timestamp_seconds)}`
    case 'held':
      return `firing for ${ago(one.firing_timestamp_seconds)}, last true ${ago(one.held_timestamp_seconds)} ago`
    default:
      return 'not judged for two minutes'
  }
}

/** What was judged, and when: without it, an empty list could mean that nothing was judged. */
export function evaluationText({ rules, alerts, timestamp_seconds: now }: Status): string {
  const { evaluated_timestamp_seconds: at, current: isCurrent, alerts: number } = rules
  if (at === null) return 'No condition has been judged yet: the state of alerts is unknown.'
  const judged = `${number - rules.problems.length} of ${number} conditions were judged ${durationText(now - at)} ago`
  if (!isCurrent) return `${judged}: the current state of alerts is unknown.`
  return alerts.length === 0 ? `${judged}: none is a problem.` : `${judged}.`
}

/** Why a list is empty: other shards may have what the configuration names. */
export const noneText = ({ shard }: Pick<Status, 'shard'>, things: string) =>
  `No ${things} ${shard.shards > 1 ? 'fall to this shard' : 'are configured'}.`

/** By the judge: where observers are split, the median may have no time left either. */
export const isRewardLost = ({ alerts }: Pick<Validator, 'alerts'>): boolean =>
  alerts.some(({ alert, state }) => alert === 'StakewatchRewardLost' && state !== 'held')

/** `made 41 of 42 this week`, `none this week`. */
export function turnsText({ made, missed, whole_week, since_timestamp_seconds: since }: Omit<Turns, 'chains'>): string {
  if (made === null || missed === null) return UNKNOWN
  const when = whole_week ? 'this week' : `since ${timeText(since)}`
  const all = made + missed
  return all === 0 ? `none ${when}` : `made ${made} of ${all} ${when}`
}
