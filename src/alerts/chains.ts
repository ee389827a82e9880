// Alerts about chains: stalled heads, and sources that contradict each other.

import { indexStalled } from '../conditions/node-progress.ts'
import { awayOf, DATA_SERVICE, FAILING_OF_CHAIN, FOREIGN, NODES } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { BEHIND, stalled, THRESHOLD, witnesses } from './heads.ts'
import { type Group, type Rule, HOUR, type Known, latest, MINUTE, NODES_DOWN } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Whether one of the nodes reports one of these states for the EVM chain: 1 or 0. */
function anyNode(states: string): string {
  return latest(`stakewatch_node_evm_chain_state{state=~"${states}"}`, 'source', 'state')
}

const byNode = (metric: string) => `max by (job, network, subnet, node_id) (${metric})`
/** 1 when the node and the data service disagree on whether the L1 validator has a balance, else 0. */
const balanceDiffers = `abs(
    ${byNode('stakewatch_l1_validator_active')}
    - (${byNode('stakewatch_l1_validator_listed_balance_tokens')} > bool 0)
  )`

/** 1 when the node and the data service disagree on whether the wallet has its minimum on the P-Chain, else 0. */
const minimumDiffers = `abs(
      ${latest('stakewatch_node_address_balance_expectation_met')}
      - ${latest('stakewatch_address_balance_expectation_met')}
    )`

const mismatches = ['balances', 'primary_blocks', 'stakes', 'transactions', 'utxos'].map(
  (collector) => `${latest(`stakewatch_${collector}_chain_mismatch`)} == 1`,
)

/** A configured chain that these series report on. */
const knownChain = (by: string): Known => ({
  by,
  labels: 'job, network, chain',
  name: 'chain {{ $labels.chain }}',
  of: { series: 'stakewatch_chain_tracked', labels: 'job, network, chain' },
})

const tps = (window: string) =>
  latest(`stakewatch_chain_throughput_tps{statistic="average",window="${window}"}`, 'window', 'statistic')

/** Chains without new blocks. */
const blocks = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchChainStalled',
    panel: 'chains: Heads',
    severity: 'critical',
    expr: stalled(limits),
    for: 2 * MINUTE,
    known: knownChain(witnesses),
    summary: 'The chain has stopped making blocks.',
    description:
      'The newest block of chain {{ $labels.chain }} on {{ $labels.network }} is {{ humanizeDuration $value }} old, by each source that reports it. If only one source does, it may be lagging.',
  },
  {
    alert: 'StakewatchChainNotRunning',
    panel: 'chains: Heads',
    severity: 'critical',
    // For a chain that the data service lists, the rule above applies.
    expr: `${anyNode('running')} == 0
  and on (job, network, chain) ${anyNode('bootstrapping|dead')} == 1
  and on (job, network, chain) ${THRESHOLD}
  unless on (job, network, chain) ${latest('stakewatch_evm_head_timestamp_seconds')}`,
    for: 5 * MINUTE,
    quietFor: 'chain',
    known: knownChain('stakewatch_node_evm_chain_state or stakewatch_evm_head_timestamp_seconds'),
    summary: 'No node runs the chain, and no data service lists it.',
    description:
      'Every node that has chain {{ $labels.chain }} on {{ $labels.network }} is still bootstrapping it, or its chain process has died. No data service lists the chain, so stakewatch cannot see whether it makes blocks. Nodes of an L1 cannot finish bootstrapping while less than 75 % of its weight is connected.',
  },
  {
    alert: 'StakewatchDataServiceBehind',
    panel: 'chains: Heads',
    severity: 'warning',
    // Blocks alone are not enough: on a fast chain, a node that answers a moment later always has more.
    expr: BEHIND,
    for: 10 * MINUTE,
    summary: 'The data service is behind the nodes by several minutes of blocks.',
    description:
      'The data service has not listed the last {{ $value }} blocks of chain {{ $labels.chain }} on {{ $labels.network }} that the nodes have. Its balances, transactions and messages are as old, and its list cannot show whether the chain has stalled.',
  },
]

