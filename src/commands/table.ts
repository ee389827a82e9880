// Rows of text as a table.

export type Rows = readonly (readonly string[])[]

export const BETWEEN = '  '

export function widthsOf(rows: Rows): number[] {
  return rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
}

/** A line for each row. */
export function aligned(rows: Rows): string[] {
  const widths = widthsOf(rows)
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(BETWEEN)
      .trimEnd(),
  )
}
