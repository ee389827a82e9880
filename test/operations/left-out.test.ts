// What is left out of an answer that does not fit, and how it is counted.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineOperation, parseAnswer } from '../../src/operations/define.ts'
import { integer, nextPageToken, optional, orNone, unsigned } from '../../src/operations/fields.ts'
import { listUtxos } from '../../src/operations/data/utxos.ts'
import { getBlockchainDetails } from '../../src/operations/data/chains.ts'
import { getBlock } from '../../src/operations/node/platform-blocks.ts'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { getContainerRange } from '../../src/operations/node/indexes.ts'
import { withoutUndefined } from './cases.ts'

const about = { source: 'a test', service: 'data', effect: 'read', params: z.object({}), cost: 1 } as const

const part = z.object({ id: z.string(), size: optional(integer).describe('a description makes a copy of the type') })
const listThings = defineOperation({
  ...about,
  name: 'list-things',
  via: { get: '/things' },
  answer: z.object({
    nextPageToken,
    things: z.array(
      z.object({
        id: z.string(),
        amount: optional(unsigned),
        parts: optional(z.array(part)),
        lock: orNone(unsigned),
        sums: optional(z.record(z.string(), unsigned)),
      }),
    ),
  }),
  items: 'things',
})

/** The answer in our form without what is absent, and its two numbers. */
function parsed(operation: Parameters<typeof parseAnswer>[0], raw: unknown) {
  const { value, dropped, fieldsDropped } = parseAnswer(operation, raw)
  return { value: withoutUndefined(value), dropped, fieldsDropped }
}

describe('an item', () => {
  test.each<[string, object, object, number]>([
    ['keeps all that fits', { id: 'a', amount: '1' }, { id: 'a', amount: 1n }, 0],
    ['loses an optional field that cannot be read', { id: 'a', amount: '' }, { id: 'a' }, 1],
    ['loses each of several', { id: 'a', amount: {}, sums: 7 }, { id: 'a' }, 2],
    ['keeps the null of an optional field', { id: 'a', amount: null }, { id: 'a' }, 0],
    [
      'loses the innermost field alone',
      {
        id: 'a',
        parts: [
          { id: 'p', size: 'big' },
          { id: 'q', size: 2 },
        ],
      },
      { id: 'a', parts: [{ id: 'p' }, { id: 'q', size: 2 }] },
      1,
    ],
    [
      'loses a list inside it as a whole: without one of its entries it would look complete',
      { id: 'a', parts: [{ id: 'p', size: 1 }, { size: 2 }] },
      { id: 'a' },
      1,
    ],
    [
      'loses a list once, whatever else is wrong in it',
      { id: 'a', parts: [{ id: 'p', size: 'big' }, { size: 2 }] },
      { id: 'a' },
      1,
    ],
    ['loses a record of amounts as a whole', { id: 'a', sums: { x: '1', y: 'many' } }, { id: 'a' }, 1],
  ])('%s', (_, item, left, fieldsDropped) => {
    const value = { things: [left, { id: 'good' }] }
    expect(parsed(listThings, { things: [item, { id: 'good' }] })).toEqual({ value, dropped: 0, fieldsDropped })
  })

  test.each([
    ['without what identifies it', { amount: '1' }],
    ['with a field whose absence would mean something', { id: 'a', lock: 'for ever' }],
    ['that is no object', 7],
  ])('%s is dropped, and its fields do not count', (_, item) => {
    const broken = typeof item === 'object' ? { ...item, sums: 'unreadable' } : item
    expect(parsed(listThings, { things: [broken, { id: 'b', amount: 'x' }] })).toEqual({
      value: { things: [{ id: 'b' }] },
      dropped: 1,
      fieldsDropped: 1,
    })
  })
})

test('the token of the next page is never left out: the list would look complete', () => {
  expect(() => parseAnswer(listThings, { nextPageToken: 7, things: [{ id: 'a' }] })).toThrow(z.ZodError)
})

test('a list without a readable item is none, unless it is a later page of one', () => {
  const page = { nextPageToken: 'next', things: [{ id: 7 }, null] }
  expect(() => parseAnswer(listThings, page)).toThrow(z.ZodError)
  expect(parseAnswer(listThings, page, true)).toMatchObject({
    value: { nextPageToken: 'next', things: [] },
    dropped: 2,
  })
})

