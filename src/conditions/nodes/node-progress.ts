// Nodes whose chains fork, lag or have an index that has stopped.

import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, type Verdict } from '../condition.ts'
import { HEALTH_READS, isUnhealthy } from '../health.ts'
import { missing } from './node-health.ts'
import { UP } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import type { View } from '../view.ts'

const TRACKED = 'stakewatch_chain_tracked'
const CANONICAL = 'stakewatch_node_on_canonical_chain'
const BEHIND = 'stakewatch_node_behind_blocks'
const REQUESTS = 'stakewatch_upstream_requests_total'
const INDEX = 'stakewatch_index_last_accepted_timestamp_seconds'
const EVM_HEAD = 'stakewatch_node_evm_head_timestamp_seconds'
const HEAD = 'stakewatch_chain_head_timestamp_seconds'

const chainsOf = (network: View): readonly View[] => [...network.every('chain')]

/** A verdict about each chain on which the node reports this metric. */
function onChains(node: View, metric: string, judge: (value: number, chain: View) => Verdict) {
  const source = node.labels['source']!
  return node
    .of('network')
    .fact(chainsOf)
    .flatMap((chain) => {
      const value = chain.value(metric, { source })
      return value === undefined ? [] : [{ labels: { chain: chain.labels['chain']! }, verdict: judge(value, chain) }]
    })
}

/** Nodes are compared with the data service; its requests are counted from the start. */
const isAnyCompared = (node: View) => node.of('node', { source: 'data-api' }).has(REQUESTS)

export const nodeForked: Condition = {
  alert: 'StakewatchNodeForked',
  panel: 'chains: Heads of nodes',
  severity: 'critical',
  for: 5 * MINUTE,
  explainedBy: ['node_of_other_network'],
  heldBy: ['head-check'],
  parts: ['chain'],
  reads: [TRACKED, CANONICAL, UP, REQUESTS],
  judge: {
    node(view) {
      const silent = (what: string) =>
        isAnyCompared(view) ? missing(view, `no block of the ${what} has been compared`) : NOT_APPLICABLE
      const parts = onChains(view, CANONICAL, (isCanonical) => (isCanonical === 0 ? problem(0) : OK))
      const fired = view.firedParts('node_forked')
      if (parts.length === 0 && fired.length === 0) {
        return onlyParts(parts, silent('node'))
      }
      // Most nodes have only some of the chains, so a chain is missed only after it has paged, and while it is configured.
      const gone = fired
        .map((labels) => ({ chain: labels['chain']! }))
        .filter((labels) => parts.every(({ labels: { chain } }) => chain !== labels.chain))
        .filter((labels) => view.of('chain', labels).has(TRACKED))
        .map((labels) => ({ labels, verdict: silent('chain') }))
      return onlyParts([...parts, ...gone])
    },
  },
  title: '{{ $labels.source }} forked on {{ $labels.chain }}',
  summary: 'The blocks of the node differ from those the data service lists.',
  action: 'Compare the version of {{ $labels.source }} with the network; upgrade it if it has missed an upgrade.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} has a different block of chain {{ $labels.chain }} than the data service lists at the same height, and reports that it does not have the listed one.',
}

/** How many seconds the index of the node is behind its own chain. */
function ownIndexLag(chain: View, source: string): number | undefined {
  const [head, index] = [chain.value(EVM_HEAD, { source }), chain.value(INDEX, { source, index: 'block' })]
  return head === undefined || index === undefined ? undefined : head - index
}

const isAbove = (value: number | undefined, limit: number) => value !== undefined && value > limit

export const nodeBehind: Condition = {
  alert: 'StakewatchNodeBehind',
  panel: 'chains: Heads of nodes',
  severity: 'warning',
  for: 10 * MINUTE,
  quietFor: 'node',
  explainedBy: ['node_of_other_network', 'chain_process_dead'],
  parts: ['chain'],
  reads: [...HEALTH_READS, BEHIND, CANONICAL, INDEX, EVM_HEAD],
  judge: {
    node(view) {
      const { nodeBehindBlocks, indexBehind } = view.limits
      // Unhealthy and forked nodes have alerts of their own, and so has an index that has stopped.
      if (view.fact(isUnhealthy)) return NOT_APPLICABLE
      const source = view.labels['source']!
      return onlyParts(
        onChains(view, BEHIND, (blocks, chain) => {
          const isExcused = chain.value(CANONICAL, { source }) === 0 || isAbove(ownIndexLag(chain, source), indexBehind)
          return blocks > nodeBehindBlocks && !isExcused ? problem(blocks) : OK
        }),
      )
    },
  },
  title: '{{ $labels.source }} is behind on {{ $labels.chain }}',
  summary: 'The node is falling behind the chain.',
  action: 'Check whether the height of {{ $labels.chain }} on {{ $labels.source }} grows; if it does, wait.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} is {{ printf "%.0f" $value }} block{{ if ne $value 1.0 }}s{{ end }} behind the data service on chain {{ $labels.chain }}.',
}

/** How many seconds the index is behind a chain that the node itself follows. */
function indexLag(index: number, chain: View, source: string): number | undefined {
  const { nodeBehindBlocks, indexBehind } = chain.limits
  const [head, blocks] = [chain.value(HEAD), chain.value(BEHIND, { source })]
  // A node that is behind on the P-Chain itself has another alert.
  const isFollowing = blocks !== undefined && blocks <= nodeBehindBlocks
  if (head !== undefined && head - index > indexBehind && isFollowing) return head - index
  return ownIndexLag(chain, source)
}

export const indexStalled: Condition = {
  alert: 'StakewatchIndexStalled',
  panel: 'chains: Heads of nodes',
  severity: 'warning',
  for: 10 * MINUTE,
  quietFor: 'node',
  explainedBy: ['node_of_other_network'],
  parts: ['chain'],
  reads: [...HEALTH_READS, INDEX, HEAD, BEHIND, EVM_HEAD],
  judge: {
    node(view) {
      if (view.fact(isUnhealthy)) return NOT_APPLICABLE
      const source = view.labels['source']!
      return onlyParts(
        onChains(view, INDEX, (_, chain) => {
          const index = chain.value(INDEX, { source, index: 'block' })
          const lag = index === undefined ? undefined : indexLag(index, chain, source)
          return lag !== undefined && lag > view.limits.indexBehind ? problem(lag) : OK
        }),
      )
    },
  },
  title: '{{ $labels.source }}: index of {{ $labels.chain }} late',
  summary: 'The index of the node has stopped while the chain goes on.',
  action: 'Check the disk and the log of node {{ $labels.source }}, then restart it.',
  description:
    'The index of chain {{ $labels.chain }} on node {{ $labels.source }} on {{ $labels.network }} is behind: its newest block is {{ humanizeDuration $value }} older than the newest block of the chain.',
}
