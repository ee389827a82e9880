// Each operation has a witness that does not know our definitions: a row of the tests with the SDKs, or a reason why not.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { casesOf } from './cases.ts'

const folder = new URL('../e2e/sdk/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'))
/** Each row of these tests begins with the name of its operation. */
const witnessed = files.flatMap((file) =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^\s*\[?'([\w.-]+)',/gm)].map(([, name]) => name),
)

test('each operation has a row in test/e2e/sdk, or its cases say why no SDK asks for it', async () => {
  expect(witnessed).toContain('platform.getBlock')
  const all = await casesOf(operations)
  const missing = all.filter(({ operation: { name }, cases }) => !witnessed.includes(name) && !cases.unwitnessed)
  const advice = missing.map(
    ({ operation: { name } }) =>
      `${name}: add a row to a test in test/e2e/sdk, or \`unwitnessed\` with the reason to test/operations/cases/${name}.ts`,
  )
  expect(advice).toEqual([])
})
