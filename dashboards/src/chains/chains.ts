// Chains: whether they advance, and their load.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { expectationStates, met } from '../expectations.ts'
import { graph, type States, timeline } from '../panels.ts'
import { CHAIN, inRows, NODE_CHAIN, ofChains, quantileOf } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { problems } from '../verdicts.ts'
import {
  BLOCKS_PER_SECOND,
  BYTES,
  GAS,
  GAS_PER_SECOND,
  HEIGHT,
  NANO,
  SECONDS,
  SHARE,
  TIMES,
  TOKENS,
  TRANSACTIONS_PER_SECOND,
} from '../units.ts'

const { age, one, perSecond, select, stateNumber } = ofChains
const NAME = '{{chain}} {{network}}'
const WALKED = 'evm_block_transactions_total'
const GAS_USED = 'evm_gas_utilisation_ratio'

const tracked = one(CHAIN, 'chain_tracked')
const p95 = (name: string) => quantileOf(0.95, perSecond(`${CHAIN}, le`, `${name}_bucket`))
const gasPrice = (name: string) => one('network', `p_chain_gas_${name}price_tokens`)
const primaryBlocks = `max by (${CHAIN}) (sum by (job, instance, ${CHAIN}) (rate(${select('chain_blocks_total')}[$__rate_interval])))`
const averageAge = age(CHAIN, 'chain_average_tps_last_run_timestamp_seconds')

/** States of `stakewatch_blockchain_status`, best first; the last one is never expected. */
const statuses = ['validating', 'syncing', 'preferred', 'created', 'unknown', 'other']
const statusStates: States = {
  0: ['validating', 'green'],
  1: ['syncing', 'purple'],
  2: ['preferred', 'yellow'],
  3: ['created', 'orange'],
  4: ['unknown', 'red'],
  5: ['other', 'red'],
}

const someHead = ['chain_head', 'evm_head', 'node_head', 'node_evm_head'].map((head) =>
  one(CHAIN, `${head}_timestamp_seconds`),
)
/** Only where it has a limit, and a head that could be judged. */
const moves = `${problems(ofChains, CHAIN, 'chain_stalled')} * 0 or ${one(CHAIN, 'chain_stall_threshold_seconds')} * 0 + 1 and on (${CHAIN}) (${someHead.join(' or ')})`

export const heads = table({
  text: {
    title: 'Heads',
    description:
      "The newest block of each tracked chain in the data service, stalled chains first. Moves: yes or STALLED as stakewatch judges it; empty without a limit, which Age of the heads draws. EVM: the service's list for the chain as an EVM chain. A chain without traffic may have an old head and be healthy. Interval and size: 95th percentiles of the time between blocks and of block sizes. Average: transactions per second by the metrics service, and when it last updated that.",
  },
  height: 10,
  keys: [{ label: 'chain', title: 'Chain' }, NETWORK_KEY],
  rows: tracked,
  columns: [
    { title: 'Moves', expr: moves, states: { 0: ['STALLED', 'red'], 1: ['yes', 'text'] } },
    { title: 'Head', expr: one(CHAIN, 'chain_head_height'), unit: HEIGHT },
    { title: 'Age', expr: age(CHAIN, 'chain_head_timestamp_seconds'), unit: SECONDS },
    { title: 'EVM head', expr: one(CHAIN, 'evm_head_height'), unit: HEIGHT },
    { title: 'EVM age', expr: age(CHAIN, 'evm_head_timestamp_seconds'), unit: SECONDS },
    { title: 'Interval', expr: p95('chain_block_interval_seconds'), unit: SECONDS },
    { title: 'Size', expr: p95('chain_block_size_bytes'), unit: BYTES },
    { title: 'Proposer lag', expr: one(CHAIN, 'chain_block_proposer_lag_seconds'), unit: SECONDS },
    { title: 'Average', expr: one(CHAIN, 'chain_average_tps'), unit: TRANSACTIONS_PER_SECOND },
    {
      title: 'Updated',
      expr: averageAge,
      unit: SECONDS,
      marks: ['text', [thresholds.averageStale, 'orange']],
    },
  ],
  sortBy: ['Moves', 'Chain'],
})

