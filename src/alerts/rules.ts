// The alert rules as data, and the file of rules that Prometheus loads.

import { stringify } from 'yaml'
import { entryOf } from '../lib/entry.ts'
import { heldValue, ofInstance } from './condition-rule.ts'
import { JOB, writtenGroups } from './groups.ts'
import { dashboardLink, DASHBOARDS, RUNBOOKS } from './links.ts'
import { type Group, HOLD, type Rule } from './rule.ts'
import { type Thresholds, thresholds } from './thresholds.ts'
import { ALERTING_SERIES, DRILL } from './self.ts'
import { MINUTE } from '../lib/seconds.ts'

interface Settings {
  /** The scrape job of stakewatch in Prometheus. */
  job?: string
  /** Where the runbooks are published. The default leads nowhere. */
  runbooks?: string
  /** The address of Grafana. */
  dashboards?: string
  limits?: Thresholds
  /** Other times before an alert fires, by alert (seconds). */
  waits?: ReadonlyMap<string, number>
}

const known = new Map<string, readonly Group[]>()

/** The metrics that the rules read of each instance, and the id of that list. */
export function alertingMetrics(): { metrics: ReadonlySet<string>; list: string } {
  const metrics = metricsRead(writtenGroups(thresholds, JOB))
  return { metrics: new Set(metrics), list: listId(metrics) }
}

/** Made once for each job and each set of limits: a command asks for each silence that there is. */
export function groupsOf({ job = JOB, limits = thresholds }: Settings = {}): readonly Group[] {
  return entryOf(known, JSON.stringify([job, limits]), () => madeOf(job, limits))
}

export function rulesOf(settings?: Settings): readonly Rule[] {
  return groupsOf(settings).flatMap(({ rules }) => rules)
}

function madeOf(job: string, limits: Thresholds): readonly Group[] {
  const groups = writtenGroups(limits, job)
  const missing = seriesMissing(groups, job)
  return groups.map((group) =>
    group.name === 'stakewatch-self' ? { ...group, rules: [...group.rules, missing] } : group,
  )
}

/** The file, for Prometheus 2.42 or later. */
export function rulesYaml(settings: Settings = {}): string {
  const { runbooks = RUNBOOKS, dashboards = DASHBOARDS, waits } = settings
  const rule = ({ alert, panel, severity, expr, for: shipped, hold = HOLD, ...texts }: Rule) => ({
    alert,
    expr,
    ...waiting(waits?.get(alert) ?? shipped),
    ...(hold > 0 && { keep_firing_for: duration(hold) }),
    ...(severity !== 'own' && { labels: { severity } }),
    annotations: {
      title: texts.title,
      summary: texts.summary,
      description: texts.description,
      action: texts.action,
      runbook_url: `${runbooks}${alert}.md`,
      dashboard_url: dashboardLink(dashboards, panel),
    },
  })
  const groups = [
    { name: 'stakewatch-recorded', rules: [heldValue] },
    ...groupsOf(settings).map(({ name, rules }) => ({ name, rules: rules.map(rule) })),
  ]
  return `# Alert rules of stakewatch, as \`stakewatch alerts\` prints them.\n${stringify({ groups }, { lineWidth: 0, singleQuote: true })}`
}

const waiting = (seconds: number) => (seconds > 0 ? { for: duration(seconds) } : {})

/** In the largest unit that leaves no remainder. */
export function duration(seconds: number): string {
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const) {
    if (seconds % size === 0) return `${seconds / size}${unit}`
  }
  return seconds % 1 === 0 ? `${seconds}s` : `${Math.round(seconds * 1_000)}ms`
}

/** It compares served with stored series, so only Prometheus can evaluate it. */
export const SERIES_MISSING = 'StakewatchSeriesMissing'

const PREFIX = 'stakewatch_'

/** The metrics of stakewatch that the rules read, in alphabetical order. What a drill lacks on its way is for the drill to say. */
export function metricsRead(groups: readonly Group[]): string[] {
  const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== DRILL)
  const names = [heldValue, ...rules].flatMap(
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
      'stakewatch serves {{ $value }} more of the series that the alert rules read than Prometheus has of the job {{ $labels.job }}. Alerts that need them cannot fire, or do not end.',
  }
}
