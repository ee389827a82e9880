// What the configuration declares, held against what was found.

import { expectedIn, isAbout } from '../../../scheduler/expected.ts'
import type { Line } from './verdict.ts'
import type { Seen } from './seen.ts'
import { adminDeclared, nameOf, rowsOf } from './series.ts'

export function expectationLines(seen: Seen, exposition: string): Line[] {
  const { config, asked } = seen
  const declared = [...expectedIn(config), ...adminDeclared(config)]
  const judged = asked.flatMap(({ status }) => status.expectations ?? [])
  // Where a collector judges as well, its word is enough.
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
      return { state: 'unknown', kind: 'expect', name: nameOf(one), text: 'nothing that was asked tells' }
    }),
  ]
}

/** A key or a list of addresses would fill lines. */
const MOST_CHARACTERS = 50

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`
}
