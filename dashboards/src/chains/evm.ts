// EVM chains: what their transactions do, use and pay.

import { graph } from '../panels.ts'
import { CHAIN, NODE_CHAIN, ofFleet, one } from '../select.ts'

const GAS = 'stakewatch_evm_gas_utilisation_ratio'
const perSecond = (name: string) => ofFleet.perSecond(CHAIN, name)
const walked = (label: string) =>
  `sum by (${CHAIN}, ${label}) (${ofFleet.perSecond(`${CHAIN}, status, call_type`, 'stakewatch_evm_block_transactions_total')})`

export const evm = [
  graph(
    {
      title: 'EVM gas utilisation',
      description:
        'Gas used over gas limit: mean and 95th percentile of the blocks, and of the newest block of each node.',
      unit: 'percentunit',
    },
    8,
    [
      ['{{network}} {{chain}} mean', `${perSecond(`${GAS}_sum`)} / ${perSecond(`${GAS}_count`)}`],
      ['{{network}} {{chain}} p95', `histogram_quantile(0.95, ${ofFleet.perSecond(`${CHAIN}, le`, `${GAS}_bucket`)})`],
      ['{{network}} {{chain}} newest by {{source}}', one(NODE_CHAIN, 'stakewatch_node_evm_head_gas_used_ratio')],
    ],
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'EVM gas used',
      description: 'Gas per second that the transactions of each chain used.',
      unit: 'short',
    },
    8,
    [['{{network}} {{chain}}', perSecond('stakewatch_evm_gas_used_total')]],
  ).min(0),
  graph(
    {
      title: 'EVM base fee',
      description:
        "Base fee in billionths of the chain's own token per gas: that of the newest block by the data service, and by each node that of its newest block and of the next one.",
      unit: 'short',
    },
    8,
    [
      ['{{network}} {{chain}}', `${one(CHAIN, 'stakewatch_evm_base_fee_tokens')} * 1e9`],
      [
        '{{network}} {{chain}} {{block}} by {{source}}',
        `${one(`${NODE_CHAIN}, block`, 'stakewatch_node_evm_base_fee_tokens')} * 1e9`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'EVM transactions by outcome',
      description: 'Transactions per second in the blocks that were walked.',
      unit: 'ops',
    },
    8,
    [['{{network}} {{chain}} {{status}}', walked('status')]],
  ).min(0),
  graph(
    {
      title: 'EVM transactions by kind',
      description: 'Transactions per second in the blocks that were walked, by kind of call.',
      unit: 'ops',
    },
    8,
    [['{{network}} {{chain}} {{call_type}}', walked('call_type')]],
  ).min(0),
  graph(
    {
      title: 'EVM fees',
      description: "Fees of the transactions, in the chain's own token per hour.",
      unit: 'short',
    },
    8,
    [['{{network}} {{chain}}', `${perSecond('stakewatch_evm_fees_spent_tokens_total')} * 3600`]],
  ).min(0),
  graph(
    {
      title: 'EVM chains at the data service',
      description:
        'What the data service says of each configured EVM chain: it reaches its nodes (ok) or does not (unavailable), or does not have the chain (unlisted). While it is not ok, what is told of the chain here is old or missing.',
      unit: 'none',
    },
    12,
    [['{{network}} {{chain}} {{state}}', `${one(`${CHAIN}, state`, 'stakewatch_evm_listed_state')} == 1`]],
  ).min(0),
]
