// Text for terminals: columns, progress, counts.

import { greatest } from '../lib/statistics.ts'
import { printable } from '../lib/printable.ts'

export type Rows = readonly (readonly string[])[]

export const BETWEEN = '  '

export function widthsOf(rows: Rows): number[] {
  return rows[0]!.map((_, column) => greatest(rows.map((row) => row[column]!.length)))
}

/** A line for each row: what comes from elsewhere cannot make another one. */
export function aligned(given: Rows): string[] {
  const rows = given.map((row) => row.map(printable))
  const widths = widthsOf(rows)
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(BETWEEN)
      .trimEnd(),
  )
}

/** Shorter than any terminal: a wrapped line could not be cleared. */
const WIDTH = 30

/** `[######------] 50 %  15 s of 30 s`: 100 % only when nothing is left. */
export function progressBar(done: number, total: number, text: string): string {
  const share = (of: number) => Math.floor((Math.min(done, total) * of) / total)
  return `[${'#'.repeat(share(WIDTH)).padEnd(WIDTH, '-')}] ${String(share(100)).padStart(3)} %  ${text}`
}

/** `1 page`, `2 pages`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** `2 nodes, 1 wallet`: what there is none of is omitted. */
export function countedAll(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([thing, count]) => counted(count, thing)).join(', ')
}
