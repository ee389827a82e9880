// The tables that a run prints.

import type { Covered } from './coverage.ts'
import type { Figures } from './parser.ts'

const ENOUGH = 0.95

export function isEnough({ taken, branches }: Covered): boolean {
  return taken >= branches * ENOUGH
}

export function parserTable(figures: readonly Figures[]): string {
  const rows = figures.map(({ name, cases, outcomes: { accepted = 0, ...refused }, slowest, violation }) => {
    const codes = Object.entries(refused).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const refusals = codes.map(([code, count]) => `${count} ${code}`).join(', ')
    return `| ${name} | ${cases} | ${accepted} | ${refusals} | ${Math.ceil(slowest)} | ${violation === undefined ? 0 : 1} |`
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
