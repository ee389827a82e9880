// docs/harm.md: for each thing and each harm the alert that fires, or why there is none.

import { type Cell, harmNames, harms, type Thing, thingNames, things } from './harms.ts'
import { selfTests, table } from './table.ts'

/** Of the fifteen harms. */
const FEW = 6

export function harmPage(mark: string): string {
  const meanings = harmNames.map((harm) => `- ${harm}: ${harms[harm]}`)
  const tests = Object.entries(selfTests).map(([alert, reason]) => `- ${alert}: ${reason}`)
  return `# Harm

<!-- ${mark} -->

What can go wrong with each thing that stakewatch watches, and the alert that fires then, or why there is none.
[alerting.md](alerting.md) says what each alert means. An incident in \`tools/incidents/scripts\` names the cells that its alerts
fill; \`tools/harms\` has those that a promtool test or no alert fills, and the metrics that no rule reads, with the reason.

${meanings.join('\n')}

${thingNames.map(section).join('\n\n')}

## Alerts about no thing

${tests.join('\n')}
`
}

/** Harms with the same cell share a line. A thing that differs in few cells from an earlier one has only those. */
function section(thing: Thing): string {
  const base = thingNames.slice(0, thingNames.indexOf(thing)).find((other) => differing(thing, other).length <= FEW)
  const shown = base === undefined ? harmNames : differing(thing, base)
  const alike = Map.groupBy(shown, (harm) => cellText(table[thing][harm]))
  const rows = [...alike].map(([text, some]) => `- ${some.join(', ')}: ${text}`)
  const intro = base === undefined ? '' : `As _${things[base]}_, but:\n\n`
  return `## ${things[thing]}\n\n${intro}${rows.join('\n')}`
}

const differing = (thing: Thing, other: Thing) =>
  harmNames.filter((harm) => cellText(table[thing][harm]) !== cellText(table[other][harm]))

const cellText = (cell: Cell) => ('none' in cell ? cell.none : cell.alerts.join(', '))
