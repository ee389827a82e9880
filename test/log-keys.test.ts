// docs/http.md lists the keys of the log lines: those that the code writes, and no others.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

/** Every line has these; a task is named by the next ones, and a defect by the last ones. */
const always = ['ts', 'level', 'msg', 'network', 'target', 'collector', 'source', 'error', 'at', 'stack']

test('docs/http.md lists every key of a log line', () => {
  const calls = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => [
    // A template may hold braces.
    ...read(file)
      .replace(/`[^`]*`/g, 'text')
      .matchAll(/\blog\??\.(?:info|warn|error)\(\s*\{([^}]*)\}/g),
  ])
  const keys = calls.flatMap(([, inside]) => inside!.split(',').flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []))
  expect(calls.length).toBeGreaterThan(10)
  const listed = [
    ...read('docs/http.md')
      .split('## Logs')[1]!
      .matchAll(/^- `(\w+)`/gm),
  ].map(([, key]) => key)
  expect(new Set([...always, ...keys])).toEqual(new Set(listed))
})