const turns = (outcome: string) => perSecond(CHAIN, 'chain_turns_total', `outcome="${outcome}"`)

export const chains = [
  timeline(
    {
      title: 'Status by observer',
      description:
        'Status of each tracked chain on each node. Syncing: the node runs the chain without validating it; every node reports this for the P-Chain.',
    },
    statusStates,
    [['{{chain}} by {{source}} {{network}}', stateNumber(NODE_CHAIN, 'blockchain_status', statuses)]],
  ),
  timeline(
    {
      title: 'Expectations of chains',
      description:
        'Whether each chain has the expected status on each node, and the expected genesis. Where validating is expected, only nodes that are tracked validators of the subnet can fail.',
    },
    expectationStates,
    [
      ['{{chain}} {{expectation}} by {{source}} {{network}}', met(ofChains, NODE_CHAIN, 'blockchain_status')],
      ['{{chain}} {{expectation}} {{network}}', met(ofChains, CHAIN, 'chain')],
    ],
  ),
  table({
    text: {
      title: 'Blockchains',
      description:
        'Identity and genesis settings of each tracked chain, without later changes. Expected: the configured status. Base fee: the minimum.',
    },
    height: 7,
    keys: [
      { label: 'chain', title: 'Chain' },
      NETWORK_KEY,
      { label: 'blockchain_name', title: 'Created as' },
      { label: 'evm_chain_id', title: 'EVM chain id' },
      { label: 'blockchain_id', title: 'Blockchain id' },
    ],
    rows: one(`${CHAIN}, blockchain_name, evm_chain_id, blockchain_id`, 'blockchain_info'),
    columns: (
      [
        ['Expected', stateNumber(CHAIN, 'chain_expected_status', statuses.slice(0, -1)), undefined],
        ['Gas limit', one(CHAIN, 'chain_gas_limit'), GAS],
        ['Target gas', one(CHAIN, 'chain_target_gas'), GAS],
        ['Base fee', `${one(CHAIN, 'chain_min_base_fee_tokens')} * 1e9`, NANO],
      ] as const
    ).map(([title, expr, unit]) => ({
      title,
      expr: inRows(one(`${CHAIN}, blockchain_name, evm_chain_id, blockchain_id`, 'blockchain_info'), CHAIN, expr),
      ...(unit === undefined ? { states: statusStates } : { unit }),
    })),
    sortBy: ['Chain'],
  }),
  graph(
    {
      title: 'Age of the heads',
      description:
        'Time since the newest block of each chain in the data service, and the limit for stalled chains. A line that keeps climbing is a stalled chain, or a service that no longer follows it.',
      unit: SECONDS,
    },
    [
      [NAME, age(CHAIN, 'chain_head_timestamp_seconds')],
      [`${NAME} (EVM)`, age(CHAIN, 'evm_head_timestamp_seconds')],
      [`${NAME} stalls after`, one(CHAIN, 'chain_stall_threshold_seconds')],
    ],
    { scale: 'log', bound: 'stalls after', limits: [[thresholds.listedBehind, 'orange']] },
  ),
  graph(
    {
      title: 'Blocks',
      description: 'Blocks per second that the data service lists.',
      unit: BLOCKS_PER_SECOND,
    },
    [
      [NAME, primaryBlocks],
      [`${NAME} (EVM)`, perSecond(CHAIN, 'evm_block_interval_seconds_count')],
    ],
    { isBadWhenLow: true },
  ).min(0),
  graph(
    {
      title: 'Missed turns',
      description:
        'Share of the turns to build a block that validators missed, and of the blocks that came late because of that. Contradicted: its blocks contradict the draw, and no one is accused. Needs a node with an index.',
      unit: SHARE,
    },
    [
      [NAME, `${turns('missed')} / (${turns('missed')} + ${turns('made')} > 0)`],
      [`${NAME} late blocks`, `${perSecond(CHAIN, 'chain_late_blocks_total')} / (${turns('made')} > 0)`],
      [`${NAME} contradicted`, one(CHAIN, 'chain_draw_contradicted')],
    ],
    { columns: 24, limits: [[thresholds.turnsMissedOfChain, 'orange']], colours: { contradicted: 'red' } },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Transactions',
      description:
        'Transactions per second in the blocks of the data service, and in the last hour and day by the metrics service.',
      unit: TRANSACTIONS_PER_SECOND,
    },
    [
      [NAME, perSecond(CHAIN, 'chain_transactions_total')],
      [`${NAME} (EVM)`, perSecond(CHAIN, 'evm_transactions_total')],
      [`${NAME} average of the {{window}}`, one(`${CHAIN}, window`, 'chain_throughput_tps', 'statistic="average"')],
    ],
    { columns: 24, scale: 'symlog', limits: [[thresholds.throughputLeast, 'purple']] },
  ),
]

