// What is read at once is what zod would read: of recorded answers, and of values made up from the definitions.

import { isDeepStrictEqual } from 'node:util'
import { sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../src/operations/index.ts'
import { getCurrentValidators } from '../../src/operations/node/platform.getCurrentValidators.ts'
import { percent, timestamp, unsigned, word } from '../../src/operations/fields.ts'
import { OTHER, readerOf } from '../../src/operations/quick.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { wireOf } from '../../tools/fuzz/shape.ts'
import { recorded } from '../recorded/recorded.ts'

const byZod = (type: z.ZodType, value: unknown) => {
  const { success, data } = type.safeParse(value)
  return success ? data : OTHER
}

describe('answers made up from the definition', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_, { answer, integers }) => {
    const made = sample(wireOf(answer), { numRuns: 200, seed: 7 })
    const raws = made.map((value) => parseJson(JSON.stringify(value) ?? 'null', integers))
    const differing = raws.filter((raw) => {
      const read = readerOf(answer)(raw)
      return read !== OTHER && !isDeepStrictEqual(read, byZod(answer, raw))
    })
    expect(differing).toEqual([])
  })
})

/** Results that were recorded of the operation. */
const resultsOf = (name: string) =>
  recorded
    .filter(({ of }) => of === name)
    .map(({ response }) => (response as { result?: unknown }).result)
    .filter((result) => result !== undefined)

describe('recorded answers', () => {
  test.each(operations.filter(({ name }) => resultsOf(name).length > 0).map((one) => [one.name, one] as const))(
    '%s',
    (name, { answer }) => {
      for (const raw of resultsOf(name)) expect(readerOf(answer)(raw)).toStrictEqual(byZod(answer, raw))
    },
  )

  test('of validators are read at once', () => {
    for (const raw of resultsOf(getCurrentValidators.name)) {
      expect(readerOf(getCurrentValidators.answer)(raw)).not.toBe(OTHER)
    }
  })
})

describe('a value of the documents', () => {
  test.each([
    ['a small integer', unsigned, 7, 7n],
    ['an integer as text', unsigned, '18446744073709551615', 18446744073709551615n],
    ['an integer that a double does not hold', unsigned, 2 ** 53, OTHER],
    ['a negative integer', unsigned, -1, OTHER],
    ['a time as text', timestamp, '1795000000', 1795000000],
    ['a time with a fraction', timestamp, 1.5, OTHER],
    ['all of it, in percent', percent, '100.0000', 100],
    ['more than all of it', percent, '100.0001', OTHER],
  ])('%s is read or left to zod', (_, type, value, expected) => {
    expect(readerOf(type)(value)).toBe(expected)
  })

  test('in a described copy of its type is read in the same way', () => {
    const raw = { a: '1', b: null, unknown: 1 }
    const type = z.object({ a: unsigned.describe('one'), b: z.unknown(), c: unsigned.optional() })
    expect(readerOf(type)(raw)).toStrictEqual({ a: 1n, b: null })
  })

  test('is not taken where a copy of its type refuses it', () => {
    expect(readerOf(word.refine((text) => text !== 'no'))('no')).toBe(OTHER)
    expect(readerOf(z.string().min(1))('')).toBe(OTHER)
  })
})
