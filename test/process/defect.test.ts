import { expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { defectDetails } from '../../src/process/defect.ts'

test.each<[unknown, string]>([
  [
    new TypeError("Cannot read properties of undefined (reading 'x')"),
    "TypeError: Cannot read properties of undefined (reading 'x')",
  ],
  [
    new BaseError('bug', 'metric stakewatch_a is not in the catalogue'),
    'BaseError bug: metric stakewatch_a is not in the catalogue',
  ],
  [Object.assign(new Error('spawn failed'), { code: 'EAGAIN' }), 'Error EAGAIN: spawn failed'],
  ['thrown as a text', 'thrown as a text'],
  [undefined, 'undefined'],
  // What may hold a key is left out.
  [new Error('fetch http://user:pw@node:9650/KEY?token=abc failed'), 'Error: fetch http://*** failed'],
  [
    new Error('Headers.append: "sk-9f8e7d6c5b4a" is an invalid header value.'),
    'Error: Headers.append: "***" is an invalid header value.',
  ],
  ['Basic dXNlcjpwYXNzd29yZDEyMzQ=', 'Basic ***'],
])('of %s', (thrown, error) => {
  expect(defectDetails(thrown, false)['error']).toBe(error)
})

test('says where it happened; the whole stack in one line, and only when asked', () => {
  const error = new Error('a secret is\nnot a place: http://x/KEY')
  const { at, stack } = defectDetails(error, true)
  expect(at).toMatch(/defect\.test\.ts:\d+:\d+/)
  expect(stack).toMatch(/^.*defect\.test\.ts:\d+:\d+\)? < .+ < .+$/)
  expect(stack).not.toMatch(/KEY|secret/)
  expect(defectDetails(error, false)).not.toHaveProperty('stack')
})
