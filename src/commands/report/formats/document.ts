// What the report shows to people: headings, tables and charts as plain data, which Markdown and HTML both write.

import type { Times } from '../figures/timeline.ts'

export interface Table {
  caption: string
  head: readonly string[]
  /** The first cell of a row is its heading. */
  rows: readonly (readonly string[])[]
}

export interface Line {
  name: string
  /** One for each day; undefined where it is not known. */
  values: readonly (number | undefined)[]
}

export type Chart =
  | { kind: 'days'; title: string; days: readonly { start: number; times: Times }[] }
  | { kind: 'lines'; title: string; unit: string; starts: readonly number[]; lines: readonly Line[] }

export interface Section {
  title: string
  notes: readonly string[]
  charts: readonly Chart[]
  tables: readonly Table[]
}

export interface Document {
  title: string
  /** Which time it is about. */
  about: readonly string[]
  sections: readonly Section[]
}

export const section = (title: string, more: Partial<Section>): Section => ({
  title,
  notes: [],
  charts: [],
  tables: [],
  ...more,
})

/** Tables without rows say nothing. */
export const filled = (...tables: readonly Table[]): Table[] => tables.filter(({ rows }) => rows.length > 0)

/** Rows of a table for people. */
const MOST_ROWS = 50

/** The longest ones in the order of their times, and a note about the others, which the JSON has. */
export function longest<T extends { from: number; until: number }>(all: readonly T[], what: string) {
  const shown = all
    .toSorted((a, b) => b.until - b.from - (a.until - a.from))
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => a.from - b.from)
  const more = all.length - shown.length
  return { shown, notes: more > 0 ? [`${more} shorter ${what} are left out here; the JSON has all of them.`] : [] }
}

/** Markdown with the tables of GitHub. */
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
