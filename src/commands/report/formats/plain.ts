// The report as text: Markdown with the tables of GitHub, and JSON.

import type { Report } from '../figures/report-value.ts'
import { tokenText } from '../figures/tokens.ts'
import type { Document, Section, Table } from './document.ts'

/** The whole value. Amounts are texts, as a number of JSON may lose their last places. */
export function jsonOf(report: Report): string {
  return `${JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? tokenText(value) : value), 2)}\n`
}

export function markdownOf({ title, about, sections }: Document): string {
  return [`# ${escaped(title)}`, ...about.map(escaped), ...sections.flatMap(blocksOf)].join('\n\n') + '\n'
}

function blocksOf({ title, notes, tables }: Section): string[] {
  return [`## ${escaped(title)}`, ...notes.map(escaped), ...tables.flatMap(tableBlocks)]
}

function tableBlocks({ caption, head, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [
    `**${escaped(caption)}**`,
    [line(head), line(head.map(() => '---')).replaceAll('\\', ''), ...rows.map(line)].join('\n'),
  ]
}

/** Names of the configuration and of upstreams must not become markup, and control characters not a new line. */
function escaped(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[\\`*_[\]<>|&#~]/g, String.raw`\$&`)
}
