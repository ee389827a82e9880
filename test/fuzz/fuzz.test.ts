// A small slice of `npm run fuzz` for each parser, and what it has found before.

import { describe, expect, test } from 'vitest'
import { allParsers } from '../../tools/fuzz/all.ts'
import { findings } from '../../tools/fuzz/findings.ts'
import { fuzz } from '../../tools/fuzz/parser.ts'
import { BaseError } from '../../src/errors.ts'
import type { Parser } from '../../tools/fuzz/parser.ts'

const parsers = await allParsers()

describe('every parser keeps its promises', () => {
  test.each(parsers.map((parser) => [parser.name, parser] as const))('%s', async (_, parser) => {
    const { cases, violation } = await fuzz(parser, 60, 1)
    expect({ cases, violation }).toEqual({ cases: 60, violation: undefined })
  })
})

describe('what was found before ends well', () => {
  test.each(findings.map((finding) => [finding.what, finding] as const))('%s', async (_, { parser, input }) => {
    const found = parsers.find(({ name }) => name === parser) as unknown as Parser<unknown>
    const thrown = await (async () => void (await found.run(input)))().catch((error: unknown) => error)
    expect(thrown === undefined || (thrown instanceof BaseError && thrown.code !== 'bug')).toBe(true)
  })
})

test('the same seed gives the same cases', async () => {
  const [parser] = parsers.filter(({ name }) => name === 'answer of platform.getCurrentValidators')
  const [one, again, other] = await Promise.all([1, 1, 2].map((seed) => fuzz(parser!, 40, seed)))
  expect(again!.outcomes).toEqual(one!.outcomes)
  expect(other!.outcomes).not.toEqual(one!.outcomes)
})

test('a broken promise is reported with the smallest input that shows it, and a defect is one', async () => {
  const [parser] = parsers.filter(({ name }) => name === 'duration')
  const broken = {
    ...(parser as unknown as Parser<string>),
    run(text: string) {
      if (text.includes('d')) throw new BaseError('bug', 'a defect')
    },
  }
  const { violation } = await fuzz(broken as unknown as typeof parser & object, 500, 1)
  expect(violation).toMatch(/^BaseError: a defect\n {2}seed 1, path \S+, input "\w{0,3}d"$/)
})
