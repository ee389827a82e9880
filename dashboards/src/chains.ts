// Chains: whether they move, and how much goes through them.

import { graph, table, timeline } from './panels.ts'
import { CHAIN, ofFleet, one, select } from './select.ts'

const age = (name: string) => ofFleet.age(CHAIN, name)
const perSecond = (name: string) => ofFleet.perSecond(CHAIN, name)
const GAS = 'stakewatch_evm_gas_utilisation_ratio'

const primaryBlocks = `max by (${CHAIN}) (sum by (job, instance, ${CHAIN}) (rate(${select('stakewatch_chain_blocks_total')}[$__rate_interval])))`

/** Of `stakewatch_blockchain_status`, best first. */
const statuses = ['validating', 'syncing', 'preferred', 'created', 'unknown', 'other'] as const
const statusNumber = statuses
  .map((state, at) => `${at} * ${one(`${CHAIN}, source`, 'stakewatch_blockchain_status', `state="${state}"`)}`)
  .join(' + ')

export const chains = [
  table({
    words: {
      title: 'Heads',
      description:
        'The newest block of each tracked chain that the data service lists. EVM columns: what it lists for the chain as an EVM chain. Chains without traffic may have an old head and be well.',
    },
    height: 7,
    keys: [
      ['chain', 'Chain'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Head', expr: one(CHAIN, 'stakewatch_chain_head_height'), unit: 'locale' },
      { title: 'Head age', expr: age('stakewatch_chain_head_timestamp_seconds'), unit: 's' },
      { title: 'EVM head', expr: one(CHAIN, 'stakewatch_evm_head_height'), unit: 'locale' },
      { title: 'EVM head age', expr: age('stakewatch_evm_head_timestamp_seconds'), unit: 's' },
      { title: 'EVM gas limit', expr: one(CHAIN, 'stakewatch_evm_gas_limit'), unit: 'short' },
      { title: 'Average TPS', expr: one(CHAIN, 'stakewatch_chain_average_tps'), unit: 'short' },
      {
        title: 'Average TPS is of',
        expr: `${one(CHAIN, 'stakewatch_chain_average_tps_timestamp_seconds')} * 1000`,
        unit: 'dateTimeFromNow',
      },
      { title: 'Tracked', expr: one(CHAIN, 'stakewatch_chain_tracked'), states: { 1: ['yes', 'text'] } },
    ],
    sortBy: ['Chain'],
  }),
  timeline(
    {
      title: 'Status by observer',
      description:
        'What each node does with each tracked chain. Syncing means that it takes part without validating, and is what every node says of the P-Chain.',
    },
    24,
    {
      0: ['validating', 'green'],
      1: ['syncing', 'blue'],
      2: ['preferred', 'yellow'],
      3: ['created', 'orange'],
      4: ['unknown', 'red'],
      5: ['other', 'red'],
    },
    [['{{network}} {{chain}} by {{source}}', statusNumber]],
  ),
  graph(
    {
      title: 'Age of the heads',
      description:
        'Time since the newest block of each chain. A line that climbs without end is a chain that stands still, or a service that no longer follows it.',
      unit: 's',
    },
    8,
    [
      ['{{network}} {{chain}}', age('stakewatch_chain_head_timestamp_seconds')],
      ['{{network}} {{chain}} (EVM)', age('stakewatch_evm_head_timestamp_seconds')],
    ],
  ).min(0),
  graph(
    {
      title: 'Blocks',
      description: 'Blocks per second, each counted once when the data service lists it.',
      unit: 'ops',
    },
    8,
    [
      ['{{network}} {{chain}}', primaryBlocks],
      ['{{network}} {{chain}} (EVM)', perSecond('stakewatch_evm_block_interval_seconds_count')],
    ],
  ).min(0),
  graph(
    {
      title: 'Transactions',
      description: 'Transactions per second in the blocks that the data service lists.',
      unit: 'ops',
    },
    8,
    [
      ['{{network}} {{chain}}', perSecond('stakewatch_chain_transactions_total')],
      ['{{network}} {{chain}} (EVM)', perSecond('stakewatch_evm_transactions_total')],
    ],
  ).min(0),
  graph(
    {
      title: 'EVM gas utilisation',
      description: 'Gas used over gas limit: the mean of the blocks, and the fullest of twenty.',
      unit: 'percentunit',
    },
    8,
    [
      ['{{network}} {{chain}} mean', `${perSecond(`${GAS}_sum`)} / ${perSecond(`${GAS}_count`)}`],
      [
        '{{network}} {{chain}} p95',
        `histogram_quantile(0.95, max by (${CHAIN}, le) (rate(${select(`${GAS}_bucket`)}[$__rate_interval])))`,
      ],
    ],
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'EVM base fee',
      description: "Base fee of the newest block in billionths of the chain's own token per gas.",
      unit: 'short',
    },
    8,
    [['{{network}} {{chain}}', `${one(CHAIN, 'stakewatch_evm_base_fee_tokens')} * 1e9`]],
  ).min(0),
  graph(
    {
      title: 'Average TPS',
      description: 'Transactions per second of the newest point of the metrics service, mostly that of a whole day.',
      unit: 'short',
    },
    8,
    [['{{network}} {{chain}}', one(CHAIN, 'stakewatch_chain_average_tps')]],
  ).min(0),
]
