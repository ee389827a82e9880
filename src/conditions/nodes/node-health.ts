// Nodes of another network, and nodes that fail their health checks.

import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, unknown } from '../condition.ts'
import { CHAIN_PROCESS_READS, type Complaint, complaints, HEALTH_READS, isDead, PASSING } from '../health.ts'
import { isOwn, isService, isStarting, UP } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import type { View } from '../view.ts'

const text =
  '{{ if eq $value 0.0 }}Node {{ $labels.source }} on {{ $labels.network }} fails health check {{ $labels.check }}.{{ else }}Node {{ $labels.source }} on {{ $labels.network }} has not run a health check for {{ humanizeDuration $value }}: part of it is stuck, even if it reports healthy.{{ end }}'

const byCheck = (some: readonly Complaint[]) =>
  some.map(({ check, value }) => ({ labels: check === undefined ? {} : { check }, verdict: problem(value) }))

/** The verdict about a configured node whose report is missing. Another upstream, or one that is gone, has none to give. */
export const missing = (node: View, reason: string) =>
  isService(node) || !node.has(UP) ? NOT_APPLICABLE : unknown(reason)

const NETWORK_ID = 'stakewatch_node_network_id'

export const nodeOfOtherNetwork: Condition = {
  alert: 'StakewatchNodeOfOtherNetwork',
  panel: 'chains: Nodes themselves',
  severity: 'critical',
  for: 2 * MINUTE,
  heldBy: ['node-identity'],
  reads: ['stakewatch_node_in_network', NETWORK_ID, UP],
  judge: {
    node(view) {
      const isMember = view.value('stakewatch_node_in_network')
      // The configuration does not state the number of a custom network.
      if (isMember === undefined && view.has(NETWORK_ID)) return NOT_APPLICABLE
      if (isMember === undefined) return missing(view, 'the network of the node is not known')
      return isMember === 0 ? problem(0) : OK
    },
  },
  title: '{{ $labels.source }} is on another network',
  summary: 'The node belongs to a different network than configured.',
  action: 'Compare the `url` of {{ $labels.source }} with the node that you mean, and correct it.',
  description:
    'The node at the address of {{ $labels.source }} does not belong to {{ $labels.network }} but to another network: everything stakewatch shows from it is wrong for {{ $labels.network }}. Check its URL.',
}

const action =
  '{{ if eq $labels.check "network" }}Check the staking port, the firewall and the line of {{ $labels.source }}.{{ else }}Look at {{ if $labels.check }}check {{ $labels.check }} in {{ end }}/ext/health of {{ $labels.source }}, then at its disk and log.{{ end }}'

export const ownNodeUnhealthy: Condition = {
  alert: 'StakewatchOwnNodeUnhealthy',
  panel: 'chains: Health checks of nodes',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'node',
  heldBy: ['node-health'],
  parts: ['check'],
  reads: HEALTH_READS,
  judge: {
    node(view) {
      const others = view.has(PASSING) ? OK : missing(view, 'the node does not report on its health')
      return onlyParts(view.fact(isOwn) ? byCheck(view.fact(complaints)) : [], others)
    },
  },
  title: '{{ $labels.source }} validates and is unwell',
  summary: 'A node that is a tracked validator fails a health check, or no longer runs it.',
  action,
  description: `${text} It is a tracked validator.`,
}

export const nodeUnhealthy: Condition = {
  alert: 'StakewatchNodeUnhealthy',
  panel: 'chains: Health checks of nodes',
  // No page: either another node still observes, or StakewatchNodesDown pages.
  severity: 'warning',
  for: 5 * MINUTE,
  quietFor: 'node',
  parts: ['check'],
  reads: HEALTH_READS,
  judge: {
    node(view) {
      if (isService(view) || isStarting(view) || view.fact(isOwn)) return NOT_APPLICABLE
      return onlyParts(byCheck(view.fact(complaints)))
    },
  },
  title:
    '{{ $labels.source }} {{ if $labels.check }}fails check {{ $labels.check }}{{ else }}runs no health checks{{ end }}',
  summary: 'An observer node fails a health check, or no longer runs it.',
  action,
  description: text,
}

export const chainProcessDead: Condition = {
  alert: 'StakewatchChainProcessDead',
  panel: 'chains: Heads of nodes',
  severity: 'critical',
  for: 2 * MINUTE,
  heldBy: ['evm-node-heads', 'l1-liveness'],
  reads: [...CHAIN_PROCESS_READS, UP],
  judge: {
    node(view) {
      const dead = isDead(view)
      if (dead === undefined) return missing(view, 'the node does not report on its chains')
      return dead ? problem(1) : OK
    },
  },
  title: '{{ $labels.source }}: a chain process died',
  summary: 'A chain process on the node has died, and the node does not restart it.',
  action: 'Restart node {{ $labels.source }} alone, unless its L1 has too little weight connected.',
  description:
    'At least one chain process on node {{ $labels.source }} on {{ $labels.network }} has died. The node does not validate that chain until you restart it.',
}
