// Alerts about chains: heads that stand still, sources that contradict each other.

import { awayOf, DATA_SERVICE, FAILING_OF_CHAIN, FOREIGN, NODES, ofNode } from './causes.ts'
import { BEHIND, stalled, THRESHOLD, witnesses } from './heads.ts'
import { UNHEALTHY } from './health.ts'
import { type Group, HOLD, HOUR, type Known, latest, MINUTE, NODES_DOWN } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Whether one of the nodes says so of the EVM chain: 1 or 0. */
function anyNode(states: string): string {
  return latest(`stakewatch_node_evm_chain_state{state=~"${states}"}`, 'source', 'state')
}

const byNode = (metric: string) => `max by (job, network, subnet, node_id) (${metric})`
/** Whether the L1 validator has a balance: 1 when node and data service do not agree about that, else 0. */
const balanceDiffers = `abs(
    ${byNode('stakewatch_l1_validator_active')}
    - (${byNode('stakewatch_l1_validator_listed_balance_tokens')} > bool 0)
  )`

/** Whether the wallet has its minimum on the P-Chain: 1 when node and data service do not agree about that, else 0. */
const minimumDiffers = `abs(
      ${latest('stakewatch_node_address_balance_expectation_met')}
      - ${latest('stakewatch_address_balance_expectation_met')}
    )`

const mismatches = ['balances', 'primary_blocks', 'stakes', 'transactions', 'utxos'].map(
  (collector) => `${latest(`stakewatch_${collector}_chain_mismatch`)} == 1`,
)

/** How much older the newest block in the index of a node is than the newest block of the chain. */
const indexLag = (head: string, more: string) =>
  `(-1 * (
      ${latest('stakewatch_index_last_accepted_timestamp_seconds{index="block"}', 'index')}
      - on (job, network, chain${more}) group_left () ${latest(head)}
    ))`

/** A configured chain of which these series report. */
const knownChain = (by: string): Known => ({
  by,
  labels: 'job, network, chain',
  name: 'chain {{ $labels.chain }}',
  of: { series: 'stakewatch_chain_tracked', labels: 'job, network, chain' },
})

const tps = (window: string) =>
  latest(`stakewatch_chain_throughput_tps{statistic="average",window="${window}"}`, 'window', 'statistic')

