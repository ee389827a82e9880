// Conditions of chains: whether they make blocks, and whether stakewatch sees them at all.

import { MINUTE } from '../../lib/seconds.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown, type Verdict } from '../condition.ts'
import { BEHIND_READS, blocksBehind, HEAD_READS, headAge, isHeadKnown, isListCut, stallThreshold } from '../heads.ts'
import {
  areNodesDown,
  AWAY_READS,
  FAILING_READS,
  isAnyNodeAway,
  isDataServiceAway,
  isFailing,
  isOverBudget,
  isTargetOfChain,
  OVER_BUDGET_READS,
} from '../upstreams.ts'
import { ifKnown, plain } from '../details.ts'
import type { View } from '../view.ts'

const TRACKED = 'stakewatch_chain_tracked'
const EVM_STATE = 'stakewatch_node_evm_chain_state'
const EVM_HEAD = 'stakewatch_evm_head_timestamp_seconds'
const STATUS = 'stakewatch_blockchain_status'

const isTracked = (chain: View) => chain.has(TRACKED)

/** Without a witness, nothing is known of a configured chain. */
const unseen = (chain: View, reason: string): Verdict => (isTracked(chain) ? unknown(reason) : NOT_APPLICABLE)

export const chainStalled: Condition = {
  alert: 'StakewatchChainStalled',
  panel: 'chains: Heads',
  severity: 'critical',
  for: 2 * MINUTE,
  heldBy: ['primary-blocks', 'evm-blocks', 'head-check', 'evm-node-heads'],
  reads: [TRACKED, ...HEAD_READS],
  judge: {
    chain(view) {
      const threshold = stallThreshold(view)
      if (threshold === undefined) return NOT_APPLICABLE
      if (!isHeadKnown(view)) return unseen(view, 'no source reports its newest block')
      const age = headAge(view)
      if (age === undefined) return unseen(view, 'no source that counts reports its newest block')
      return age > threshold ? problem(age) : OK
    },
  },
  title: '{{ $labels.chain }} has stopped making blocks',
  summary: 'The chain has stopped making blocks.',
  action: 'Ask an explorer or another node for the newest block of {{ $labels.chain }}.',
  description:
    'The newest block of chain {{ $labels.chain }} on {{ $labels.network }} is {{ humanizeDuration $value }} old, by each source that reports it. If only one source does, it may be lagging.',
}

const hasState = (chain: View, ...states: readonly string[]) =>
  chain.all(EVM_STATE).some(({ labels, value }) => value === 1 && states.includes(labels['state']!))

export const chainNotRunning: Condition = {
  alert: 'StakewatchChainNotRunning',
  panel: 'chains: Heads',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'chain',
  heldBy: ['evm-node-heads'],
  reads: [TRACKED, EVM_STATE, EVM_HEAD, 'stakewatch_chain_stall_threshold_seconds'],
  judge: {
    chain(view) {
      if (stallThreshold(view) === undefined) return NOT_APPLICABLE
      // For a chain that the data service lists, it is enough that blocks come.
      if (view.has(EVM_HEAD)) return OK
      if (!view.has(EVM_STATE)) return unseen(view, 'no node reports its state')
      return !hasState(view, 'running') && hasState(view, 'bootstrapping', 'dead') ? problem(0) : OK
    },
  },
  title: '{{ $labels.chain }} runs on no node',
  summary: 'No node runs the chain, and no data service reports its blocks.',
  action: 'Check why no node runs {{ $labels.chain }}: look at its state and log on each node.',
  description:
    'Every node that has chain {{ $labels.chain }} on {{ $labels.network }} is still bootstrapping it, or its chain process has died. No data service reports its blocks, so stakewatch cannot see whether it makes blocks. Nodes of an L1 cannot finish bootstrapping while less than 75 % of its weight is connected.',
}

export const dataServiceBehind: Condition = {
  alert: 'StakewatchDataServiceBehind',
  panel: 'chains: Heads',
  severity: 'warning',
  // Balances do not count meanwhile, and a list is read twice a minute.
  for: 3 * MINUTE,
  reads: [...BEHIND_READS, ...OVER_BUDGET_READS],
  judge: {
    // Blocks alone are not enough: on a fast chain, a node that answers a moment later always has more.
    chain(view) {
      if (isListCut(view)) return problem(0)
      const blocks = blocksBehind(view)
      if (blocks === undefined) return OK
      // A list that was read minutes after it was asked for is late because of our queue.
      if (isOverBudget(view.of('node', { source: 'data-api' }))) return unknown('requests wait for their budget')
      return problem(blocks)
    },
  },
  title: '{{ $labels.chain }}: data service out of date',
  summary: 'The data service is out of date.',
  action: 'Do nothing on the strength of a listed balance of {{ $labels.chain }} before you have checked it elsewhere.',
  description:
    'The data service {{ if eq $value 0.0 }}no longer lists the newest blocks that it had of chain {{ $labels.chain }} on {{ $labels.network }}{{ else }}has not listed the last {{ if eq $value 1.0 }}block{{ else }}{{ printf "%.0f" $value }} blocks{{ end }} of chain {{ $labels.chain }} on {{ $labels.network }} that the nodes have{{ end }}. stakewatch does not go by its balances until it is up to date. Its transactions and messages are as old, and its list cannot show whether the chain has stalled.',
}

