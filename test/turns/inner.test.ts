// The chains' own blocks: those of a real network, and blocks written by hand.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import { readContainer } from '../../src/turns/block.ts'
import { readInner } from '../../src/turns/inner.ts'
import { ofEachChain, ofPChain } from './recorded-blocks.ts'

const innerOf = (bytes: string) => readContainer(bytes).inner
const numbers = (bytes: number, ...values: number[]) =>
  values.map((value) => value.toString(16).padStart(2 * bytes, '0')).join('')
const id = 'ab'.repeat(32)

function outcome(chain: PrimaryChain, bytes: Buffer | string) {
  try {
    return readInner(chain, typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes)
  } catch (error) {
    if (error instanceof BaseError) return error.code
    throw error
  }
}

describe('blocks of a real network', () => {
  test.each(ofEachChain)('of the %s-Chain, of height %s', (chain, height, { bytes }) => {
    // The option alone has no transactions.
    expect(readInner(chain, innerOf(bytes))).toEqual({ height, isEmpty: height === 24n })
  })

  test('of the P-Chain from height 1 on', () => {
    expect(ofPChain.map(({ bytes }) => readInner('P', innerOf(bytes)).height)).toEqual(
      ofPChain.map((_, at) => BigInt(at + 1)),
    )
  })
})

/** RLP of a list of items that are encoded already. */
const list = (...items: string[]) => {
  const all = items.join('')
  const length = all.length / 2
  return length < 56 ? numbers(1, 0xc0 + length) + all : `f9${numbers(2, length)}${all}`
}
const text = (digits: string) => numbers(1, 0x80 + digits.length / 2) + digits
const NONE = '80'
const EMPTY = 'c0'
const header = (number: string) => list(...Array.from({ length: 8 }, () => text('aa'.repeat(20))), number, NONE)
const evm = (number: string, ...parts: string[]) => list(header(number), ...parts)

const P_HEAD = (type: number) => numbers(2, 0) + numbers(4, type)
const X_HEAD = numbers(2, 0) + numbers(4, 20)
const TIME = numbers(8, 1_795_303_927)