test('a record loses members that cannot be read, but not all of them', () => {
  const sizes = defineOperation({
    ...about,
    name: 'sizes',
    via: { get: '/sizes' },
    answer: z.object({ sizes: z.record(z.string(), optional(unsigned)) }),
  })
  expect(parsed(sizes, { sizes: { a: 1, b: 'x' } })).toEqual({
    value: { sizes: { a: 1n } },
    dropped: 0,
    fieldsDropped: 1,
  })
  expect(() => parseAnswer(sizes, { sizes: { a: {}, b: 'x' } })).toThrow(z.ZodError)
})

test('the answer that came is not changed', () => {
  const raw = { things: [{ id: 'a', amount: 'x', parts: [{ id: 'p', size: 'big' }] }] }
  const copy = structuredClone(raw)
  parseAnswer(listThings, raw)
  expect(raw).toEqual(copy)
})

// What is special about their definitions; their cases have the rest.
describe('of the documents', () => {
  test.each<[string, Parameters<typeof parseAnswer>[0], unknown, unknown, number]>([
    [
      'a genesis with one field of another form, which is no fault of the service',
      getBlockchainDetails,
      { blockchainId: 'c', genesisData: { nonce: '', gasLimit: '0x10', config: { feeConfig: { minBaseFee: 'low' } } } },
      { blockchainId: 'c', genesisData: { gasLimit: 16n, config: { feeConfig: {} } } },
      0,
    ],
    [
      'the content of a block, which could be its bytes as well',
      getBlock,
      { block: { parentID: 'p', height: 7, txs: [{ unsignedTx: { memo: 5, inputs: 'none' } }] }, encoding: 'json' },
      { block: { parentID: 'p', height: 7n, txs: [{ unsignedTx: {} }] }, encoding: 'json' },
      2,
    ],
    [
      'containers in either of their forms',
      getContainerRange,
      [{ id: 'c', timestamp: '2026-01-01T00:00:00Z', index: '1', bytes: 5 }],
      { containers: [{ id: 'c', timestamp: 1_767_225_600, index: 1n }] },
      1,
    ],
  ])('%s', (_, operation, raw, value, fieldsDropped) => {
    expect(parsed(operation, raw)).toEqual({ value, dropped: 0, fieldsDropped })
  })

  test('a lock that cannot be read is not no lock', () => {
    const raw = {
      utxos: [{ utxoId: 'a' }, { utxoId: 'b', platformLocktime: 'soon' }, { utxoId: 'c', consumingTxHash: 1 }],
    }
    expect(parsed(listUtxos, raw)).toEqual({ value: { utxos: [{ utxoId: 'a' }] }, dropped: 2, fieldsDropped: 0 })
  })

  test('a next period that cannot be read is not a fixed term', () => {
    const raw = { validators: [{ nodeID: 'a' }, { nodeID: 'b', nextPeriod: 'long' }] }
    expect(parsed(getCurrentValidators, raw)).toEqual({
      value: { validators: [{ nodeID: 'a' }] },
      dropped: 1,
      fieldsDropped: 0,
    })
  })
})

describe('a long list', () => {
  const good = { nodeID: 'NodeID-A', weight: '1' }
  const validators = (count: number, isBad: (at: number) => boolean) => ({
    validators: Array.from({ length: count }, (_, at) => (isBad(at) ? 1 : good)),
  })

  test.each<[string, number, (at: number) => boolean, number]>([
    ['all good', 2_500, () => false, 0],
    ['a whole part of it bad', 3_000, (at) => at < 1_000, 1_000],
    ['5,000 bad ones', 20_000, (at) => at >= 15_000, 5_000],
  ])('keeps what is good: %s', (_, count, isBad, dropped) => {
    const parsed = parseAnswer(getCurrentValidators, validators(count, isBad))
    expect([parsed.value.validators.length, parsed.dropped]).toEqual([count - dropped, dropped])
  })

  test.each<[string, unknown, RegExp]>([
    ['more than 5,000 bad ones', validators(20_000, (at) => at > 10_000), /more than 5000 items/],
    ['500,000 bad ones', validators(500_000, () => true), /more than 5000 items/],
    ['nothing but bad ones', validators(4_000, () => true), /expected object/],
  ])('is refused: %s', (_, raw, why) => {
    expect(() => parseAnswer(getCurrentValidators, raw)).toThrow(why)
  })
})
