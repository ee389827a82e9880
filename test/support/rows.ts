// Tables of cases whose rows would each take many lines as arrays.

/** The cells of each line, which bars separate. Lines that begin with // are comments. */
export function rowsOf(table: string): string[][] {
  const lines = table.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
}
