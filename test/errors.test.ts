import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toBaseError, BaseError, errorCodes } from '../src/errors.ts'

const source = new URL('../src/', import.meta.url)

describe('error codes', () => {
  const text = globSync('**/*.ts', { cwd: source })
    .map((file) => readFileSync(new URL(file, source), 'utf8'))
    .join('\n')
  const made = [...text.matchAll(/new BaseError\(\s*([^,\s]+),/g)].map(([, first]) => first!)

  test('each is made somewhere, and none is made that the table does not know', () => {
    const literal = made.flatMap((first) => /^'(\w+)'$/.exec(first)?.[1] ?? [])
    expect([...new Set(literal)].toSorted()).toEqual(Object.keys(errorCodes).toSorted())
  })

  test('are written out where an error is made, or taken over from another error', () => {
    expect(new Set(made.filter((first) => !first.startsWith("'")))).toEqual(new Set(['error.code']))
    expect(made).toHaveLength(text.match(/new BaseError\(/g)!.length)
  })
})

describe('anything thrown becomes an error of ours', () => {
  const known = new BaseError('network', 'the connection failed')

  test('one of ours stays the same', () => {
    expect(toBaseError(known)).toBe(known)
  })

  test.each([
    ['a deadline', new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'timeout'],
    ['an abort', new DOMException('This operation was aborted', 'AbortError'), 'aborted'],
    ['any other error', new TypeError('x is not a function'), 'bug'],
    ['a text', 'oops', 'bug'],
    ['nothing', undefined, 'bug'],
  ])('%s', (_, thrown, code) => {
    expect(toBaseError(thrown).code).toBe(code)
  })

  test('a defect shows where it is', () => {
    const defect = new TypeError('x is not a function')
    expect(toBaseError(defect)).toMatchObject({ message: defect.message, details: defect.stack, cause: defect })
  })
})
