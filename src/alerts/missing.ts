// The alert about series that stakewatch serves but Prometheus does not have.

import { ofInstance } from './condition-rule.ts'
import { DRILL } from './self.ts'
import { MINUTE } from '../lib/seconds.ts'
import type { Group, Rule } from './rule.ts'

/** It compares served with stored series, so only Prometheus can evaluate it. */
export const SERIES_MISSING = 'StakewatchSeriesMissing'

/** The metrics of stakewatch that the rules read, in alphabetical order. What a drill lacks on its way is for the drill to say. */
export function metricsRead(groups: readonly Group[]): string[] {
  const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== DRILL)
  const names = rules.flatMap(
    ({ expr }) => ofInstance(expr).match(/\b(?:stakewatch_\w+|process_start_time_seconds)\b/g) ?? [],
  )
  return [...new Set(names)].toSorted()
}

/**
 * Identifies the list of metrics (32-bit FNV-1a in hexadecimal): rules of another version read other metrics, and comparing
 * counts alone would page at each upgrade.
 */
export function listId(metrics: Iterable<string>): string {
  let hash = 0x811c9dc5
  for (const letter of [...metrics].join(' ')) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export function seriesMissing(groups: readonly Group[], job: string): Rule {
  const metrics = metricsRead(groups)
  const served = `sum by (job) (stakewatch_alerting_series{job="${job}",list="${listId(metrics)}"})`
  const stored = `count by (job) ({__name__=~"${metrics.join('|')}",job="${job}"})`
  const problems = 'sum by (job) (stakewatch_conditions{state="problem"})'
  return {
    alert: SERIES_MISSING,
    panel: 'self: Instances of stakewatch',
    severity: 'critical',
    expr: `up{job="${job}"} == 1 unless ignoring (list) stakewatch_alerting_series
or ${served} - (${stored} or 0 * ${served}) > 0
or ${problems} - (count by (job) (stakewatch_condition) or 0 * ${problems}) > 0`,
    // An instance that has just started has not published all series yet.
    for: 5 * MINUTE,
    title: 'stakewatch: Prometheus lacks series',
    summary: 'Series that the alert rules need are missing from Prometheus.',
    action: 'Take out the relabelling that drops series, or correct the target.',
    description:
      '{{ if $labels.instance }}The target {{ $labels.instance }} in the job {{ $labels.job }} is not stakewatch, or its series are dropped or renamed on the way. No alert about it can fire.{{ else }}{{ $value }} series of the job {{ $labels.job }} that the alert rules read are served, but Prometheus does not have them. Alerts that need them cannot fire.{{ end }}',
  }
}
