// The table of docs/performance.md: every row of the benchmark with its target, and what was measured last.

import { rows } from './bench/rows.ts'
import type { Machine } from './bench/machine.ts'
import type { Result, Row } from './bench/row.ts'

/** bench/results.json. `machine` is missing until everything was measured once. */
export interface Results {
  machine?: Machine
  results: readonly Result[]
}

const words = { ratio: '', bytes: ' bytes', ms: ' ms', share: '' } as const satisfies Record<Row['unit'], string>

export function performanceTable({ machine, results }: Results): string {
  const byName = new Map(results.map((result) => [result.name, result]))
  const lines = rows.map((row) => tableRow(row, byName.get(row.name)))
  const head = ['| what | how it is compared | target | measured | runs | met |', '|---|---|---|---|---|---|']
  return [...head, ...lines, '', machineText(machine)].join('\n')
}

function tableRow({ what, how, target, unit }: Row, result: Result | undefined): string {
  const limit = 'most' in target ? `at most ${target.most}` : `at least ${target.least}`
  const about = [what, how, `${limit}${words[unit]}`]
  if (!result) return line([...about, 'not measured yet', '', ''])
  if ('leftOut' in result) return line([...about, `left out: ${result.leftOut}`, '', ''])
  const { median, spread, runs, met } = result
  const value = `${median} (${spread[0]} to ${spread[1]})`
  return line([...about, value, String(runs.length), met ? 'yes' : 'no'])
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function machineText(machine: Machine | undefined): string {
  if (!machine) return 'Nothing has been measured yet.'
  const { cpu, cores, memoryGiB, kernel, node, date } = machine
  return `Measured on ${date}: ${cpu}, ${cores} cores, ${memoryGiB} GiB of memory, ${kernel}, Node.js ${node}. The value is the median, in parentheses the least and the greatest of all runs.`
}
