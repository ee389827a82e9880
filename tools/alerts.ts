// The table of docs/alerting.md, from the rules in src/alerts.

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
