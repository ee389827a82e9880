// The alert rules as data, and the file of rules that Prometheus loads.

import { stringify } from 'yaml'
import { entryOf } from '../lib/entry.ts'
import { heldValue } from './condition-rule.ts'
import { JOB, writtenGroups } from './groups.ts'
import { DASHBOARDS, dashboardLink, RUNBOOKS } from './links.ts'
import { listId, metricsRead, seriesMissing } from './missing.ts'
import { type Group, HOLD, type Rule } from './rule.ts'
import { type Thresholds, thresholds } from './thresholds.ts'

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
  return `${seconds}s`
}
