// Compares the expectations of the configuration with the results.

import { expectedIn, isAbout } from '../../../scheduler/expected.ts'
import type { Line } from './verdict.ts'
import type { Seen } from './seen.ts'
import { adminDeclared, nameOf, rowsOf } from './series.ts'

export function expectationLines(seen: Seen, exposition: string): Line[] {
  const { config, asked } = seen
  const declared = [...expectedIn(config), ...adminDeclared(config)]
  const judged = asked.flatMap(({ status }) => status.expectations ?? [])
  // If a collector checks it too, its result is enough.
  const read = rowsOf(config, exposition).filter((one) => !judged.some((row) => isAbout(row, one)))
  const rows = [...judged, ...read]
  const missing = declared.filter((one) => !rows.some((row) => isAbout(row, one)))
  return [
    ...rows.map((row): Line => {
      const name = nameOf(row)
      if (row.isMet) return { state: 'ok', kind: 'expect', name, text: `met: ${shortened(row.expected)}` }
      const text = `not met: expected ${row.expected}, found ${row.found || 'none'}`
      return { state: 'problem', kind: 'expect', name, text }
    }),
    ...missing.map((one): Line => {
      return { state: 'unknown', kind: 'expect', name: nameOf(one), text: 'no source reports it' }
    }),
  ]
}

/** Keys and lists of addresses are too long to show. */
const MOST_CHARACTERS = 50

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`
}
