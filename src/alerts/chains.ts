// Alerts about chains: stalled heads, and sources that contradict each other.

import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from '../conditions/chains.ts'
import { sourcesDisagree } from '../conditions/disagreements.ts'
import { FOREIGN, ofNode } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { UNHEALTHY } from './health.ts'
import { type Group, latest, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** How many seconds the index of a node is behind the chain. */
const indexLag = (head: string, more: string) =>
  `(-1 * (
      ${latest('stakewatch_index_last_accepted_timestamp_seconds{index="block"}', 'index')}
      - on (job, network, chain${more}) group_left () ${latest(head)}
    ))`

export const chains = (limits: Thresholds): Group => ({
  name: 'stakewatch-chains',
  rules: [
    ruleOf(chainStalled),
    ruleOf(chainNotRunning),
    ruleOf(dataServiceBehind),
    ruleOf(sourcesDisagree),
    {
      alert: 'StakewatchIndexStalled',
      panel: 'chains: Heads of nodes',
      severity: 'warning',
      // A node that is behind on the P-Chain itself has another alert.
      expr: `(
      ${indexLag('stakewatch_chain_head_timestamp_seconds', '')} > ${limits.indexBehind}
      and on (job, network, chain, source) ${latest('stakewatch_node_behind_blocks')} <= ${limits.nodeBehindBlocks}
      or ${indexLag('stakewatch_node_evm_head_timestamp_seconds', ', source')} > ${limits.indexBehind}
    )
    unless on (job, network, source) (${FOREIGN} or ${ofNode(UNHEALTHY)})`,
      for: 10 * MINUTE,
      quietFor: 'node',
      summary: 'The index of the node has stopped while the chain goes on.',
      description:
        'The index of chain {{ $labels.chain }} on node {{ $labels.source }} on {{ $labels.network }} is behind: its newest block is {{ humanizeDuration $value }} older than the newest block of the chain.',
    },
    ruleOf(throughputCollapsed),
    ruleOf(gasPriceHigh),
    ruleOf(chainUnknown),
  ],
})
