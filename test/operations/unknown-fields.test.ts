import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Operation, defineOperation } from '../../src/operations/define.ts'
import { listOf, optional, orNone, unsigned } from '../../src/operations/fields.ts'
import { listValidators } from '../../src/operations/data/validators.ts'
import { getBalances } from '../../src/operations/data/utxos.ts'
import { unknownFields } from '../../src/operations/unknown-fields.ts'

const answering = (answer: z.ZodType, more: Partial<Operation> = {}) =>
  defineOperation({ name: 'test', source: 'a test', via: { get: '/' }, answer, ...more })

const operation = answering(
  z.object({
    token: orNone(z.string()),
    weight: unsigned,
    list: listOf(z.object({ id: z.string(), inner: optional(z.object({ a: unsigned.optional() })) })),
    either: z.union([z.string(), z.object({ a: z.string() }), z.object({ b: z.array(z.object({ c: z.string() })) })]),
    byName: z.record(z.string(), z.object({ known: z.string() })),
    any: z.record(z.string(), z.unknown()),
    open: z.unknown().transform(() => undefined),
  }),
)

describe('the fields of an answer that its definition does not have', () => {
  test.each<[string, unknown, string[]]>([
    ['none', { token: 'a', list: [{ id: 'b', inner: { a: 1 } }] }, []],
    ['at the top', { token: 'a', news: 1, more: null }, ['news', 'more']],
    ['inside a field that is known', { list: [{ id: 'b', inner: { a: 1, news: 2 } }] }, ['list[].inner.news']],
    ['of any item of a list, once', { list: [{ id: 'b' }, { news: 1 }, { news: 2 }] }, ['list[].news']],
    ['not inside one that is unknown', { news: { a: { b: 1 } } }, ['news']],
    [
      'of a form that another form does not have',
      { either: { a: 'x', b: [{ c: 'y', d: 'z' }], e: 1 } },
      ['either.b[].d', 'either.e'],
    ],
    [
      'of a member whose name the upstream chooses',
      { byName: { x: { known: 'a' }, y: { news: 1 } } },
      ['byName.*.news'],
    ],
    ['where everything may be', { any: { x: { y: 1 } }, open: { z: 1 } }, []],
    ['of values of another kind', { list: { id: 1 }, token: { a: 1 }, weight: [{ a: 1 }] }, []],
    ['with a name that every object has', { constructor: 1, toString: 2 }, ['constructor', 'toString']],
    ['of a text', 'answer', []],
    ['of null', null, []],
    ['of a list', [{ a: 1 }], []],
  ])('%s', (_, raw, expected) => {
    expect(unknownFields(operation, raw, 0)).toEqual(expected)
  })

  // The release for Helicon brought fields of this kind.
  test.each([
    [
      listValidators,
      { validators: [{ nodeId: 'n', autoRenew: { compoundedWeight: '1', soon: 1 }, later: {} }] },
      ['validators[].autoRenew.soon', 'validators[].later'],
    ],
    [getBalances, { balances: { restakedRewards: '1', restakedOtherwise: '2' } }, ['balances.restakedOtherwise']],
  ] as [Operation, unknown, string[]][])('of $name', (of, raw, expected) => {
    expect(unknownFields(of, raw, 0)).toEqual(expected)
  })

  test('are no news where the definition is known to have a part of them', () => {
    expect(unknownFields(answering(z.object({}), { isPartial: true }), { news: 1 }, 0)).toEqual([])
  })

  test('are found wherever they are in a list, in turns', () => {
    const found = (place: number) => {
      const list = Array.from({ length: 1_500 }, (__, at) => ({ id: 'a', ...(at === place && { news: 1 }) }))
      // 50 items are looked at, so that 30 turns are enough.
      return Array.from({ length: 30 }, (__, turn) => unknownFields(operation, { list }, turn).length)
    }
    for (const place of [0, 1, 29, 30, 749, 1_498, 1_499]) {
      expect(found(place).reduce((sum, count) => sum + count)).toBe(1)
    }
  })

  test('cost the same however large an answer is', () => {
    let reads = 0
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        get(target, key) {
          reads += 1
          const inner: unknown = Reflect.get(target, key)
          return typeof inner === 'object' && inner !== null ? counted(inner) : inner
        },
      })
    const item = () => Object.fromEntries(Array.from({ length: 40 }, (__, at) => [`field${at}`, { a: { b: 1 } }]))
    const hostile = { ...item(), list: Array.from({ length: 2_000 }, item), byName: item() }
    expect(unknownFields(operation, counted(hostile), 7)).toHaveLength(32)
    expect(reads).toBeLessThan(20_000)
    reads = 0
    const known = { list: Array.from({ length: 50_000 }, () => ({ id: 'a', inner: { a: 1 } })) }
    expect(unknownFields(operation, counted(known), 7)).toEqual([])
    expect(reads).toBeLessThan(20_000)
  })
})