const THROUGHPUT = 'stakewatch_chain_throughput_tps'
const tps = (chain: View, window: string) => chain.value(THROUGHPUT, { statistic: 'average', window })

const RATE = plain(4)

export const throughputCollapsed: Condition = {
  alert: 'StakewatchThroughputCollapsed',
  panel: 'chains: Transactions',
  severity: 'info',
  for: 10 * MINUTE,
  explainedBy: ['chain_stalled'],
  reads: [THROUGHPUT],
  judge: {
    chain(view) {
      const [hour, day] = [tps(view, 'hour'), tps(view, 'day')]
      if (hour === undefined || day === undefined) return NOT_APPLICABLE
      const { throughputShare, throughputLeast } = view.limits
      return day >= throughputLeast && hour < throughputShare * day ? problem(hour) : OK
    },
  },
  title: '{{ $labels.chain }}: few transactions',
  summary: 'The transaction rate of the chain has collapsed.',
  action: 'Check that your own gateway to {{ $labels.chain }} works, then ask those who run its applications.',
  description: `Chain {{ $labels.chain }} on {{ $labels.network }} processed {{ $value | ${RATE} }} transactions per second in the last hour${ifKnown('of_day', `, and {{ . | first | value | ${RATE} }} over the last day`)}.`,
  details: { reads: [], of: (chain) => ({ of_day: tps(chain, 'day') }) },
}

const GAS_PRICE = 'stakewatch_p_chain_gas_price_tokens'
const GAS_PRICE_LEAST = 'stakewatch_p_chain_gas_min_price_tokens'

export const gasPriceHigh: Condition = {
  alert: 'StakewatchGasPriceHigh',
  panel: 'chains: Gas price of the P-Chain',
  severity: 'info',
  for: 15 * MINUTE,
  reads: [GAS_PRICE, GAS_PRICE_LEAST],
  judge: {
    network(view) {
      const [price, least] = [view.value(GAS_PRICE), view.value(GAS_PRICE_LEAST)]
      if (price === undefined || least === undefined) return NOT_APPLICABLE
      return price > view.limits.gasPriceRise * least ? problem(price) : OK
    },
  },
  title: '{{ $labels.network }}: P-Chain gas price high',
  summary: 'P-Chain transactions cost many times the minimum price.',
  action: 'Postpone P-Chain transactions on {{ $labels.network }} that can wait.',
  description:
    'P-Chain gas on {{ $labels.network }} costs {{ printf "%.15f" $value | reReplaceAll "0+$" "" }} tokens per unit, many times the minimum price. Top-ups, stakes and validator changes cost as many times more.',
}

const HEIGHTS = ['stakewatch_chain_head_height', 'stakewatch_evm_head_height', 'stakewatch_node_head_height']

/** A node reports the status "unknown" for ids that it does not know. */
const hasData = (chain: View) =>
  HEIGHTS.some((metric) => chain.has(metric)) ||
  chain.has(EVM_STATE) ||
  chain.all(STATUS).some(({ labels, value }) => value === 1 && labels['state'] !== 'unknown')

/** Unavailable sources and failing collectors have conditions of their own. */
export function isExcused(chain: View): boolean {
  const network = chain.of('network')
  if (network.fact(areNodesDown) || network.fact(isDataServiceAway)) return true
  return isFailing(network, isTargetOfChain(chain.labels['chain']!))
}
export const EXCUSE_READS = [...AWAY_READS, ...FAILING_READS]

export const chainUnknown: Condition = {
  alert: 'StakewatchChainUnknown',
  panel: 'chains: Heads',
  severity: 'warning',
  for: 15 * MINUTE,
  quietFor: 'chain',
  reads: [TRACKED, ...HEIGHTS, EVM_STATE, STATUS, ...EXCUSE_READS],
  judge: {
    chain(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      if (hasData(view) || isExcused(view) || view.of('network').fact(isAnyNodeAway)) return OK
      return problem(1)
    },
  },
  title: '{{ $labels.chain }}: no source knows it',
  summary: 'There is no data about a configured chain.',
  action: 'Compare the id of {{ $labels.chain }} in the configuration with the one that the network has.',
  description:
    'No source reports a head or a status of chain {{ $labels.chain }} on {{ $labels.network }}, although the sources answer. Check that its id is right and that a node or the data service has it. No other alert about it can fire.',
}
