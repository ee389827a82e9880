// What the report shows to people: headings, tables and charts as plain data, which Markdown and HTML both write; and figures as text.

import type { Span, Times } from '../figures/timeline.ts'
import { timeText, UNKNOWN } from '../../../lib/figures.ts'
import type { At } from '../figures/series.ts'
import { type Amounts, type Change, groupedTokens, type Money } from '../figures/values.ts'
import { HOUR, MINUTE } from '../../../lib/seconds.ts'

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

/** `27 h 13 min`. */
export function hoursText(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / MINUTE)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const text = [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ')
  return seconds < 0 && minutes > 0 ? `-${text}` : text
}

/** `1.25 h`. */
export const unobservedText = ({ unobserved }: Times) => `${(unobserved / HOUR).toFixed(2)} h`

export const orUnknown = <T>(value: T | undefined, text: (value: T) => string) =>
  value === undefined ? UNKNOWN : text(value)

export function moneyText({ tokens, value }: Money): string {
  return value === undefined ? groupedTokens(tokens) : `${groupedTokens(tokens)} (${valueText(value)})`
}

export function valueText({ currency, amount }: { currency: string; amount: number }): string {
  const text = amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${text} ${currency.toUpperCase()}`
}

/** The sum of amounts; the value only if each has one in the same currency. */
export function sumOfMoney(all: readonly Money[]): Money {
  const tokens = all.reduce((sum, one) => sum + one.tokens, 0n)
  const currencies = new Set(all.map(({ value }) => value?.currency))
  const [currency] = currencies
  if (currency === undefined || currencies.size > 1) return { tokens, value: undefined }
  return { tokens, value: { currency, amount: all.reduce((sum, { value }) => sum + (value?.amount ?? 0), 0) } }
}

/** Of all together: what is not known is counted, not left out. */
export function totalText(all: Amounts): string {
  const known = all.filter((one) => one !== undefined)
  const unknown = all.length - known.length
  if (all.length === 0) return 'none'
  if (known.length === 0) return UNKNOWN
  return `${moneyText(sumOfMoney(known))}${unknown > 0 ? ` and ${unknown} unknown` : ''}`
}

/** `2026-10-05 13:20`. */
export const momentText = (time: number) => timeText(time).replace(/ UTC$/, '')

/** What was known first and last, and of when where that is not the whole time of the report. No row without a value. */
export function changeRows<T>(
  name: string,
  change: Change<T> | undefined,
  text: (value: T) => string,
  { from, until }: Span,
): string[][] {
  if (change === undefined) return []
  const cell = ({ time, value }: At<T>, border: number) =>
    Math.abs(time - border) <= HOUR ? text(value) : `${text(value)} (${momentText(time)})`
  return [[name, cell(change.first, from), cell(change.last, until)]]
}
