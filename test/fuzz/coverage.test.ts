// The branches that the fuzzer counts, on a file of which each is known.

import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { execFileSync } from 'node:child_process'

const file = `export function sign(n) {
  if (n > 0) return 1
  return n === 0 ? 0 : -1
}
export function never() {
  return 1
}
export const or = (a, b) => a ?? b
`

const script = (folder: string, calls: string) => `
import { startCoverage } from ${JSON.stringify(new URL('../../tools/fuzz/coverage.ts', import.meta.url).href)}
const coverage = await startCoverage(new URL(${JSON.stringify(folder)}))
const { sign, or } = await import(${JSON.stringify(`${folder}file.js`)})
${calls}
process.stdout.write(JSON.stringify(await coverage.of([{ file: 'file.js' }, { file: 'file.js', functions: ['sign'] }])))
process.exit()
`

test.each([
  // Two functions and an arrow; both ways of the if, of the ?:, and of the ??.
  ['nothing', '', [0, 9], [0, 5]],
  ['one way of each', 'sign(1); or(1, 2)', [4, 9], [2, 5]],
  ['the other ways', 'sign(0); sign(-1); or(null, 2)', [6, 9], [4, 5]],
  ['all but the function without a caller', 'sign(1); sign(0); sign(-1); or(1, 2); or(null, 2)', [8, 9], [5, 5]],
] as const)('%s', async (_, calls, whole, part) => {
  const folder = `${pathToFileURL(await mkdtemp(join(tmpdir(), 'coverage-'))).href}/`
  writeFileSync(new URL('file.js', folder), file)
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script(folder, calls)], {
    encoding: 'utf8',
  })
  const counted = JSON.parse(text) as { taken: number; branches: number }[]
  expect(counted.map(({ taken, branches }) => [taken, branches])).toEqual([whole, part])
})