const listed = stateNumber(CHAIN, 'evm_listed_state', ['unavailable', 'unlisted'], 1)
const walked = (...matchers: readonly string[]) =>
  `sum by (${CHAIN}) (${perSecond(`${CHAIN}, status, call_type`, WALKED, ...matchers)})`

export const evm = [
  table({
    text: {
      title: 'EVM chains',
      description:
        "Current activity of each EVM chain. Listed: whether the data service has the chain and reaches its nodes; if not ok, the data here is old or missing. Interval: 95th percentile of the time between blocks. Failed: share of the counted transactions. Fees: per hour, in the chain's own token. Base fee: of the newest block in the data service; Next fee: of the next block, from the node with the highest value; in billionths of a token.",
    },
    height: 7,
    keys: [{ label: 'chain', title: 'Chain' }, NETWORK_KEY],
    rows: listed,
    columns: [
      {
        title: 'Listed',
        expr: listed,
        states: { 0: ['ok', 'text'], 1: ['UNAVAILABLE', 'orange'], 2: ['UNLISTED', 'orange'] },
      },
      { title: 'Interval', expr: p95('evm_block_interval_seconds'), unit: SECONDS },
      { title: 'Gas limit', expr: one(CHAIN, 'evm_gas_limit'), unit: GAS },
      { title: 'Gas used', expr: perSecond(CHAIN, 'evm_gas_used_total'), unit: GAS_PER_SECOND },
      { title: 'Fees', expr: `${perSecond(CHAIN, 'evm_fees_spent_tokens_total')} * 3600`, unit: TOKENS },
      { title: 'Failed', expr: `${walked('status!="success"')} / (${walked()} > 0)`, unit: SHARE },
      { title: 'Base fee', expr: `${one(CHAIN, 'evm_base_fee_tokens')} * 1e9`, unit: NANO },
      { title: 'Next fee', expr: `${one(CHAIN, 'node_evm_base_fee_tokens', 'block="next"')} * 1e9`, unit: NANO },
    ],
    sortBy: ['Chain'],
  }),
  graph(
    {
      title: 'Gas utilisation',
      description:
        "Gas used divided by the gas limit: mean and 95th percentile of blocks, and the newest block of each node; for the P-Chain, the share of the next block's gas that is used up. At 100 % transactions wait.",
      unit: SHARE,
    },
    [
      [`${NAME} mean`, `${perSecond(CHAIN, `${GAS_USED}_sum`)} / ${perSecond(CHAIN, `${GAS_USED}_count`)}`],
      [`${NAME} p95`, p95(GAS_USED)],
      [`${NAME} newest by {{source}}`, one(NODE_CHAIN, 'node_evm_head_gas_used_ratio')],
      ['{{network}} P-Chain', `1 - ${one('network', 'p_chain_gas_capacity_ratio')}`],
    ],
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Gas price of the P-Chain',
      description:
        'Price of a unit of gas on the P-Chain as a multiple of the minimum. The cost of transactions such as top-ups is proportional.',
      unit: TIMES,
    },
    [['{{network}}', `${gasPrice('')} / ${gasPrice('min_')}`]],
    { scale: 'symlog', limits: [[thresholds.gasPriceRise, 'purple']] },
  ),
]
