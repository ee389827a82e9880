// Amounts at the edges of their range, in each operation that has them.

import { describe, expect, test } from 'vitest'
import { z, ZodError } from 'zod'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { allCases, type Amount } from './cases.ts'

/** What does not fit costs its item of a list, or the whole of another answer. */
const DROPPED = Symbol('dropped')

type Place = Amount & { operation: Operation }

const operationOf = (name: string) => operations.find((one) => one.name === name)!
const place = (name: string, item: string, path: string): Place => ({ operation: operationOf(name), item, path })

const tables = await allCases()
const places = tables.flatMap(({ operation, amounts = [] }) =>
  amounts.map((amount) => ({ ...amount, operation: operationOf(operation) })),
)

/** What becomes of the item with this amount, or without one. A list gets a good item as well. */
function amountOf({ operation, item, path }: Place, amount: string | undefined): unknown {
  const text = amount === undefined ? item.replace(/,?"\w+":@,?/, '') : item.replace('@', amount)
  const good = item.replace('@', '"7"')
  const { items } = operation
  const parsed = parseJson(items === undefined ? text : `{"${items}":[${text},${good}]}`, operation.integers)
  try {
    const { value, dropped } = parseAnswer(operation, parsed)
    if (items === undefined) return at(value, path)
    const kept = (value as Record<string, unknown[]>)[items]!
    expect(kept).toHaveLength(2 - dropped)
    return dropped === 1 ? DROPPED : at(kept[0], path)
  } catch (error) {
    if (error instanceof ZodError && items === undefined) return DROPPED
    throw error
  }
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((part, key) => (part as Record<string, unknown> | undefined)?.[key], value)
}

/** Whether a field of the answer may be an integer beyond 2^53. */
function hasBigIntegers({ answer }: Operation): boolean {
  let found = false
  z.toJSONSchema(answer, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      found ||= zodSchema instanceof z.ZodBigInt
    },
  })
  return found
}

test('each operation whose answer holds big integers says in its cases where they are', () => {
  const silent = operations.filter((operation) => {
    const cases = tables.find((one) => one.operation === operation.name)
    return hasBigIntegers(operation) && cases?.amounts === undefined
  })
  const advice = ({ name }: Operation) => `${name}: add \`amounts\` to test/operations/cases/${name}.ts`
  expect(silent.map(advice)).toEqual([])
})

describe.each(places.map((where) => [where.operation.name, where.path, where] as const))('%s %s', (_, __, where) => {
  const unreadable = where.canBeLeftOut ? undefined : DROPPED
  test.each([
    ['zero', '"0"', 0n],
    ['one', '"1"', 1n],
    // 720,000,000 tokens with 9 decimal places: more than 2^53.
    ['the greatest supply', '"720000000000000000"', 720_000_000_000_000_000n],
    ['2^64 - 1', '"18446744073709551615"', 18_446_744_073_709_551_615n],
    // The same supply with 18 decimal places: more than 2^64.
    ['the greatest supply of an EVM chain', '"720000000000000000000000000"', 720_000_000_000_000_000_000_000_000n],
    ['a bare number', '1500000000', 1_500_000_000n],
    // Kept where the answer is parsed without loss, else its last digits would be wrong.
    [
      'a bare number beyond 2^53',
      '18446744073709551615',
      where.operation.integers === 'exact' ? 18_446_744_073_709_551_615n : unreadable,
    ],
    ['a negative amount', '"-1"', unreadable],
    ['a fraction', '"1.5"', unreadable],
    ['nothing between the quotes', '""', unreadable],
    ['a hexadecimal number', '"0x10"', unreadable],
    ['null', 'null', where.isRequired ? DROPPED : undefined],
  ])('%s', (___, amount, expected) => {
    expect(amountOf(where, amount)).toBe(expected)
  })

  test('missing', () => {
    expect(amountOf(where, undefined)).toBe(where.isRequired ? DROPPED : undefined)
  })
})

test.each([
  ['a number', '25000000000', 25_000_000_000n],
  ['a text', '"25000000000"', 25_000_000_000n],
  ['beyond 2^53', '18446744073709551615', 18_446_744_073_709_551_615n],
  // Any creator of a chain writes a genesis: one that does not fit is read as absent, and costs nothing else.
  ['negative', '-1', undefined],
  ['a fraction', '1.5', undefined],
  ['null', 'null', undefined],
])('an amount of a genesis: %s', (_, amount, expected) => {
  const item = '{"blockchainId":"a","genesisData":{"config":{"feeConfig":{"minBaseFee":@}}}}'
  expect(amountOf(place('get-blockchain-details', item, 'genesisData.config.feeConfig.minBaseFee'), amount)).toBe(
    expected,
  )
})

test.each([
  ['hexadecimal', '"0x10"', 16n],
  // The greatest there is.
  ['of 256 bits', `"0x${'f'.repeat(64)}"`, 2n ** 256n - 1n],
  ['decimal', '"16"', 16n],
  ['a number', '16', 16n],
  ['of more than 256 bits', `"0x1${'0'.repeat(64)}"`, undefined],
  ['without digits', '"0x"', undefined],
])('a balance of a genesis: %s', (_, amount, expected) => {
  const item = '{"blockchainId":"a","genesisData":{"alloc":{"0x1":{"balance":@}}}}'
  expect(amountOf(place('get-blockchain-details', item, 'genesisData.alloc.0x1.balance'), amount)).toBe(expected)
})

test.each([
  ['paid in', '1000000000', 1_000_000_000n],
  ['returned', '-1000000000', -1_000_000_000n],
  ['as text', '"-18446744073709551615"', -18_446_744_073_709_551_615n],
  ['beyond -2^53', '-18446744073709551615', -18_446_744_073_709_551_615n],
  ['a fraction', '-1.5', DROPPED],
])('a change of a balance: %s', (_, amount, expected) => {
  const item = '{"txHash":"a","l1ValidatorDetails":[{"balanceChange":@}]}'
  const change = place('list-latest-transactions', item, 'l1ValidatorDetails.0.balanceChange')
  expect(amountOf(change, amount)).toBe(expected)
})