/** Sources that contradict each other or the chain. */
const contradictions: readonly Rule[] = [
  {
    alert: 'StakewatchSourcesDisagree',
    panel: 'self: Answers of another chain',
    severity: 'warning',
    // The greatest difference of either sign.
    expr: `${mismatches.join('\n  or ')}
  or (
    ${latest('abs(stakewatch_supply_difference_tokens)')} > 0
    or ${balanceDiffers} > 0
    or ${minimumDiffers} > 0
  ) unless on (job, network) (${FOREIGN} or ${latest('stakewatch_node_on_canonical_chain')} == 0)`,
    for: HOUR,
    summary: 'The data service contradicts the node, or answers for another chain.',
    description:
      '{{ if $labels.node_id }}The node and the data service disagree on whether L1 validator {{ $labels.node_id }} on {{ $labels.network }}/{{ $labels.subnet }} has a balance left.{{ else if $labels.expectation }}The node and the data service disagree on whether wallet {{ $labels.address }} on {{ $labels.network }} has its {{ $labels.expectation }} on {{ $labels.chain }}.{{ else if $labels.subnet }}The node and the data service report supplies of {{ $labels.network }}/{{ $labels.subnet }} that differ by {{ $value }} tokens at the same height.{{ else }}The data service answered for another chain or network when asked about{{ with $labels.address }} wallet {{ . }}{{ end }}{{ with $labels.chain }} {{ . }}{{ end }} on {{ $labels.network }}. stakewatch does not use the answer.{{ end }}',
  },
  ruleOf(indexStalled),
]

/** Throughput and gas price. */
const traffic = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchThroughputCollapsed',
    panel: 'chains: Heads',
    severity: 'info',
    expr: `${tps('hour')} < ${limits.throughputShare} * ${tps('day')}
  and ${tps('day')} >= ${limits.throughputLeast}
  unless on (job, network, chain) (${stalled(limits)})`,
    for: 10 * MINUTE,
    summary: 'The transaction rate of the chain has collapsed.',
    description:
      'Chain {{ $labels.chain }} on {{ $labels.network }} processed {{ humanize $value }} transactions per second in the last hour, a small part of its rate over the last day.',
  },
  {
    alert: 'StakewatchGasPriceHigh',
    panel: 'chains: Gas price of the P-Chain',
    severity: 'info',
    expr: `${latest('stakewatch_p_chain_gas_price_tokens')}
  > ${limits.gasPriceRise} * ${latest('stakewatch_p_chain_gas_min_price_tokens')}`,
    for: 15 * MINUTE,
    summary: 'P-Chain transactions cost many times the minimum price.',
    description:
      'P-Chain gas on {{ $labels.network }} costs {{ $value }} tokens per unit, many times the minimum price. Top-ups, stakes and validator changes cost as many times more.',
  },
]

/** Chains without data. */
const unknown: readonly Rule[] = [
  {
    alert: 'StakewatchChainUnknown',
    panel: 'chains: Heads',
    severity: 'warning',
    // A node reports the status "unknown" for ids that it does not know. Failing collectors and unavailable sources have alerts
    // of their own.
    expr: `${latest('stakewatch_chain_tracked')}
  unless on (job, network, chain) (
    stakewatch_chain_head_height
    or stakewatch_evm_head_height
    or stakewatch_node_head_height
    or stakewatch_node_evm_chain_state
    or stakewatch_blockchain_status{state!="unknown"} == 1
  )
  unless on (job, network, chain) ${FAILING_OF_CHAIN}
  unless on (job, network) (${NODES_DOWN} or ${awayOf(NODES)} or ${awayOf(DATA_SERVICE)})`,
    for: 15 * MINUTE,
    quietFor: 'chain',
    summary: 'There is no data about a configured chain.',
    description:
      'No source reports a head or a status of chain {{ $labels.chain }} on {{ $labels.network }}, although the sources answer. Check that its id is right and that a node or the data service has it. No other alert about it can fire.',
  },
]

export const chains = (limits: Thresholds): Group => ({
  name: 'stakewatch-chains',
  rules: [...blocks(limits), ...contradictions, ...traffic(limits), ...unknown],
})
