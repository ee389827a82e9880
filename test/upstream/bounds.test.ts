import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { createBodyReader } from '../../src/upstream/http.ts'
import { createBounds, MAX_BYTES } from '../../src/upstream/bounds.ts'

/** In pieces of that many bytes. */
const judged = (text: string, size = Infinity) => {
  const bytes = Buffer.from(text)
  const check = createBounds(MAX_BYTES)
  try {
    for (let at = 0; at < bytes.length; at += size) check(bytes.subarray(at, at + size))
    return 'fits'
  } catch (error) {
    return (error as Error).message
  }
}
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + '1' + close.repeat(levels)

describe('an answer', () => {
  // 8 MiB may hold 8 * 1024 * 1024 / 24 = 349,525 values: as many opening brackets and commas together.
  test.each([
    ['64 levels of lists', nested('[', ']', 64), 'fits'],
    ['65 levels of lists', nested('[', ']', 65), 'the answer nests deeper than 64 levels'],
    ['65 levels of objects', nested('{"a":', '}', 65), 'the answer nests deeper than 64 levels'],
    ['lists without an end', '['.repeat(1_000_000), 'the answer nests deeper than 64 levels'],
    ['many lists in a row', `[${'[1],'.repeat(10_000)}1]`, 'fits'],
    ['349,525 values', `[${'1,'.repeat(349_524)}1]`, 'fits'],
    ['349,526 values', `[${'1,'.repeat(349_525)}1]`, 'the answer has more than 349525 values'],
    ['a last value that is a list', `[${'1,'.repeat(349_524)}[]]`, 'the answer has more than 349525 values'],
    ['500,000 bad items', `{"validators":[${'1,'.repeat(500_000)}1]}`, 'the answer has more than 349525 values'],
    ['brackets in a string', JSON.stringify(['['.repeat(1_000), '\\"[[', '{'.repeat(1_000)]), 'fits'],
    ['commas in a string', JSON.stringify([','.repeat(1_000_000)]), 'fits'],
    ['a quote after a backslash', `["\\"${'['.repeat(100)}"]`, 'fits'],
    ['a backslash before the end of a string', `["\\\\",${'['.repeat(64)}`, 'the answer nests deeper than 64 levels'],
    ['a string without an end', `["${'['.repeat(1_000)}`, 'fits'],
    ['nothing', '', 'fits'],
  ])('%s', (_, text, expected) => {
    const sizes = text.length < 10_000 ? [1, 7] : [997]
    for (const size of [Infinity, ...sizes]) expect(judged(text, size)).toBe(expected)
  })

  test('of 100,000 validators, each as large as the largest of a real node, is within the bounds', () => {
    // 1,120 bytes and 35 values each: what a validator with all of its owners has.
    const [bytes, values] = [100_000 * 1_120, 100_000 * 35]
    expect(getCurrentValidators.maxBytes).toBeGreaterThan(bytes)
    expect(Math.floor(getCurrentValidators.maxBytes! / 24)).toBeGreaterThan(values)
  })

  test('is judged while it arrives: this one has no end', async () => {
    function* pieces() {
      for (;;) yield Buffer.from('['.repeat(100))
    }
    await expect(createBodyReader().whole(Readable.from(pieces()), undefined, MAX_BYTES)).rejects.toMatchObject({
      code: 'too_large',
      message: 'the answer nests deeper than 64 levels',
    })
  })
})