export const chains = (limits: Thresholds): Group => ({
  name: 'stakewatch-chains',
  rules: [
    {
      alert: 'StakewatchChainStalled',
      severity: 'critical',
      expr: stalled(limits),
      for: 2 * MINUTE,
      hold: HOLD,
      known: knownChain(witnesses),
      summary: 'The chain has had no new block for longer than it may.',
      description:
        'The newest block of chain {{ $labels.chain }} of {{ $labels.network }} that the data service lists or a node has is {{ humanizeDuration $value }} old. If only one of them tells of the chain, it may lag instead.',
    },
    {
      alert: 'StakewatchChainNotRunning',
      severity: 'critical',
      // What the data service lists has an age, and the rule above.
      expr: `${anyNode('running')} == 0
  and on (job, network, chain) ${anyNode('bootstrapping|dead')} == 1
  and on (job, network, chain) ${THRESHOLD}
  unless on (job, network, chain) ${latest('stakewatch_evm_head_timestamp_seconds')}`,
      for: 5 * MINUTE,
      hold: HOLD,
      known: knownChain('stakewatch_node_evm_chain_state or stakewatch_evm_head_timestamp_seconds'),
      summary: 'No node runs the chain, and no data service lists it.',
      description:
        'Each node that has chain {{ $labels.chain }} of {{ $labels.network }} is not done bootstrapping it, or its process has died. No data service lists the chain, so nobody can tell that it goes on. The nodes of an L1 stay so while less than 75 % of its weight is connected.',
    },
    {
      alert: 'StakewatchDataServiceBehind',
      severity: 'warning',
      // The age counts as well: on a fast chain, a node that is asked a moment later always has more blocks.
      expr: BEHIND,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The data service does not list blocks that nodes have had for minutes.',
      description:
        'Nodes have {{ $value }} blocks of chain {{ $labels.chain }} of {{ $labels.network }} that the data service has not listed yet. Its balances, transactions and messages are as old, and its list does not tell whether the chain stalls.',
    },
    {
      alert: 'StakewatchSourcesDisagree',
      severity: 'warning',
      // The greatest difference, whatever its sign.
      expr: `${mismatches.join('\n  or ')}
  or (
    ${latest('abs(stakewatch_supply_difference_tokens)')} > 0
    or ${balanceDiffers} > 0
    or ${minimumDiffers} > 0
  ) unless on (job, network) (${FOREIGN} or ${latest('stakewatch_node_on_canonical_chain')} == 0)`,
      for: HOUR,
      hold: HOLD,
      summary: 'The data service contradicts the node, or answers with the data of another chain.',
      description:
        '{{ if $labels.node_id }}Of L1 validator {{ $labels.node_id }} of {{ $labels.network }}/{{ $labels.subnet }} the node and the data service do not agree whether it has a balance left.{{ else if $labels.expectation }}The node and the data service do not agree whether wallet {{ $labels.address }} of {{ $labels.network }} has its {{ $labels.expectation }} on {{ $labels.chain }}.{{ else if $labels.subnet }}Node and data service state supplies of {{ $labels.network }}/{{ $labels.subnet }} that are {{ $value }} tokens apart at the same height.{{ else }}Asked for{{ with $labels.address }} wallet {{ . }}{{ end }}{{ with $labels.chain }} {{ . }}{{ end }} of {{ $labels.network }}, the data service answers with another chain or network, so its answer is not used.{{ end }}',
    },
    {
      alert: 'StakewatchIndexStalled',
      severity: 'warning',
      // A node that does not keep up with the P-Chain itself has another alert.
      expr: `(
    ${indexLag('stakewatch_chain_head_timestamp_seconds', '')} > ${limits.indexBehind}
    and on (job, network, chain, source) ${latest('stakewatch_node_behind_blocks')} <= ${limits.nodeBehindBlocks}
    or ${indexLag('stakewatch_node_evm_head_timestamp_seconds', ', source')} > ${limits.indexBehind}
  )
  unless on (job, network, source) (${FOREIGN} or ${ofNode(UNHEALTHY)})`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The index of the node stands still while the chain goes on.',
      description:
        'The newest block of chain {{ $labels.chain }} of {{ $labels.network }} in the index of node {{ $labels.source }} is {{ humanizeDuration $value }} older than the newest block of the chain.',
    },
    {
      alert: 'StakewatchThroughputCollapsed',
      severity: 'info',
      expr: `${tps('hour')} < ${limits.throughputShare} * ${tps('day')}
  and ${tps('day')} >= ${limits.throughputLeast}
  unless on (job, network, chain) (${stalled(limits)})`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The chain takes far fewer transactions than in the day before.',
      description:
        'Chain {{ $labels.chain }} of {{ $labels.network }} has taken {{ humanize $value }} transactions per second in the last hour: a small part of what it took in the last day.',
    },
    {
      alert: 'StakewatchGasPriceHigh',
      severity: 'info',
      expr: `${latest('stakewatch_p_chain_gas_price_tokens')}
  > ${limits.gasPriceRise} * ${latest('stakewatch_p_chain_gas_min_price_tokens')}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'Transactions on the P-Chain cost many times the least price.',
      description:
        'A unit of gas on the P-Chain of {{ $labels.network }} costs {{ $value }} tokens: top-ups, stakes and changes of validators cost as many times more as that is above the least price.',
    },
    {
      alert: 'StakewatchChainUnknown',
      severity: 'warning',
      // A node has a status for each id that it is asked about: unknown is one. A collector that fails, and a source that is
      // away, are the news instead.
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
      hold: HOLD,
      summary: 'Nothing is known about a configured chain.',
      description:
        'No source tells a head or a status of chain {{ $labels.chain }} of {{ $labels.network }}, though the sources answer: is its id right, and does a node or the data service have it? No other alert about it can fire.',
    },
  ],
})
