// Amounts at the edges of their range, from the text of an answer to whole tokens, in each operation that has them.

import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { toTokens } from '../../src/lib/units.ts'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { parseJson } from '../../src/upstream/json.ts'

/** What does not fit: of a list the item is left out, another answer is refused as a whole. */
const DROPPED = Symbol('dropped')

/** `item` is one of the operation's list, or its whole answer where it has none, with `@` where the amount stands. */
interface Place {
  operation: Operation
  item: string
  /** Where it stands in what we make of the item. */
  path: string
  required: boolean
  /** An amount that cannot be read takes nothing else away. */
  canBeLeftOut: boolean
}

const place = (name: string, item: string, path: string, how: boolean | 'can be left out' = false): Place => ({
  operation: operations.find((one) => one.name === name)!,
  item,
  path,
  required: how === true,
  canBeLeftOut: how === 'can be left out',
})
const PENDING = '{"txHash":"a","estimatedReward":{"amount":"1"}'
const PAID = '{"rewardTxHash":"a","utxoId":"b","reward":{"amount":"1"}'
const PRIMARY = '{"blockNumber":"1","blockHash":"h","blockTimestamp":1,"txCount":0'
const EVM = '{"blockHash":"h","blockTimestamp":1'
const OUTPUT = '{"block":{"parentID":"a","height":1,"txs":[{"unsignedTx":{"outputs":[{"output":{"amount":@}}]}}]}}'
const OUTPUT_AMOUNT = 'block.txs.0.unsignedTx.outputs.0.output.amount'

const places = [
  ...['list-utxos', 'list-utxos-v2'].flatMap((name) => [
    place(name, '{"utxoId":"a","amount":@}', 'amount'),
    place(name, '{"utxoId":"a","asset":{"amount":@}}', 'asset.amount', true),
  ]),
  ...['list-latest-transactions', 'list-staking-transactions'].flatMap((name) => [
    place(name, '{"txHash":"a","amountBurned":[{"amount":@}]}', 'amountBurned.0.amount', true),
    place(name, '{"txHash":"a","estimatedReward":@}', 'estimatedReward', 'can be left out'),
    place(
      name,
      '{"txHash":"a","l1ValidatorDetails":[{"remainingBalance":@}]}',
      'l1ValidatorDetails.0.remainingBalance',
      'can be left out',
    ),
    place(name, '{"txHash":"a","emittedUtxos":[{"utxoId":"b","amount":@}]}', 'emittedUtxos.0.amount'),
  ]),
  place('get-balances', '{"balances":{"unlockedUnstaked":[{"amount":@}]}}', 'balances.unlockedUnstaked.0.amount', true),
  place(
    'get-balances',
    '{"balances":{"atomicMemoryLocked":[{"amount":@}]}}',
    'balances.atomicMemoryLocked.0.amount',
    true,
  ),
  place('list-erc20-transfers', '{"blockNumber":"1","txHash":"a","logIndex":0,"value":@}', 'value'),
  place('list-historical-rewards', '{"rewardTxHash":"a","utxoId":"b","reward":{"amount":@}}', 'reward.amount', true),
  place('list-historical-rewards', `${PAID},"amountStaked":@}`, 'amountStaked', 'can be left out'),
  place('list-pending-rewards', '{"txHash":"a","estimatedReward":{"amount":@}}', 'estimatedReward.amount', true),
  place('list-pending-rewards', `${PENDING},"amountStaked":@}`, 'amountStaked', 'can be left out'),
  place('list-evm-block-transactions', '{"txHash":"a","value":@}', 'value', 'can be left out'),
  place('list-evm-block-transactions', '{"txHash":"a","gasPrice":@}', 'gasPrice', 'can be left out'),
  place('list-latest-evm-blocks', `${EVM},"blockNumber":@}`, 'blockNumber', true),
  place('list-latest-evm-blocks', `${EVM},"blockNumber":"1","feesSpent":@}`, 'feesSpent'),
  place('list-latest-evm-blocks', `${EVM},"blockNumber":"1","cumulativeTransactions":@}`, 'cumulativeTransactions'),
  place('get-native-token-balance', '{"nativeTokenBalance":{"balance":@}}', 'nativeTokenBalance.balance', true),
  ...['list-latest-primary-network-blocks', 'get-primary-network-block'].flatMap((name) => [
    place(name, `${PRIMARY},"l1ValidatorsAccruedFees":@}`, 'l1ValidatorsAccruedFees'),
    place(name, `${PRIMARY},"currentSupply":@}`, 'currentSupply', 'can be left out'),
  ]),
  ...['list-icm-messages', 'list-icm-messages-by-address'].flatMap((name) => [
    place(
      name,
      '{"messageId":"a","rewardDetails":{"address":"b","value":@}}',
      'rewardDetails.value',
      'can be left out',
    ),
    place(
      name,
      '{"messageId":"a","sourceTransaction":{"gasSpent":@}}',
      'sourceTransaction.gasSpent',
      'can be left out',
    ),
  ]),
  place('platform.getBalance', '{"lockedStakeable":@}', 'lockedStakeable'),
  ...['platform.getBlock', 'platform.getBlockByHeight'].map((name) =>
    place(name, OUTPUT, OUTPUT_AMOUNT, 'can be left out'),
  ),
  place('platform.getCurrentSupply', '{"supply":@}', 'supply', true),
  place('platform.getCurrentValidators', '{"nodeID":"a","balance":@}', 'balance'),
  place('platform.getCurrentValidators', '{"nodeID":"a","potentialReward":@}', 'potentialReward'),
]

/** What becomes of the item with this amount, or without any; in a list it stands beside one that is good. */
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

test('every operation but those without amounts is here', () => {
  const here = new Set([...places.map(({ operation }) => operation.name), 'get-blockchain-details', 'avg-tps'])
  const others = operations.map(({ name }) => name).filter((name) => !here.has(name) && !/^(admin|index)\./.test(name))
  expect(others.toSorted()).toEqual([
    'aggregate-signatures',
    'get-aggregated-signatures',
    'platform.getBlockchainStatus',
    'platform.getBlockchains',
  ])
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
    ['null', 'null', where.required ? DROPPED : undefined],
  ])('%s', (___, amount, expected) => {
    expect(amountOf(where, amount)).toBe(expected)
  })

  test('missing', () => {
    expect(amountOf(where, undefined)).toBe(where.required ? DROPPED : undefined)
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
  const fees = place('list-latest-evm-blocks', `${EVM},"blockNumber":"1","feesSpent":@}`, 'feesSpent')
  expect(toTokens(amountOf(fees, amount) as bigint, decimals)).toBe(tokens)
})

test.each([
  ['a number', '4.25', 4.25],
  ['a text', '"4.25"', 4.25],
  ['zero', '0', 0],
  ['null', 'null', DROPPED],
  ['words', '"many"', DROPPED],
  ['not finite', '1e400', DROPPED],
])('an average rate: %s', (_, rate, expected) => {
  expect(amountOf(place('avg-tps', '{"timestamp":1,"value":@}', 'value', true), rate)).toBe(expected)
})

test.each([
  ['a number', '25000000000', 25_000_000_000n],
  ['a text', '"25000000000"', 25_000_000_000n],
  ['beyond 2^53', '18446744073709551615', 18_446_744_073_709_551_615n],
  // Anybody may write a genesis: one that does not fit is read as absent, and takes nothing else away.
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