describe('blocks by hand', () => {
  test.each<[string, PrimaryChain, string, { height: bigint | undefined; isEmpty: boolean | undefined }]>([
    [
      'P, without transactions',
      'P',
      P_HEAD(32) + TIME + id + numbers(8, 258) + numbers(4, 0),
      { height: 258n, isEmpty: true },
    ],
    [
      'P, with one',
      'P',
      `${P_HEAD(32) + TIME + id + numbers(8, 258) + numbers(4, 1)}00`,
      { height: 258n, isEmpty: false },
    ],
    [
      'P, a proposal',
      'P',
      `${P_HEAD(29) + TIME + numbers(4, 0) + id + numbers(8, 7)}00`,
      { height: 7n, isEmpty: false },
    ],
    [
      'P, a proposal with transactions before its height',
      'P',
      `${P_HEAD(29) + TIME + numbers(4, 1) + id}00`,
      { height: undefined, isEmpty: false },
    ],
    ['P, an abort', 'P', P_HEAD(30) + TIME + id + numbers(8, 8), { height: 8n, isEmpty: true }],
    ['P, a commit', 'P', P_HEAD(31) + TIME + id + numbers(8, 8), { height: 8n, isEmpty: true }],
    ['X, with none', 'X', X_HEAD + id + numbers(8, 3) + TIME + id + numbers(4, 0), { height: 3n, isEmpty: true }],
    ['X: one', 'X', `${X_HEAD + id + numbers(8, 3) + TIME + id + numbers(4, 1)}00`, { height: 3n, isEmpty: false }],
    ['C, without transactions', 'C', evm(text('0400'), EMPTY, EMPTY, NONE, NONE), { height: 1_024n, isEmpty: true }],
    ['C, of height 0', 'C', evm(NONE, EMPTY, EMPTY, NONE, NONE), { height: 0n, isEmpty: true }],
    ['C, of a height of one byte', 'C', evm('7f', EMPTY, EMPTY, NONE, NONE), { height: 127n, isEmpty: true }],
    [
      'C, of the greatest height',
      'C',
      evm(text('ff'.repeat(8)), EMPTY, EMPTY, NONE, NONE),
      { height: 2n ** 64n - 1n, isEmpty: true },
    ],
    ['C, with a transaction', 'C', evm('01', list('01'), EMPTY, NONE, NONE), { height: 1n, isEmpty: false }],
    [
      'C, with one from another chain alone',
      'C',
      evm('01', EMPTY, EMPTY, NONE, text('0001')),
      { height: 1n, isEmpty: false },
    ],
    [
      'C, with transactions of both kinds, of one size',
      'C',
      evm('01', list('01'), EMPTY, NONE, text('01')),
      { height: 1n, isEmpty: false },
    ],
    [
      'C, with a length of four bytes',
      'C',
      evm('01', EMPTY, EMPTY, NONE, NONE).replace(/^f8|^f9/, 'fb0000'),
      { height: 1n, isEmpty: true },
    ],
    ['C, with fewer parts, as an L1 has them', 'C', evm('01', EMPTY, EMPTY), { height: 1n, isEmpty: undefined }],
  ])('%s', (_, chain, digits, expected) => {
    expect(outcome(chain, digits)).toEqual(expected)
  })

  test.each<[string, PrimaryChain, string, string]>([
    ['P, before Banff', 'P', P_HEAD(3) + id + numbers(8, 1) + numbers(4, 0), 'unsupported'],
    ['P, of a type that comes later', 'P', P_HEAD(33), 'unsupported'],
    ['P, in the type of the X-Chain', 'P', X_HEAD + id, 'unsupported'],
    ['X, in a type of the P-Chain', 'X', P_HEAD(32) + TIME, 'unsupported'],
    ['P, of another version', 'P', `0001${P_HEAD(32).slice(4)}`, 'unsupported'],
    [
      'P, without transactions and with something behind',
      'P',
      `${P_HEAD(32) + TIME + id + numbers(8, 1) + numbers(4, 0)}00`,
      'bad_response',
    ],
    ['P, a commit with something behind', 'P', `${P_HEAD(31) + TIME + id + numbers(8, 8)}00`, 'bad_response'],
    ['C, no list', 'C', text('01'), 'bad_response'],
    ['C, two lists', 'C', evm('01', EMPTY, EMPTY, NONE, NONE).repeat(2), 'bad_response'],
    ['C, nothing', 'C', '', 'bad_response'],
    [
      'C, with a text for a header',
      'C',
      list(header('01').replace('f9', 'b9'), EMPTY, EMPTY, NONE, NONE),
      'bad_response',
    ],
    ['C, without a header', 'C', list(text('01'), EMPTY, EMPTY, NONE, NONE), 'bad_response'],
    ['C, without transactions', 'C', list(header('01')), 'bad_response'],
    ['C, with a text for transactions', 'C', evm('01', NONE, EMPTY, NONE, NONE), 'bad_response'],
    ['C, with a list for a number', 'C', evm('c0', EMPTY, EMPTY, NONE, NONE), 'bad_response'],
    ['C, with a number of nine bytes', 'C', evm(text('01'.repeat(9)), EMPTY, EMPTY, NONE, NONE), 'bad_response'],
    ['C, with too short a header', 'C', list(list('01'), EMPTY, EMPTY, NONE, NONE), 'bad_response'],
    ['C, of 65 parts', 'C', evm('01', ...Array.from({ length: 64 }, () => EMPTY)), 'bad_response'],
    ['C, with a length of five bytes', 'C', 'fc0000000001', 'bad_response'],
    ['C, with a length in a form of its own', 'C', evm('01', EMPTY, EMPTY, NONE, 'b800'), 'bad_response'],
    ['C, with a length that is cut off', 'C', 'f901', 'bad_response'],
    ['C, with a length beyond its end', 'C', 'f8ff00', 'bad_response'],
  ])('%s: %s', (_, chain, digits, code) => {
    expect(outcome(chain, digits)).toBe(code)
  })
})

// The transactions of other blocks are not read, so their end is unknown; the wrapping has their length.
test('an option, and a block of the C-Chain, is refused where it is cut off', () => {
  for (const [chain, height, { bytes }] of ofEachChain.filter(([one, at]) => one === 'C' || at === 24n)) {
    const whole = innerOf(bytes)
    const read = Array.from({ length: whole.length }, (_, length) => outcome(chain, whole.subarray(0, length)))
    expect([height, ...read]).toEqual([height, ...read.map(() => 'bad_response')])
  }
})

test('whatever the bytes, there is a block or an error', () => {
  const beginnings = ['', P_HEAD(29), P_HEAD(32), X_HEAD, 'c1', 'f8', 'f90203', 'c9c8']
  const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 120 }))
  fc.assert(
    fc.property(fc.constantFrom<PrimaryChain>('P', 'X', 'C'), bytes, (chain, [beginning, rest]) => {
      expect(outcome(chain, Buffer.concat([Buffer.from(beginning, 'hex'), rest]))).toBeDefined()
    }),
    { numRuns: 1_000 },
  )
})
