// The threat model: each threat has what holds against it, and tests that exist.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The tests that a row names: file and name. */
function named(cell: string): [file: string, name: string][] {
  return [...cell.matchAll(/`(test\/[\w./-]+\.test\.ts)`: ((?:"[^"]+"(?:; )?)+)/g)].flatMap(
    ([, file = '', names = '']) =>
      [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']): [string, string] => [file, name]),
  )
}

const rows = read('SECURITY.md')
  .split('\n')
  .filter((line) => /^\| (?!-|threat)/.test(line))
  .map((line) => line.slice(1, -1).split('|'))

test('there are threats, each with what holds and at least one test', () => {
  expect(rows.length).toBeGreaterThan(25)
  expect(rows.filter((cells) => cells.length !== 3)).toEqual([])
  for (const [threat = '', holds = '', shown = ''] of rows) {
    expect([threat.trim(), holds.trim()]).not.toContain('')
    // Nothing in the cell is left over: a name that is not written as the others would not be looked up.
    expect(shown.replaceAll(/`[^`]+`: (?:"[^"]+"(?:; )?)+(?: · )?/g, '').trim()).toBe('')
    expect(named(shown)).not.toEqual([])
  }
})

const tests = rows.flatMap(([, , shown = '']) => named(shown))

test.each(tests)('%s has the test or the group "%s"', (file, name) => {
  expect(existsSync(new URL(file, root))).toBe(true)
  const calls = [...read(file).matchAll(/\(\s*(['"`])((?:(?!\1)[^\\]|\\.)+)\1\s*,/g)].map(([, , text]) => text)
  expect(calls).toContain(name)
})
