// docs/harm.md: for each thing and each harm which alert fires, what proves it and where it is seen.

import { type Alerted, type Cell, type Harm, harms, type Thing, things } from './harms.ts'
import { selfTests, table } from './table.ts'
import { unread } from './unread.ts'

const keysOf = <T extends string>(record: Readonly<Record<T, unknown>>) => Object.keys(record) as T[]

export function harmPage(mark: string): string {
  const meanings = keysOf(harms).map((harm) => `| ${harm} | ${harms[harm]} |`)
  const tests = Object.entries(selfTests).map(([alert, reason]) => `- ${alert}: ${reason}`)
  const excused = unread.map(
    ({ because, metrics }) => `- ${because} ${metrics.map((metric) => `\`${metric}\``).join(', ')}`,
  )
  return `# Harm

<!-- ${mark} -->

What can go wrong with each thing that stakewatch watches, and the alert that fires then. Where no alert is needed, the
table says why; where one is missing, it says that this is a gap. An alert is proved by an incident, which
\`npm run incidents\` plays, or by a test for promtool. The last column names the panel and its dashboard.
[alerting.md](alerting.md) has what each alert says, and its runbook. A test fails when
a cell is empty, when an alert, an incident or a panel does not exist, when an alert is in no cell, and when a metric
can report something that no alert reads.

| what goes wrong | meaning |
| --- | --- |
${meanings.join('\n')}

${keysOf(things).map(section).join('\n\n')}

## Alerts about no thing

${tests.join('\n')}

## Metrics that no rule reads

${excused.join('\n')}
`
}

function section(thing: Thing): string {
  const rows = keysOf(harms).map((harm) => row(harm, table[thing][harm]))
  return `## ${things[thing]}

| what goes wrong | alert | proof | panel |
|---|---| --- | --- |
${rows.join('\n')}`
}

function row(harm: Harm, cell: Cell): string {
  const cells = 'none' in cell ? [`none: ${uncapitalised(cell.none)}`, '', ''] : alerted(cell)
  return `| ${[harm, ...cells].join(' | ')} |`
}

function alerted({ alerts, proofs, panels }: Alerted): string[] {
  return [alerts.join(', '), proofs.map(proof).join('; '), panels.map(panel).join(', ')]
}

const proof = (name: string) => (name.endsWith('.yaml') ? `[promtool](../alerts/tests/${name})` : name)

function panel(path: string): string {
  const [page, title] = path.split('/')
  return `_${title}_ (${page})`
}

/** Names keep their capitals. */
const uncapitalised = (sentence: string) =>
  sentence.replace(/^(A|An|It|Its|The|When|What|Only|Each|Two|No) /, (word) => word.toLowerCase())
