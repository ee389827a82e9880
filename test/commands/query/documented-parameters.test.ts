// The documented form of parameters, for each form of their definitions.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { parametersOf } from '../../../src/commands/query/parameter-flags.ts'
import { defineOperation } from '../../../src/operations/define.ts'
import { flag, integer, uint64, unsigned } from '../../../src/operations/fields.ts'

const shownOf = (type: z.ZodType) => {
  const operation = defineOperation({
    name: 'probe',
    source: 'document 1',
    service: 'data',
    effect: 'read',
    via: { get: '/probe' },
    params: z.object({ one: type }),
    answer: z.object({}),
    cost: 1,
  })
  const [{ name: _, ...parameter }] = parametersOf(operation) as [ReturnType<typeof parametersOf>[0]]
  return parameter
}

const required = { about: '', accepts: 'text', isList: false, isRequired: true, preset: undefined }
const free = { ...required, isRequired: false }

test.each([
  ['a text', z.string().min(1), required],
  ['a described one', z.string().describe('a word'), { ...required, about: 'a word' }],
  ['a described one that was made optional', z.string().describe('a word').optional(), { ...free, about: 'a word' }],
  ['one with two descriptions', z.string().describe('inner').optional().describe('outer'), { ...free, about: 'outer' }],
  ['one of a set', z.enum(['asc', 'desc']).optional(), { ...free, accepts: 'asc, desc' }],
  ['the only one of a set', z.literal('hex').default('hex'), { ...free, accepts: 'hex', preset: 'hex' }],
  ['a flag', flag.optional(), { ...free, accepts: 'true, false' }],
  ['an integer', integer, { ...required, accepts: 'number' }],
  ['one in a range', integer.pipe(z.int().min(1).max(100)).default(10), { ...free, accepts: '1..100', preset: '10' }],
  ['one from a bound on', integer.pipe(z.int().min(0)).optional(), { ...free, accepts: '0..' }],
  ['one up to a bound', integer.pipe(z.int().max(7)), { ...required, accepts: '..7' }],
  ['a large one', unsigned.default(0n), { ...free, accepts: '0..', preset: '0' }],
  ['one of 64 bits', uint64, { ...required, accepts: 'number' }],
  ['a list', z.array(z.string()).optional(), { ...free, isList: true }],
  ['a list out of a set', z.array(z.enum(['A', 'B'])), { ...required, isList: true, accepts: 'A, B' }],
])('%s', (_, type, expected) => {
  expect(shownOf(type)).toEqual(expected)
})
