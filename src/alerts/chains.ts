// Alerts about chains: heads that stand still, sources that contradict each other.

import { type Group, HOLD, HOUR, latest, lastAsked, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** How old the newest block was when it was read: by the two lists of the data service, and by each node. */
const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`
const nodeAges = `${lastAsked('evm-node-heads', 'chain')} - ${latest('stakewatch_node_evm_head_timestamp_seconds')}`
/** A list is told from the other one by a source that no node can be: names have no spaces. */
const asSource = (age: string, source: string) => `label_replace(${age}, "source", "${source}", "", "")`
const ages = [asSource(primaryAge, 'primary blocks'), asSource(evmAge, 'evm blocks'), nodeAges].join('\n  or\n    ')

/** Chains of which nodes have blocks that the data service does not list: the age of the listed head says nothing there. */
const ahead = (ofNodes: string, listed: string, { listedBehindBlocks }: Thresholds) =>
  `max without (source, instance, pod) (${ofNodes}) - ${latest(listed)} > ${listedBehindBlocks}`
const unlisted = (limits: Thresholds) => ahead('stakewatch_node_head_height', 'stakewatch_chain_head_height', limits)
const unlistedOfEvm = (limits: Thresholds) =>
  ahead('stakewatch_node_evm_head_height', 'stakewatch_evm_head_height', limits)

/** Whether one of the nodes says so of the EVM chain: 1 or 0. */
function anyNode(states: string): string {
  return `max without (source, state, instance, pod) (stakewatch_node_evm_chain_state{state=~"${states}"})`
}

const byNode = (metric: string) => `max by (job, network, subnet, node_id) (${metric})`
/** Whether the L1 validator has a balance: 1 when node and data service do not agree about that, else 0. */
const balanceDiffers = `abs(
    ${byNode('stakewatch_l1_validator_active')}
    - (${byNode('stakewatch_l1_validator_listed_balance_tokens')} > bool 0)
  )`

const mismatches = ['balances', 'primary_blocks', 'stakes', 'transactions', 'utxos'].map(
  (collector) => `${latest(`stakewatch_${collector}_chain_mismatch`)} == 1`,
)

export const chains = (limits: Thresholds): Group => ({
  name: 'stakewatch-chains',
  rules: [
    {
      alert: 'StakewatchChainStalled',
      severity: 'critical',
      // The youngest counts: whoever has an older block may lag. Nodes alone are enough where no data service lists the chain.
      expr: `min without (source) (
    ${ages}
) > ${latest('stakewatch_chain_stall_threshold_seconds')}
  unless on (job, network, chain) ${unlisted(limits)}`,
      for: 2 * MINUTE,
      hold: HOLD,
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
  and on (job, network, chain) ${latest('stakewatch_chain_stall_threshold_seconds')}
  unless on (job, network, chain) ${latest('stakewatch_evm_head_timestamp_seconds')}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'No node runs the chain, and no data service lists it.',
      description:
        'Each node that has chain {{ $labels.chain }} of {{ $labels.network }} is not done bootstrapping it, or its process has died. No data service lists the chain, so nobody can tell that it goes on. The nodes of an L1 stay so while less than 75 % of its weight is connected.',
    },
    {
      alert: 'StakewatchDataServiceBehind',
      severity: 'warning',
      // The age counts as well: on a fast chain, a node that is asked a moment later always has more blocks.
      expr: `(
    ${unlisted(limits)}
    and on (job, network, chain) ${primaryAge} > ${limits.listedBehind}
  )
  or (
    ${unlistedOfEvm(limits)}
    and on (job, network, chain) ${evmAge} > ${limits.listedBehind}
  )`,
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
      expr: [...mismatches, `${latest('abs(stakewatch_supply_difference_tokens)')} > 0`, `${balanceDiffers} > 0`].join(
        '\n  or ',
      ),
      for: HOUR,
      hold: HOLD,
      summary: 'The data service contradicts the node, or answers with the data of another chain.',
      description:
        '{{ if $labels.node_id }}Of L1 validator {{ $labels.node_id }} of {{ $labels.network }}/{{ $labels.subnet }} the node and the data service do not agree whether it has a balance left.{{ else if $labels.subnet }}Node and data service state supplies of {{ $labels.network }}/{{ $labels.subnet }} that are {{ $value }} tokens apart at the same height.{{ else }}Asked for{{ with $labels.address }} wallet {{ . }}{{ end }}{{ with $labels.chain }} {{ . }}{{ end }} of {{ $labels.network }}, the data service answers with another chain or network, so its answer is not used.{{ end }}',
    },
  ],
})
