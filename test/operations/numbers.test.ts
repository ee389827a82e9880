// Amounts at the edges of their range, from the text of an answer to whole tokens, in each operation that has them.

import { describe, expect, test } from 'vitest'
import { toTokens } from '../../src/lib/units.ts'
import { listLatestEvmBlocks } from '../../src/operations/data/list-latest-evm-blocks.ts'
import { listLatestPrimaryNetworkBlocks } from '../../src/operations/data/list-latest-primary-network-blocks.ts'
import { listPendingRewards } from '../../src/operations/data/list-pending-rewards.ts'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { avgTps } from '../../src/operations/metrics/avg-tps.ts'
import { getCurrentValidators } from '../../src/operations/node/platform.getCurrentValidators.ts'
import { parseJson } from '../../src/upstream/json.ts'

const DROPPED = Symbol('dropped')

/** An operation, an item of its list with `@` where the amount stands, and a second item that fits. */
interface Place {
  operation: Operation
  item: string
  good: string
  read: (item: never) => unknown
  required: boolean
}

const reward = (amount: string) => `{"txHash":"a","estimatedReward":{"denomination":9${amount}}}`
const evm = (more: string) => `{"blockNumber":"1","blockHash":"h","blockTimestamp":1${more}}`
const primary = (more: string) => `{"blockNumber":"1","blockHash":"h","blockTimestamp":1,"txCount":0${more}}`
const place = (operation: Operation, item: string, good: string, required: boolean, read: Place['read']): Place => ({
  operation,
  item,
  good,
  required,
  read,
})
type Of<K extends string> = Record<K, unknown>

const places: Record<string, Place> = {
  'PendingReward.estimatedReward.amount': place(
    listPendingRewards,
    reward(',"amount":@'),
    reward(',"amount":"7"'),
    true,
    ({ estimatedReward: { amount } }: { estimatedReward: Of<'amount'> }) => amount,
  ),
  'PendingReward.amountStaked': place(
    listPendingRewards,
    '{"txHash":"a","estimatedReward":{"amount":"1"},"amountStaked":@}',
    reward(',"amount":"7"'),
    false,
    ({ amountStaked }: Of<'amountStaked'>) => amountStaked,
  ),
  'EvmBlock.blockNumber': place(
    listLatestEvmBlocks,
    '{"blockNumber":@,"blockHash":"h","blockTimestamp":1}',
    evm(''),
    true,
    ({ blockNumber }: Of<'blockNumber'>) => blockNumber,
  ),
  'EvmBlock.feesSpent': place(
    listLatestEvmBlocks,
    evm(',"feesSpent":@'),
    evm(''),
    false,
    ({ feesSpent }: Of<'feesSpent'>) => feesSpent,
  ),
  'EvmBlock.cumulativeTransactions': place(
    listLatestEvmBlocks,
    evm(',"cumulativeTransactions":@'),
    evm(''),
    false,
    ({ cumulativeTransactions }: Of<'cumulativeTransactions'>) => cumulativeTransactions,
  ),
  'PrimaryNetworkBlock.l1ValidatorsAccruedFees': place(
    listLatestPrimaryNetworkBlocks,
    primary(',"l1ValidatorsAccruedFees":@'),
    primary(''),
    false,
    ({ l1ValidatorsAccruedFees }: Of<'l1ValidatorsAccruedFees'>) => l1ValidatorsAccruedFees,
  ),
  'Validator record.balance': place(
    getCurrentValidators,
    '{"nodeID":"a","balance":@}',
    '{"nodeID":"b"}',
    false,
    ({ balance }: Of<'balance'>) => balance,
  ),
}

/** What becomes of the item with this amount, beside one that is good. */
function amountOf({ operation, item, good, read }: Place, amount: string): unknown {
  const list = operation.items!
  const text = `{"${list}":[${item.replace('@', amount)},${good}]}`
  const { value, dropped } = parseAnswer(operation, parseJson(text, operation.integers))
  const kept = (value as Record<string, never[]>)[list]!
  expect(kept).toHaveLength(2 - dropped)
  return dropped === 1 ? DROPPED : read(kept[0]!)
}

describe.each(Object.entries(places))('%s', (_, where) => {
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
      where.operation.integers === 'exact' ? 18_446_744_073_709_551_615n : DROPPED,
    ],
    ['a negative amount', '"-1"', DROPPED],
    ['a fraction', '"1.5"', DROPPED],
    ['nothing between the quotes', '""', DROPPED],
    ['a hexadecimal number', '"0x10"', DROPPED],
    ['null', 'null', where.required ? DROPPED : undefined],
  ])('%s', (__, amount, expected) => {
    expect(amountOf(where, amount)).toBe(expected)
  })

  test('missing', () => {
    const without = { ...where, item: where.item.replace(/,?"\w+":@,?/, '') }
    expect(amountOf(without, '')).toBe(where.required ? DROPPED : undefined)
  })
})

test.each([
  ['"720000000000000000"', 9, 720_000_000],
  ['"18446744073709551615"', 9, Number('18446744073.709551615')],
  ['"1"', 9, 1e-9],
  ['"1"', 18, 1e-18],
  ['"18446744073709551615"', 18, Number('18.446744073709551615')],
  ['"720000000000000000000000001"', 18, 720_000_000],
  ['"7"', 0, 7],
  ['"0"', 36, 0],
])('%s with %i decimal places in whole tokens', (amount, decimals, tokens) => {
  expect(toTokens(amountOf(places['EvmBlock.feesSpent']!, amount) as bigint, decimals)).toBe(tokens)
})

test.each([
  ['a number', '4.25', 4.25],
  ['a text', '"4.25"', 4.25],
  ['zero', '0', 0],
  ['null', 'null', DROPPED],
  ['words', '"many"', DROPPED],
  ['not finite', '1e400', DROPPED],
])('an average rate: %s', (_, rate, expected) => {
  const item = '{"timestamp":1,"value":@}'
  const series = place(avgTps, item, '{"timestamp":2,"value":1}', true, ({ value }: Of<'value'>) => value)
  expect(amountOf(series, rate)).toBe(expected)
})
