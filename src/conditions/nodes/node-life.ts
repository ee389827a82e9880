// Nodes that bootstrap for long, or could not create a chain.

import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem } from '../condition.ts'
import type { Reading } from '../board.ts'
import { CHAIN_FAILED, PASSING, startingFor, STARTING_READS } from '../health.ts'
import { missing } from './node-health.ts'
import { isOwn, nodeIds, OWN_READS, UP } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import type { View } from '../view.ts'

export const nodeBootstrapping: Condition = {
  alert: 'StakewatchNodeBootstrapping',
  panel: 'chains: Nodes themselves',
  severity: 'warning',
  for: 5 * MINUTE,
  quietFor: 'node',
  explainedBy: ['node_of_other_network'],
  reads: [...STARTING_READS, ...OWN_READS],
  judge: {
    node(view) {
      // For a tracked validator, StakewatchOwnNodeUnhealthy fires.
      if (!view.has('stakewatch_node_state') || view.fact(isOwn)) return NOT_APPLICABLE
      const time = startingFor(view)
      return time !== undefined && time > view.limits.nodeBootstrapping ? problem(time) : OK
    },
  },
  title: '{{ $labels.source }} still bootstraps',
  summary: 'An observer node has been bootstrapping for too long.',
  action: 'Check in the log of {{ $labels.source }} that it makes progress; if it does, wait.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} has been bootstrapping for {{ humanizeDuration $value }}. Until it finishes, it reports nothing about validators, chains and balances.',
}

const failedText =
  'Node {{ $labels.source }} on {{ $labels.network }} tracks subnet {{ $labels.subnet }} and could not create its chain {{ $labels.check }}: the virtual machine plugin is missing or incompatible, or the genesis is invalid. Fix it and restart the node; it does not try again by itself.'

/** The id of the node; undefined while its address leads to several nodes. */
function onlyId(node: View): string | undefined {
  const [id, ...more] = node.fact(nodeIds)
  return more.length === 0 ? id : undefined
}

/** The node id of the tracked L1 validator that lacks the chain; undefined if the node is none. */
function ownerOf(node: View, { labels }: Reading): string | undefined {
  const id = node.fact(onlyId)
  if (id === undefined) return undefined
  const one = node.of('validator', { subnet: labels['subnet']!, node_id: id })
  return one.has('stakewatch_validator_tracked') ? id : undefined
}

const chainOf = ({ labels }: Reading) => ({ subnet: labels['subnet']!, check: labels['check']! })

export const ownChainNotCreated: Condition = {
  alert: 'StakewatchOwnChainNotCreated',
  panel: 'chains: Nodes themselves',
  severity: 'critical',
  for: 2 * MINUTE,
  explainedBy: ['node_of_other_network'],
  heldBy: ['node-health'],
  parts: ['subnet', 'check', 'node_id'],
  reads: [CHAIN_FAILED, PASSING, UP, ...OWN_READS],
  judge: {
    node(view) {
      const parts = view.all(CHAIN_FAILED).flatMap((failed) => {
        const owner = ownerOf(view, failed)
        return owner === undefined
          ? []
          : [{ labels: { ...chainOf(failed), node_id: owner }, verdict: problem(failed.value) }]
      })
      return onlyParts(parts, view.has(PASSING) ? OK : missing(view, 'the node does not report on its health'))
    },
  },
  title: '{{ $labels.source }} lacks the chain of its L1',
  summary: 'A tracked L1 validator could not create the chain of its L1.',
  action: 'Install the virtual machine plugin that fits the version of {{ $labels.source }}, then restart it.',
  description: `${failedText} It is a tracked validator of that L1 and does not validate.`,
}

export const chainNotCreated: Condition = {
  alert: 'StakewatchChainNotCreated',
  panel: 'chains: Nodes themselves',
  severity: 'warning',
  for: 2 * MINUTE,
  explainedBy: ['node_of_other_network'],
  parts: ['subnet', 'check'],
  reads: [CHAIN_FAILED, ...OWN_READS],
  judge: {
    node: (view) =>
      onlyParts(
        view
          .all(CHAIN_FAILED)
          .filter((failed) => ownerOf(view, failed) === undefined)
          .map((failed) => ({ labels: chainOf(failed), verdict: problem(failed.value) })),
      ),
  },
  title: '{{ $labels.source }} could not create a chain',
  summary: 'A node could not create a chain of a subnet that it tracks.',
  action:
    'Install the plugin for {{ $labels.subnet }} on {{ $labels.source }}, or stop tracking {{ $labels.subnet }} there, and restart the node.',
  description: failedText,
}
