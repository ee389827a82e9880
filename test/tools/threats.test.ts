// The threat model: each threat has what holds against it, and tests that exist.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shownBy } from './threats.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const threats = [...read('SECURITY.md').matchAll(/^- \*\*(.+)\.\*\* (?=\S)/gm)].map(([, threat]) => threat)

test('there are threats, each with what holds and at least one test', () => {
  expect(threats.length).toBeGreaterThan(25)
  expect(threats).toEqual(Object.keys(shownBy))
  const names = Object.values(shownBy).map((files) => Object.values(files).flat())
  expect(names.filter((some) => some.length === 0)).toEqual([])
})

const tests = Object.values(shownBy).flatMap((files) =>
  Object.entries(files).flatMap(([file, names]) => names.map((name) => [file, name] as const)),
)

test.each(tests)('%s has the test or the group "%s"', (file, name) => {
  expect(existsSync(new URL(file, root))).toBe(true)
  const calls = [...read(file).matchAll(/\(\s*(['"`])((?:(?!\1)[^\\]|\\.)+)\1\s*,/g)].map(([, , text]) => text)
  expect(calls).toContain(name)
})
