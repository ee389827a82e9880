// Absence is an event: series that stakewatch serves and that do not reach the rules.

import { type Group, HOLD, MINUTE, type Recorded, type Rule } from './rule.ts'

interface Expressions {
  groups: readonly Group[]
  recorded: readonly Recorded[]
}

/** It compares what is served with what is stored, so that only Prometheus can tell. */
export const SERIES_MISSING = 'StakewatchSeriesMissing'

/** The metrics of stakewatch that the rules read, in alphabetical order. */
export function metricsRead({ groups, recorded }: Expressions): string[] {
  const expressions = [...recorded, ...groups.flatMap(({ rules }) => rules)].map(({ expr }) => expr)
  // What is recorded has colons in its name.
  const names = expressions.flatMap(
    (expr) => expr.match(/(?<![:\w])(?:stakewatch_\w+|process_start_time_seconds)(?![:\w])/g) ?? [],
  )
  return [...new Set(names)].toSorted()
}

/**
 * Names the list: rules of another version of stakewatch read other metrics, and comparing their number would page at each
 * upgrade. 32-bit FNV-1a, in hexadecimal digits.
 */
export function listId(metrics: Iterable<string>): string {
  let hash = 0x811c9dc5
  for (const letter of [...metrics].join(' ')) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export function seriesMissing(expressions: Expressions, job: string): Rule {
  const metrics = metricsRead(expressions)
  const served = `sum by (job) (stakewatch_alerting_series{job="${job}",list="${listId(metrics)}"})`
  const stored = `count by (job) ({__name__=~"${metrics.join('|')}",job="${job}"})`
  return {
    alert: SERIES_MISSING,
    severity: 'critical',
    expr: `up{job="${job}"} == 1 unless ignoring (list) stakewatch_alerting_series
or ${served} - (${stored} or 0 * ${served}) > 0`,
    // An instance that has just started has not loaded the rules yet.
    for: 5 * MINUTE,
    hold: HOLD,
    summary: 'Series that the alert rules need are missing from Prometheus.',
    description:
      '{{ if $labels.instance }}The target {{ $labels.instance }} in the job {{ $labels.job }} is not stakewatch, or its series are dropped or renamed on the way. No alert about it can fire.{{ else }}{{ $value }} series of the job {{ $labels.job }} that the alert rules read are served, but Prometheus does not have them. Alerts that need them cannot fire.{{ end }}',
  }
}
