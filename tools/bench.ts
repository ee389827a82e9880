// npm run bench: measures every target of speed and memory, always against something that runs in the same minute. Prints a
// table and ends with 1 when a target is missed. `--guards` measures the guards of CI instead. Names of rows, or how they
// begin, select some of them.

import { guards } from './bench/guards.ts'
import { measure, type Result } from './bench/row.ts'
import { rows as targets } from './bench/rows.ts'

export function lineOf(result: Result): string {
  const { name, target } = result
  const limit = 'most' in target ? `<= ${target.most}` : `>= ${target.least}`
  if ('leftOut' in result) return `${name.padEnd(32)} left out: ${result.leftOut}`
  const { median, spread, runs, met } = result
  const value = `${String(median).padStart(9)}  ${`${spread[0]} to ${spread[1]}`.padEnd(18)} ${String(runs.length).padStart(4)} runs`
  return `${name.padEnd(32)} ${value}  ${limit.padEnd(8)} ${met ? 'met' : 'MISSED'}`
}

async function main(args: readonly string[]): Promise<void> {
  const rows = args.includes('--guards') ? guards : targets
  const names = args.filter((arg) => !arg.startsWith('--'))
  const chosen = rows.filter(({ name }) => names.length === 0 || names.some((one) => name.startsWith(one)))
  if (chosen.length === 0) throw new Error(`no such row; there are ${rows.map(({ name }) => name).join(', ')}`)
  const results: Result[] = []
  for (const row of chosen) {
    const result = await measure(row)
    results.push(result)
    console.log(lineOf(result))
  }
  const missed = results.filter((result) => 'met' in result && !result.met)
  console.log(`${results.length - missed.length} of ${results.length} rows without a miss`)
  if (missed.length > 0) process.exitCode = 1
}

if (import.meta.main) await main(process.argv.slice(2))
