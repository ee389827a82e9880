// The results of all checks: as text for people, as JSON for programs, and as an exit code.

import { styleText } from 'node:util'
import { greatest } from '../../lib/extremes.ts'
import { printable } from '../../lib/printable.ts'
import { type Level, levels } from './check.ts'
import type { Diagnosis } from './diagnose.ts'

const worstOf = ({ findings }: Diagnosis): Level =>
  levels[
    greatest(
      findings.map(({ level }) => levels.indexOf(level)),
      0,
    )
  ]!

/** Scripts tell a broken chain from a weak one. 1 is for a command line that is wrong. */
const exitCodes: Readonly<Record<Level, number>> = { ok: 0, note: 0, unknown: 10, warning: 10, failed: 11 }
export const exitCodeFor = (diagnosis: Diagnosis) => exitCodes[worstOf(diagnosis)]

const colours = { ok: 'green', note: 'cyan', unknown: 'magenta', warning: 'yellow', failed: 'red' } as const

/** Colours are left out where the output is no terminal, or NO_COLOR is set. */
export function reportOf(diagnosis: Diagnosis): string {
  const { findings, unchecked } = diagnosis
  const width = greatest(
    findings.map(({ check }) => check.length),
    0,
  )
  const indent = ' '.repeat(9)
  const lines = findings.flatMap(({ check, level, found, why, fix }, at) => {
    const start = `${styleText(colours[level], level.padEnd(7))}  ${check.padEnd(width)}  ${printable(found)}`
    const isFirst = findings[at - 1]?.check !== check
    const more =
      level === 'ok' ? [] : [...(isFirst ? [`why: ${why}`] : []), ...(fix === undefined ? [] : [`fix: ${fix}`])]
    return [start, ...more.map((line) => styleText('dim', `${indent}${printable(line)}`))]
  })
  const missing = unchecked.map((name) => `${'-'.padEnd(7)}  ${name}: not checked, give ${flagOf(name)}=URL`)
  return [summaryOf(diagnosis), '', ...lines, ...missing, ''].join('\n')
}

const flagOf = (name: Diagnosis['unchecked'][number]) => (name === 'daemon' ? '--url' : `--${name}`)

/** `2 failed, 1 warning, 21 ok`. */
function summaryOf({ findings }: Diagnosis): string {
  const counts = levels.toReversed().flatMap((level) => {
    const count = findings.filter((one) => one.level === level).length
    const noun = count > 1 && (level === 'warning' || level === 'note') ? `${level}s` : level
    return count === 0 ? [] : [styleText(colours[level], `${count} ${noun}`)]
  })
  return counts.join(', ') || 'nothing was checked'
}

export const jsonOf = (diagnosis: Diagnosis) =>
  `${JSON.stringify({ worst: worstOf(diagnosis), ...diagnosis }, undefined, 2)}\n`
