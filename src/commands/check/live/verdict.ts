// The lines of `check --live`: one for each watched thing, with a state, a reason and a remedy.

import { printable } from '../../../lib/printable.ts'
import { counted } from '../../terminal-text.ts'

type State = 'ok' | 'problem' | 'unknown'

export interface Line {
  state: State
  kind: string
  /** `fuji/primary/val-1`. */
  name: string
  text: string
  remedy?: string | undefined
  /** An upstream that did not answer: things that only it reports need no lines of their own. */
  isDown?: true
}

export type Verdict = Omit<Line, 'kind' | 'name'>

export const ok = (text: string): Verdict => ({ state: 'ok', text })
export const problem = (text: string, remedy?: string): Verdict => ({ state: 'problem', text, remedy })
export const down = (text: string, remedy: string): Verdict => ({ state: 'problem', text, remedy, isDown: true })
export const unknown = (text: string, remedy?: string): Verdict => ({ state: 'unknown', text, remedy })

/** A longer name shifts only its own line. */
const LONGEST_NAME = 44

/** Columns for state, kind, name and text; a remedy is below the text. */
export function tableOf(lines: readonly Line[]): string {
  const widthOf = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length))
  const kind = widthOf(lines.map((line) => line.kind))
  const name = Math.min(LONGEST_NAME, widthOf(lines.map((line) => line.name)))
  const indent = ' '.repeat('unknown'.length + kind + name + 6)
  return lines
    .flatMap((line) => [
      `${line.state.padEnd('unknown'.length)}  ${line.kind.padEnd(kind)}  ${line.name.padEnd(name)}  ${line.text}`,
      ...(line.remedy === undefined ? [] : [`${indent}-> ${line.remedy}`]),
    ])
    .map((text) => `${printable(text)}\n`)
    .join('')
}

/** The exit code: 1 for a problem, 3 when something is unknown and nothing is known to be wrong. */
export function exitCodeFor(lines: readonly Line[]): number {
  if (lines.some(({ state }) => state === 'problem')) return 1
  return lines.some(({ state }) => state === 'unknown') ? 3 : 0
}

/** `12 ok, 1 problem, 2 unknown`. */
export function countsOf(lines: readonly Line[]): string {
  const count = (state: State) => lines.filter((line) => line.state === state).length
  return `${count('ok')} ok, ${counted(count('problem'), 'problem')}, ${count('unknown')} unknown`
}
