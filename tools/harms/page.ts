// docs/harm.md: for each thing and each harm the alert that fires, or why there is none.

import { type Cell, type Harm, harms, type Thing, things } from './harms.ts'
import { selfTests, table } from './table.ts'
import { unread } from './unread.ts'

const keysOf = <T extends string>(record: Readonly<Record<T, unknown>>) => Object.keys(record) as T[]

export function harmPage(mark: string): string {
  const meanings = keysOf(harms).map((harm) => `| ${harm} | ${harms[harm]} |`)
  const tests = Object.entries(selfTests).map(([alert, reason]) => `- ${alert}: ${reason}`)
  const excused = unread.map(({ because, metrics }) => `- ${because} \`${metrics.map(withoutPrefix).join('`, `')}\``)
  return `# Harm

<!-- ${mark} -->

What can go wrong with each thing that stakewatch watches, and the alert that fires then, or why there is none.
[alerting.md](alerting.md) says what each alert means. \`tools/harms\` also names the incident or promtool test that proves
each alert and the panel that shows it. \`test/alerts/harms.test.ts\` checks that all of them exist and that no alert and no
metric is forgotten.

| what goes wrong | meaning |
|---|---|
${meanings.join('\n')}

${keysOf(things).map(section).join('\n\n')}

## Alerts about no thing

${tests.join('\n')}

## Metrics that no rule reads

All names begin with \`stakewatch_\`.

${excused.join('\n')}
`
}

/** Harms with the same cell share a row. */
function section(thing: Thing): string {
  const alike = Map.groupBy(keysOf(harms), (harm: Harm) => cellText(table[thing][harm]))
  const rows = [...alike].map(([text, some]) => `| ${some.join(', ')} | ${text} |`)
  return `## ${things[thing]}\n\n| what goes wrong | alert |\n|---|---|\n${rows.join('\n')}`
}

const cellText = (cell: Cell) => ('none' in cell ? cell.none : cell.alerts.join(', '))

const withoutPrefix = (metric: string) => metric.replace(/^stakewatch_/, '')
