// The texts about alerts and the evaluation of rules, for the page and `stakewatch top`.

import type { Alert, Status } from '../value/status-schema.ts'
import { durationText } from '../../lib/figures.ts'

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

/** What was evaluated, and when: without it, an empty list could mean that nothing was evaluated. */
export function evaluationText({ rules, alerts, timestamp_seconds: now }: Status): string {
  const { evaluated_timestamp_seconds: at, current: isCurrent, alerts: number } = rules
  if (at === null) return 'No condition has been judged yet: the state of alerts is unknown.'
  const judged = `${number - rules.problems.length} of ${number} conditions were judged ${durationText(now - at)} ago`
  if (!isCurrent) return `${judged}: the current state of alerts is unknown.`
  return alerts.length === 0 ? `${judged}: none is a problem.` : `${judged}.`
}
