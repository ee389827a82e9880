// Chains: whether they move, and how much goes through them.

import { expectationStates, met } from '../expectations.ts'
import { graph, type States, table, timeline } from '../panels.ts'
import { CHAIN, NODE_CHAIN, ofFleet, one, select } from '../select.ts'

const age = (name: string) => ofFleet.age(CHAIN, name)
const perSecond = (name: string) => ofFleet.perSecond(CHAIN, name)

const p95 = (name: string) => `histogram_quantile(0.95, ${ofFleet.perSecond(`${CHAIN}, le`, `${name}_bucket`)})`

const primaryBlocks = `max by (${CHAIN}) (sum by (job, instance, ${CHAIN}) (rate(${select('stakewatch_chain_blocks_total')}[$__rate_interval])))`

/** Of `stakewatch_blockchain_status`, best first; the last one nobody expects. */
const statuses = ['validating', 'syncing', 'preferred', 'created', 'unknown', 'other']
const statusStates: States = {
  0: ['validating', 'green'],
  1: ['syncing', 'blue'],
  2: ['preferred', 'yellow'],
  3: ['created', 'orange'],
  4: ['unknown', 'red'],
  5: ['other', 'red'],
}

function statusNumber(by: string, name: string, among: readonly string[]): string {
  return among.map((state, at) => `${at} * ${one(by, name, `state="${state}"`)}`).join(' + ')
}

export const chains = [
  table({
    text: {
      title: 'Heads',
      description:
        'The newest block of each tracked chain that the data service lists. EVM columns: what it lists for the chain as an EVM chain. A chain without traffic may have an old head and be healthy. Proposer lag: time from the start of its slot to the newest block.',
    },
    height: 7,
    keys: [
      ['chain', 'Chain'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Head', expr: one(CHAIN, 'stakewatch_chain_head_height'), unit: 'locale' },
      { title: 'Head age', expr: age('stakewatch_chain_head_timestamp_seconds'), unit: 's' },
      { title: 'Stalled after', expr: one(CHAIN, 'stakewatch_chain_stall_threshold_seconds'), unit: 's' },
      { title: 'Proposer lag', expr: one(CHAIN, 'stakewatch_chain_block_proposer_lag_seconds'), unit: 's' },
      { title: 'EVM head', expr: one(CHAIN, 'stakewatch_evm_head_height'), unit: 'locale' },
      { title: 'EVM head age', expr: age('stakewatch_evm_head_timestamp_seconds'), unit: 's' },
      { title: 'EVM gas limit', expr: one(CHAIN, 'stakewatch_evm_gas_limit'), unit: 'short' },
      { title: 'Average TPS', expr: one(CHAIN, 'stakewatch_chain_average_tps'), unit: 'short' },
      {
        title: 'Average TPS is of',
        expr: `${one(CHAIN, 'stakewatch_chain_average_tps_timestamp_seconds')} * 1000`,
        unit: 'dateTimeFromNow',
      },
      {
        title: 'TPS updated',
        expr: `${one(CHAIN, 'stakewatch_chain_average_tps_last_run_timestamp_seconds')} * 1000`,
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
        'What each node does with each tracked chain. Syncing means that it runs the chain without validating it, and is what every node says of the P-Chain.',
    },
    24,
    statusStates,
    [['{{network}} {{chain}} by {{source}}', statusNumber(NODE_CHAIN, 'stakewatch_blockchain_status', statuses)]],
  ),
  table({
    text: {
      title: 'Blockchains',
      description:
        'What each tracked chain is, and what its genesis says, without later changes. Expected: what the configuration wants nodes to do with it.',
    },
    height: 7,
    keys: [
      ['chain', 'Chain'],
      ['network', 'Network'],
      ['blockchain_name', 'Created as'],
      ['evm_chain_id', 'EVM chain id'],
      ['blockchain_id', 'Blockchain id'],
      ['subnet_id', 'Subnet id'],
      ['vm_id', 'VM id'],
    ],
    columns: [
      {
        title: 'Found',
        expr: one(
          `${CHAIN}, blockchain_name, evm_chain_id, blockchain_id, subnet_id, vm_id`,
          'stakewatch_blockchain_info',
        ),
        states: { 1: ['yes', 'text'] },
      },
      {
        title: 'Expected',
        expr: statusNumber(CHAIN, 'stakewatch_chain_expected_status', statuses.slice(0, -1)),
        states: statusStates,
      },
      { title: 'Gas limit', expr: one(CHAIN, 'stakewatch_chain_gas_limit'), unit: 'short' },
      { title: 'Target gas', expr: one(CHAIN, 'stakewatch_chain_target_gas'), unit: 'short' },
      {
        title: 'Least base fee (1e-9)',
        expr: `${one(CHAIN, 'stakewatch_chain_min_base_fee_tokens')} * 1e9`,
        unit: 'short',
      },
    ],
    sortBy: ['Chain'],
  }),
  graph(
    {
      title: 'Gas price of the P-Chain',
      description:
        'What a unit of gas costs on the P-Chain, in units of 1e-9 tokens, and the least that it costs: transactions such as top-ups cost in proportion.',
      unit: 'short',
    },
    12,
    [
      ['{{network}}', `${one('network', 'stakewatch_p_chain_gas_price_tokens')} * 1e9`],
      ['{{network}} least', `${one('network', 'stakewatch_p_chain_gas_min_price_tokens')} * 1e9`],
    ],
  ).min(0),
  graph(
    {
      title: 'Gas left on the P-Chain',
      description:
        'Gas that the last block has left for the next one, as a share of the most that there can be. At zero, transactions wait.',
      unit: 'percentunit',
    },
    12,
    [['{{network}}', one('network', 'stakewatch_p_chain_gas_capacity_ratio')]],
  )
    .min(0)
    .max(1),
  timeline(
    {
      title: 'Expectations of chains',
      description:
        'Whether each node does with each chain what the configuration expects, and whether the genesis of the chain is what is declared. Where validating is expected, only nodes that are tracked as validators of the subnet can miss it.',
    },
    24,
    expectationStates,
    [
      ['{{network}} {{chain}} {{expectation}} by {{source}}', met(ofFleet, NODE_CHAIN, 'blockchain_status')],
      ['{{network}} {{chain}} {{expectation}}', met(ofFleet, CHAIN, 'chain')],
    ],
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
      title: 'Average TPS',
      description:
        'Transactions per second by the metrics service: of its newest point, mostly that of a whole day, and of the last hour and day, on average and at most.',
      unit: 'short',
    },
    8,
    [
      ['{{network}} {{chain}}', one(CHAIN, 'stakewatch_chain_average_tps')],
      [
        '{{network}} {{chain}} {{statistic}} of the {{window}}',
        one(`${CHAIN}, statistic, window`, 'stakewatch_chain_throughput_tps'),
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Time between blocks',
      description: 'The 95th percentile of the time between a block and the next one, by the times in the blocks.',
      unit: 's',
    },
    8,
    [
      ['{{network}} {{chain}}', p95('stakewatch_chain_block_interval_seconds')],
      ['{{network}} {{chain}} (EVM)', p95('stakewatch_evm_block_interval_seconds')],
    ],
  ).min(0),
  graph(
    {
      title: 'Block size',
      description: 'The 95th percentile of the sizes of blocks.',
      unit: 'bytes',
    },
    8,
    [['{{network}} {{chain}}', p95('stakewatch_chain_block_size_bytes')]],
  ).min(0),
]
