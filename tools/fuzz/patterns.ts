// Regular expressions that other programs report.

import { array, constantFrom, oneof, tuple } from 'fast-check'
import { isMatch } from '../../src/commands/monitoring/pattern.ts'
import { BaseError } from '../../src/errors.ts'
import { editedText, hostileTexts, textEdits } from './json.ts'
import { type AnyParser, defineParser } from './parser.ts'

const PARTS = ['a', 'node-a', '|', '.', '.*', '(', ')', '(a+)+', '(a|a)*', '[', ']', '[^a]', '\\', '\\d', '$', '^', '?']
const COUNTS = ['{2}', '{2,}', '{2,9}', '{,9}', '{1000}', '{1001}', '{99999999999}', '+', '*']
const GO = ['(?i)', '(?s)', '(?P<a>a)', '[[:digit:]]', String.raw`\Qa.b\E`, String.raw`\pL`, String.raw`\1`, '(?=a)']
const patterns = oneof(
  {
    weight: 40,
    arbitrary: array(constantFrom(...PARTS, ...COUNTS, ...GO), { maxLength: 10 }).map((some) => some.join('')),
  },
  { weight: 4, arbitrary: constantFrom(...hostileTexts) },
  {
    weight: 1,
    arbitrary: constantFrom('x|'.repeat(500_001), '('.repeat(10_000), 'a?'.repeat(5_000), 'a|'.repeat(5_000)),
  },
)
const texts = constantFrom('', 'a', 'node-a', 'a'.repeat(2_000), `${'a'.repeat(2_000)}!`, '\n', '\ud800')

export const patternParser: AnyParser = defineParser<{ pattern: string; text: string }>({
  name: 'patterns of other programs',
  inputs: tuple(patterns, textEdits, texts).map(([pattern, some, text]) => ({
    pattern: editedText(pattern, some),
    text,
  })),
  sizeOf: ({ pattern, text }) => pattern.length + text.length,
  run({ pattern, text }) {
    const matches = isMatch(pattern, text)
    if (matches === undefined) throw new BaseError('config', 'no pattern that can be used')
    if (/^[\w-]+$/.test(pattern) && matches !== (pattern === text)) throw new Error(`${text} by ${pattern}: ${matches}`)
    return matches
  },
})
