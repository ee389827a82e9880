// The table of docs/alerting.md, from the rules in src/alerts; and files with some of the rules.

import { parse, stringify } from 'yaml'
import { duration, groupsOf } from '../src/alerts/rules.ts'

export function alertsTable(): string {
  const rows = groupsOf()
    .flatMap(({ rules }) => rules)
    .map(({ alert, severity, for: waits, summary }) => [
      `[${alert}](runbooks/${alert}.md)`,
      severity,
      waits > 0 ? duration(waits) : 'at once',
      summary,
    ])
  const head = [
    ['alert', 'severity', 'fires after', 'says'],
    ['---', '---', '---', '---'],
  ]
  return [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A file of rules with these alerts alone, and all that is recorded. Groups that are left empty stay. */
export function onlyAlerts(rules: string, alerts: ReadonlySet<string>): string {
  const { groups } = parse(rules) as { groups: { name: string; rules: { alert?: string }[] }[] }
  const isLeft = ({ alert }: { alert?: string }) => alert === undefined || alerts.has(alert)
  return stringify({ groups: groups.map((group) => ({ ...group, rules: group.rules.filter(isLeft) })) })
}
