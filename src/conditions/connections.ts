// Connections of validators, as the nodes that vote see them: long outages. flapping.ts has the short ones.

import { validator } from '../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from './condition.ts'
import { BALANCE_READS, isEndOver, isInactive } from './l1-runways.ts'
import { MAINTENANCE_READS, nodesInMaintenance } from './maintenance.ts'
import { mutedNodes, NODES_REMEMBER, VOTE_READS } from './nodes.ts'
import { MINUTE } from '../lib/seconds.ts'
import { greatest } from './track.ts'
import type { Remembered, View } from './view.ts'

const CONNECTED = 'stakewatch_validator_connected'
const L1_CONNECTED = 'stakewatch_l1_validator_connected'
const IN_SET = 'stakewatch_validator_in_set'

/** What a node reports about a validator. */
export interface Vote {
  source: string
  value: number
}

/** Members of a fully watched subnet are not tracked: they have no alerts of their own. */
export const isTracked = (view: View) => view.has('stakewatch_validator_tracked')

/**
 * Reports of the nodes that vote, by source. One in maintenance restarts and loses peers by plan: it has a vote only about
 * validators that no other node reports on, which would else go away unseen.
 */
function votesOn(view: View, metric: string): readonly Vote[] {
  const reports = view.all(metric)
  if (reports.length === 0) return []
  const network = view.of('network')
  const [muted, inMaintenance] = [network.fact(mutedNodes), network.fact(nodesInMaintenance)]
  const voting: Vote[] = []
  const planned: Vote[] = []
  for (const { labels, value } of reports) {
    const source = labels['source']!
    if (muted.has(source)) continue
    if (inMaintenance.has(source)) planned.push({ source, value })
    else voting.push({ source, value })
  }
  return voting.length > 0 ? voting : planned
}

export const connectedVotes = (view: View) => votesOn(view, CONNECTED)
/** By the nodes that run the chain of the L1. */
export const l1ConnectedVotes = (view: View) => votesOn(view, L1_CONNECTED)

/** Share of the votes that see it connected; undefined without votes. */
function share(votes: readonly Vote[]): number | undefined {
  return votes.length === 0 ? undefined : votes.reduce((sum, { value }) => sum + value, 0) / votes.length
}

export const connectedShare = (view: View) => share(view.fact(connectedVotes))
export const l1ConnectedShare = (view: View) => share(view.fact(l1ConnectedVotes))

export const CONNECTION_READS = ['stakewatch_validator_tracked', CONNECTED, ...VOTE_READS, ...MAINTENANCE_READS]
export const L1_CONNECTION_READS = [L1_CONNECTED, ...CONNECTION_READS]

const lately = (name: string, read: Remembered['read']): Remembered => ({
  name,
  of: 'validator',
  for: 5 * MINUTE,
  read: (view) => (isTracked(view) ? read(view) : undefined),
})
export const connectedLately = lately('connected_share', (view) => view.fact(connectedShare))
export const l1ConnectedLately = lately('l1_connected_share', (view) => view.fact(l1ConnectedShare))

/** The greatest share within five minutes: it bridges the short outages of a validator that flaps. */
export const mostConnected = (view: View, remembered = connectedLately) =>
  greatest(view.track(remembered), view.now, 5 * MINUTE)

/** A validation that has ended or left the set has nothing to report. */
export const hasEnded = (view: View) => view.value(IN_SET) === 0

/** A node counts a validator that it has benched as disconnected, though the validator runs and is a peer. */
const benchedText = `{{ with printf "stakewatch_validator_benched{network=%q,subnet=%q,node_id=%q} == 1" $labels.network $labels.subnet $labels.node_id | query }} Node {{ . | first | label "source" }} has benched it: its queries time out, so the validator may be up and overloaded.{{ end }}`

/** A node without a vote, such as one in maintenance, may still be connected to it. */
const connectedText = (which: string) =>
  `{{ if eq $value 0.0 }}none of the nodes that ${which} is connected to it{{ else }}only {{ humanizePercentage $value }} of the nodes that ${which} are connected to it{{ end }}`

export const validatorDisconnected: Condition = {
  alert: 'StakewatchValidatorDisconnected',
  panel: 'validator: Connection by observer',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  whenUnknown: 'hold',
  name: 'validator {{ $labels.validator }}',
  reads: [...CONNECTION_READS, IN_SET],
  remembers: NODES_REMEMBER,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const connected = view.fact(connectedShare)
      if (connected === undefined) return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports on it')
      return connected < 0.5 ? problem(connected) : OK
    },
  },
  title: '{{ $labels.validator }} disconnected',
  summary: 'The validator is disconnected from most of the nodes that watch it.',
  action: 'Start the node of {{ $labels.validator }} if it is down; else check /ext/health and its staking port.',
  description: `Validator ${validator} is disconnected: ${connectedText('have a vote')}. Every second uses up its downtime budget.${benchedText}`,
}

export const l1ValidatorDisconnected: Condition = {
  alert: 'StakewatchL1ValidatorDisconnected',
  panel: 'validator: Observers connected in the L1',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  whenUnknown: 'hold',
  name: 'validator {{ $labels.validator }}',
  reads: [...L1_CONNECTION_READS, IN_SET, ...BALANCE_READS],
  remembers: NODES_REMEMBER,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const connected = view.fact(l1ConnectedShare)
      if (connected === undefined) {
        return hasEnded(view)
          ? NOT_APPLICABLE
          : unknown('no node that votes and runs the chain of the L1 reports on it')
      }
      // An inactive validator has an alert of its own.
      if (isInactive(view) || isEndOver(view)) return NOT_APPLICABLE
      return connected < 0.5 ? problem(connected) : OK
    },
  },
  title: '{{ $labels.validator }} offline in {{ $labels.subnet }}',
  summary: 'The L1 validator is disconnected from most of the nodes that watch it.',
  action:
    'Check that the node of {{ $labels.validator }} runs and tracks {{ $labels.subnet }}, and start it if it does not.',
  description: `L1 validator ${validator} is disconnected: ${connectedText('run the chain of the L1 and have a vote')}. The L1 runs without its weight until it is back.`,
}
