// The tables of a run, and the page that shows them.

import type { Covered } from './coverage.ts'
import { findings } from './findings.ts'
import type { Figures } from './parser.ts'

const ENOUGH = 0.95

export function isEnough({ taken, branches }: Covered): boolean {
  return taken >= branches * ENOUGH
}

export function parserTable(figures: readonly Figures[]): string {
  const rows = figures.map(({ name, cases, outcomes: { accepted = 0, ...refused }, slowest, violation }) => {
    const codes = Object.entries(refused).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const told = codes.map(([code, count]) => `${count} ${code}`).join(', ')
    return `| ${name} | ${cases} | ${accepted} | ${told} | ${Math.ceil(slowest)} | ${violation === undefined ? 0 : 1} |`
  })
  return table(['parser', 'cases', 'accepted', 'refused', 'slowest case (ms)', 'violations'], rows)
}

/** A file without a condition or a function has nothing to take. */
export function coverageTable(covered: readonly Covered[]): string {
  const rows = covered
    .filter(({ branches }) => branches > 0)
    .map((one) => {
      const { file, taken, branches } = one
      return `| ${file} | ${branches} | ${taken} | ${((100 * taken) / branches).toFixed(1)} % |`
    })
  return table(['file', 'branches', 'taken', 'coverage'], rows)
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
}

interface Run {
  figures: readonly Figures[]
  covered: readonly Covered[]
  cases: number
  seed: number
}

export function fuzzingPage({ figures, covered, cases, seed }: Run): string {
  const total = figures.reduce((sum, one) => sum + one.cases, 0)
  const violations = figures.filter(({ violation }) => violation !== undefined).length
  return `# Fuzzing

<!-- Written by \`npm run fuzz -- --write\` and \`npm run format\`: change tools/fuzz/page.ts instead. -->

Everything that somebody else writes is read by a parser: answers of upstreams and their headers, the configuration,
requests of clients, parameters on a command line, the file of the storage and the records in it. \`npm run fuzz\` shows
each of them inputs that nobody meant: recorded answers and those of the documents with values, types and characters
changed, values of the documented form, envelopes, statuses and texts of errors. The same seed gives the same inputs, and a
violation is printed with the smallest input that shows it.

\`npm run fuzz -- --cases=N --seed=S --only=NAME\` runs N cases for each parser whose name holds NAME. A small slice runs with
the unit tests (\`test/fuzz\`).

A case breaks a promise when

- something else is thrown than an error of the closed list (\`src/errors.ts\`), or a defect;
- it takes longer than a second and 20 µs for each character, three times in a row; or a parser never ends; or the memory
  of the process grows beyond 2 GB;
- a value that was taken holds NaN, an infinity, a negative amount, an integer of more than 78 digits, or an object with a
  prototype of its own;
- the same input, read again, says something else: one case of four is read twice;
- a configuration or an id that was taken holds a text that is not well-formed UTF-16;
- a collector fails with a defect, publishes what no metric may have, or saves what it cannot read, after it has accepted
  what it remembers;
- a storage file that was damaged or changed prevents the start or what is saved next, or loads what was never saved;
- an error, a report or a text for the log holds a secret;
- a report of the configuration has more than a hundred problems, or a line without a place.

## The last full run

${total} cases, ${cases} for each parser, seed ${seed}: ${violations} violations.

${parserTable(figures)}

## Branches taken in that run

Of functions, conditions, \`&&\`, \`||\`, \`??\`, cases, loops and catches, as V8 counts them. Below 95 % the run fails.

${coverageTable(covered)}

## What was found

Each is kept as a case that runs with the unit tests (\`tools/fuzz/findings.ts\`).

${table(
  ['parser', 'what went wrong'],
  findings.map(({ parser, what }) => `| ${parser} | ${what} |`),
)}
`
}
