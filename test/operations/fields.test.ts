// The field types that operations share: which wire forms they accept, and what they give.

import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  decimal,
  integer,
  measure,
  nextPageToken,
  optional,
  percent,
  quantity,
  timestamp,
  unsigned,
} from '../../src/operations/fields.ts'
import { pageSize, sinceTimestamp, untilTimestamp } from '../../src/operations/data/parameters.ts'
import { parseJson } from '../../src/upstream/json.ts'

const REFUSED = Symbol('refused')

/** The field as it arrives: JSON text, read with or without exact integers. */
function read(field: z.ZodType, json: string, integers?: 'exact'): unknown {
  const result = field.safeParse(parseJson(json, integers))
  return result.success ? result.data : REFUSED
}

describe('integers on the wire', () => {
  // 2^53 = 9007199254740992, 2^64 - 1 = 18446744073709551615, 2^256 - 1 has 78 digits.
  const UINT256 = String(2n ** 256n - 1n)

  test.each([
    ['unsigned', unsigned, '0', 0n, 0n],
    ['unsigned', unsigned, '"0"', 0n, 0n],
    ['unsigned', unsigned, '9007199254740991', 9_007_199_254_740_991n, 9_007_199_254_740_991n],
    ['unsigned', unsigned, '9007199254740993', REFUSED, 9_007_199_254_740_993n],
    ['unsigned', unsigned, '18446744073709551615', REFUSED, 18_446_744_073_709_551_615n],
    ['unsigned', unsigned, '"18446744073709551615"', 18_446_744_073_709_551_615n, 18_446_744_073_709_551_615n],
    ['unsigned', unsigned, `"${UINT256}"`, 2n ** 256n - 1n, 2n ** 256n - 1n],
    ['unsigned', unsigned, UINT256, REFUSED, 2n ** 256n - 1n],
    ['unsigned', unsigned, `"${'9'.repeat(79)}"`, REFUSED, REFUSED],
    ['unsigned', unsigned, '9'.repeat(400), REFUSED, REFUSED],
    ['unsigned', unsigned, '1e21', REFUSED, REFUSED],
    ['unsigned', unsigned, '1.5', REFUSED, REFUSED],
    ['unsigned', unsigned, '-1', REFUSED, REFUSED],
    ['unsigned', unsigned, '-18446744073709551615', REFUSED, REFUSED],
    ['unsigned', unsigned, '"-1"', REFUSED, REFUSED],
    ['unsigned', unsigned, '""', REFUSED, REFUSED],
    ['unsigned', unsigned, '" 1"', REFUSED, REFUSED],
    ['unsigned', unsigned, '"0x10"', REFUSED, REFUSED],
    ['unsigned', unsigned, 'null', REFUSED, REFUSED],
    ['unsigned', unsigned, 'true', REFUSED, REFUSED],
    ['integer', integer, '-7', -7, -7],
    ['integer', integer, '"-7"', -7, -7],
    ['integer', integer, '9007199254740993', REFUSED, REFUSED],
    ['integer', integer, '"9007199254740993"', REFUSED, REFUSED],
    ['integer', integer, '1.5', REFUSED, REFUSED],
    ['decimal', decimal, '99.9991', 99.9991, 99.9991],
    ['decimal', decimal, '"99.9991"', 99.9991, 99.9991],
    ['decimal', decimal, '"-2"', -2, -2],
    ['decimal', decimal, '"1.2e-7"', 1.2e-7, 1.2e-7],
    ['decimal', decimal, '123456789012345678.5', 123_456_789_012_345_680, 123_456_789_012_345_680],
    ['decimal', decimal, '1e400', REFUSED, REFUSED],
    ['decimal', decimal, `"${'9'.repeat(400)}"`, REFUSED, REFUSED],
    ['decimal', decimal, '"NaN"', REFUSED, REFUSED],
    ['decimal', decimal, '"1,5"', REFUSED, REFUSED],
    ['decimal', decimal, '""', REFUSED, REFUSED],
    ['timestamp', timestamp, '"1795000000"', 1_795_000_000, 1_795_000_000],
    ['timestamp', timestamp, '1.5', REFUSED, REFUSED],
    ['timestamp', timestamp, '-1', REFUSED, REFUSED],
    ['timestamp', timestamp, '8640000000000', 8.64e12, 8.64e12],
    // JavaScript has no date beyond.
    ['timestamp', timestamp, '8640000000001', REFUSED, REFUSED],
    ['measure', measure, '"0.5"', 0.5, 0.5],
    ['measure', measure, '-0.5', REFUSED, REFUSED],
    ['percent', percent, '"100.0000"', 100, 100],
    ['percent', percent, '"100.0001"', REFUSED, REFUSED],
    ['percent', percent, '-1', REFUSED, REFUSED],
  ])('%s: %s', (_, field, json, plain, exact) => {
    expect(read(field, json)).toBe(plain)
    expect(read(field, json, 'exact')).toBe(exact)
  })

  test.each([
    ['"0x0"', 0n],
    ['"0x3b9aca00"', 1_000_000_000n],
    ['"0X1"', REFUSED],
    ['"0xFf"', 255n],
    // 2^256 - 1.
    [`"0x${'f'.repeat(64)}"`, 2n ** 256n - 1n],
    [`"0x${'f'.repeat(65)}"`, REFUSED],
    ['"0x"', REFUSED],
    ['"1"', REFUSED],
    ['"0xg"', REFUSED],
    ['"-0x1"', REFUSED],
    ['1', REFUSED],
    ['null', REFUSED],
  ])('quantity: %s', (json, value) => {
    expect(read(quantity, json)).toBe(value)
  })

  test('parsed exactly, only integers beyond 2^53 change: everything else stays as JSON has it', () => {
    const json = '{"a":[1,-2,2.5,1e21,0.1,12.0,"18446744073709551615",null,true],"b":-9007199254740993}'
    expect(parseJson(json, 'exact')).toEqual({
      a: [1, -2, 2.5, 1e21, 0.1, 12, '18446744073709551615', null, true],
      b: -9_007_199_254_740_993n,
    })
  })
})

