// Rows of text as a table.

import { greatest } from '../lib/extremes.ts'
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
