// The alert about series that stakewatch serves but Prometheus does not have.

import { ofInstance } from './condition-rule.ts'
import { ALERTING_SERIES, DRILL } from './self.ts'
import { MINUTE } from '../lib/seconds.ts'
import type { Group, Rule } from './rule.ts'

/** It compares served with stored series, so only Prometheus can evaluate it. */
export const SERIES_MISSING = 'StakewatchSeriesMissing'

const PREFIX = 'stakewatch_'

/** The metrics of stakewatch that the rules read, in alphabetical order. What a drill lacks on its way is for the drill to say. */
export function metricsRead(groups: readonly Group[]): string[] {
  const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== DRILL)
  const names = rules.flatMap(
    ({ expr }) => ofInstance(expr).match(/\b(?:stakewatch_\w+|process_start_time_seconds)\b/g) ?? [],
  )
  return [...new Set([...names, ALERTING_SERIES])].toSorted()
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
  const ours = metrics.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
  const others = metrics.filter((name) => !name.startsWith(PREFIX))
  const names = [...others, `${PREFIX}(${ours.join('|')})`].join('|')
  return {
    alert: SERIES_MISSING,
    panel: 'self: Instances of stakewatch',
    severity: 'critical',
    expr: `sum by (job) (${ALERTING_SERIES}{list="${listId(metrics)}"}) - count by (job) ({__name__=~"${names}",job="${job}"}) > 0`,
    reads: [ALERTING_SERIES],
    // An instance that has just started has not published all series yet.
    for: 5 * MINUTE,
    title: 'stakewatch: series are missing',
    summary: 'Series that the alert rules need are missing from Prometheus.',
    action: 'Take out the relabelling that drops series.',
    description:
      '{{ $value }} series of the job {{ $labels.job }} that the alert rules read are served, but Prometheus does not have them. Alerts that need them cannot fire.',
  }
}
