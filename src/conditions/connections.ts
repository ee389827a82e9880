// Connections of validators, as the nodes that vote see them: long outages, and many short ones.

import { MINUTE, validator } from '../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from './condition.ts'
import { MAINTENANCE_READS, nodeInMaintenance } from './maintenance.ts'
import { isVoting, NODES_REMEMBER, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'

const CONNECTED = 'stakewatch_validator_connected'
const L1_CONNECTED = 'stakewatch_l1_validator_connected'

/** Members of a fully watched subnet are not tracked: they have no alerts of their own. */
export const isTracked = (view: View) => view.has('stakewatch_validator_tracked')

/**
 * Reports of the nodes that vote, by source. One in maintenance restarts and loses peers by plan: it has a vote only about
 * validators that no other node reports on, which would else go away unseen.
 */
function votesOn(view: View, metric: string): readonly number[] {
  const voting: number[] = []
  const planned: number[] = []
  for (const { labels, value } of view.all(metric)) {
    const node = view.of('node', { source: labels['source']! })
    if (!node.fact(isVoting)) continue
    if (node.fact(nodeInMaintenance)) planned.push(value)
    else voting.push(value)
  }
  return voting.length > 0 ? voting : planned
}

/** Share of the votes that see it connected; undefined without votes. */
function share(votes: readonly number[]): number | undefined {
  return votes.length === 0 ? undefined : votes.reduce((sum, vote) => sum + vote, 0) / votes.length
}

export const connectedShare = (view: View) => share(votesOn(view, CONNECTED))
export const l1ConnectedShare = (view: View) => share(votesOn(view, L1_CONNECTED))

export const CONNECTION_READS = ['stakewatch_validator_tracked', CONNECTED, ...VOTE_READS, ...MAINTENANCE_READS]
export const L1_CONNECTION_READS = [L1_CONNECTED, ...CONNECTION_READS]

/** A node counts a validator that it has benched as disconnected, though the validator runs and is a peer. */
const benchedText = `{{ with printf "stakewatch_validator_benched{network=%q,subnet=%q,node_id=%q} == 1" $labels.network $labels.subnet $labels.node_id | query }} Node {{ . | first | label "source" }} has benched it: its queries time out, so the validator may be up and overloaded.{{ end }}`

/** A validation that has ended or left the set has nothing to report. */
const hasEnded = (view: View) => view.value('stakewatch_validator_in_set') === 0

export const validatorDisconnected: Condition = {
  alert: 'StakewatchValidatorDisconnected',
  panel: 'validator: Connection by observer',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  whenUnknown: 'hold',
  name: 'validator {{ $labels.validator }}',
  reads: [...CONNECTION_READS, 'stakewatch_validator_in_set'],
  remembers: NODES_REMEMBER,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const connected = view.fact(connectedShare)
      if (connected === undefined) return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports on it')
      return connected < 0.5 ? problem(connected) : OK
    },
  },
  summary: 'The validator is disconnected from most of the nodes that watch it.',
  description: `Validator ${validator} is disconnected: {{ humanizePercentage $value }} of the nodes that watch it are still connected to it. Every second uses up its downtime budget.${benchedText}`,
}