describe('what may be absent', () => {
  test.each([
    ['null', null],
    ['undefined', undefined],
  ])('%s is read as absent', (_, given) => {
    expect(optional(unsigned).parse(given)).toBe(undefined)
    expect(nextPageToken.parse(given)).toBe(undefined)
  })

  test('zero and an empty text are present', () => {
    expect(optional(unsigned).parse(0)).toBe(0n)
    expect(nextPageToken.parse('')).toBe('')
  })
})

// Document 1, Limits.
describe('parameters', () => {
  test.each([
    ['pageSize', pageSize, undefined, 10],
    ['pageSize', pageSize, 1, 1],
    ['pageSize', pageSize, '100', 100],
    ['pageSize', pageSize, 0, REFUSED],
    ['pageSize', pageSize, 101, REFUSED],
    ['pageSize', pageSize, 1.5, REFUSED],
    ['pageSize', pageSize, '', REFUSED],
    ['pageSize', pageSize, 'ten', REFUSED],
    ['pageSize', pageSize, true, REFUSED],
    ['pageSize', pageSize, null, REFUSED],
    ['startTimestamp', sinceTimestamp, undefined, undefined],
    ['startTimestamp', sinceTimestamp, 0, 0],
    ['startTimestamp', sinceTimestamp, '1700000000', 1_700_000_000],
    ['startTimestamp', sinceTimestamp, -1, REFUSED],
    ['startTimestamp', sinceTimestamp, '', REFUSED],
    ['endTimestamp', untilTimestamp, '-1', REFUSED],
    ['endTimestamp', untilTimestamp, '5', 5],
  ])('%s %j', (_, field, given, expected) => {
    const result = field.safeParse(given)
    expect(result.success ? result.data : REFUSED).toBe(expected)
  })
})
