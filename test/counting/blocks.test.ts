// Counters of blocks and of what is in them, against what the network has counted.

import { expect, test } from 'vitest'
import { each, itemsOf, type Sums, sumsOf, tokens, valuesOf } from './sums.ts'
import { C, chainsOf, MINUTE, seeds, TIME, watched } from './watched.ts'

interface Blocks {
  types: Sums
  proposed: Sums
  transactions: number
  bytes: number
  seconds: number
}
interface EvmBlocks {
  blocks: number
  gas: number
  fees: string
  full: number
  seconds: number
}

test.for(seeds)(
  'blocks, and those in the indexes of nodes: $seed, $dialect',
  { timeout: TIME },
  async (network, context) => {
    const { polls, counted, simulator } = await watched(context, {
      ...network,
      collectors: ['primary-blocks', 'evm-blocks', 'index-intervals'],
      watch: (simulator) => ({
        chains: chainsOf(simulator),
        validators: [...simulator.world.validators.all.keys()].map((node_id) => ({ node_id, name: node_id })),
      }),
    })
    const text = await polls([7, 0, 61, 5 * MINUTE, 0, 2, 9 * MINUTE, 6 * MINUTE, 0, 3])

    const { P, X, C: ofC } = (await counted<Blocks>('blocks')) as Record<'P' | 'X' | 'C', Blocks>
    const blocks = { P, X, [C]: ofC }
    const numbers = each(blocks, ({ types }) => Object.values(types).reduce((sum, count) => sum + count, 0))
    const chain = (name: string, ...labels: string[]) => sumsOf(text, `stakewatch_chain_${name}`, 'chain', ...labels)
    expect(chain('blocks_total', 'block_type')).toEqual(each(blocks, ({ types }) => types))
    expect(chain('transactions_total')).toEqual(each(blocks, ({ transactions }) => transactions))
    expect(chain('block_size_bytes_count')).toEqual(numbers)
    expect(chain('block_size_bytes_sum')).toEqual(each(blocks, ({ bytes }) => bytes))
    expect(chain('block_interval_seconds_count')).toEqual(numbers)
    expect(chain('block_interval_seconds_sum')).toEqual(each(blocks, ({ seconds }) => seconds))
    expect(valuesOf(text, 'stakewatch_chain_blocks_missed_total')).toEqual([0])
    expect(sumsOf(text, 'stakewatch_validator_blocks_proposed_total', 'validator')).toEqual(P.proposed)

    const evmBlocks = await counted<EvmBlocks>('evm-blocks')
    const evmNumbers = each(evmBlocks, ({ blocks }) => blocks)
    const evm = (name: string) => sumsOf(text, `stakewatch_evm_${name}`, 'chain')
    expect(evm('gas_used_total')).toEqual(each(evmBlocks, ({ gas }) => gas))
    expect(evm('fees_spent_tokens_total')).toEqual(each(evmBlocks, ({ fees }) => tokens(fees, 18)))
    expect(evm('gas_utilisation_ratio_count')).toEqual(evmNumbers)
    expect(evm('gas_utilisation_ratio_sum')).toEqual(each(evmBlocks, ({ full }) => full))
    expect(evm('block_interval_seconds_count')).toEqual(evmNumbers)
    expect(evm('block_interval_seconds_sum')).toEqual(each(evmBlocks, ({ seconds }) => seconds))
    expect(valuesOf(text, 'stakewatch_evm_blocks_missed_total')).toEqual([0])
    const heads = simulator.world.evm.map((one) => [one.chainId, one.block(one.head())!.cumulative])
    expect(evm('transactions_total')).toEqual(Object.fromEntries(heads))

    const ofBoth = { 'node-a': blocks, 'node-b': blocks }
    const index = (name: string) => sumsOf(text, `stakewatch_index_acceptance_${name}`, 'source', 'chain')
    expect(index('interval_seconds_count')).toEqual(each(ofBoth, () => numbers))
    // Each node accepts a block within the second.
    const seconds = each(ofBoth, (all) => each(all, ({ seconds }) => seconds))
    for (const [name, sum] of Object.entries(index('interval_seconds_sum'))) {
      expect(Math.abs(sum - seconds[name]!)).toBeLessThan(1)
    }
    expect(valuesOf(text, 'stakewatch_index_acceptance_gaps_total')).toEqual([0])
    expect(itemsOf(numbers) * 3 + itemsOf(evmNumbers)).toBeGreaterThan(3_500)
  },
)

test.for(seeds)('transactions of EVM chains: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const { polls, counted } = await watched(context, {
    ...network,
    collectors: ['evm-transactions'],
    watch: (simulator) => ({ chains: chainsOf(simulator) }),
  })
  // A run reads 60 pages of a chain: the last ones catch up.
  const text = await polls([5, 0, 40, 150, 0, 0, 1, 30, 3])

  const outcomes = await counted<{ done: Sums; failed: Sums }>('evm-transactions')
  const transactions = sumsOf(text, 'stakewatch_evm_block_transactions_total', 'chain', 'status', 'call_type')
  expect(transactions).toEqual(each(outcomes, ({ done, failed }) => ({ success: done, reverted: failed })))
  expect(valuesOf(text, 'stakewatch_evm_transactions_blocks_missed_total')).toEqual([0])
  expect(itemsOf(transactions)).toBeGreaterThan(3_000)
})
