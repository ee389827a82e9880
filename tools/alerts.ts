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

interface Read {
  alert?: string
  record?: string
  expr: string
}

/**
 * A file of rules with these alerts alone, and what is recorded for them or named in `text`. Groups that are left empty
 * stay.
 */
export function onlyAlerts(rules: string, alerts: ReadonlySet<string>, text = ''): string {
  const { groups } = parse(rules) as { groups: { name: string; rules: Read[] }[] }
  const all = groups.flatMap((group) => group.rules)
  const left = new Set(all.filter(({ alert }) => alert !== undefined && alerts.has(alert)))
  const isNamed = (record: string) => text.includes(record) || [...left].some(({ expr }) => expr.includes(record))
  // Each reads only what is recorded before it.
  for (const one of all.toReversed()) if (one.record !== undefined && isNamed(one.record)) left.add(one)
  return stringify({ groups: groups.map((group) => ({ ...group, rules: group.rules.filter((one) => left.has(one)) })) })
}
