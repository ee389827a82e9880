// Validators with many short outages. Only the first five minutes of an outage count: then the condition about the outage takes
// over. Time without a report counts as connected.

import { HOLD, validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from '../condition.ts'
import {
  connectedLately,
  connectedShare,
  connectedVotes,
  CONNECTION_READS,
  hasEnded,
  isTracked,
  L1_CONNECTION_READS,
  l1ConnectedLately,
  l1ConnectedShare,
  l1ConnectedVotes,
  MACHINE_DETAILS,
  machineText,
  mostConnected,
  type Vote,
} from './connections.ts'
import { validatorInMaintenance } from '../maintenance.ts'
import { median } from '../../lib/statistics.ts'
import { nodesOf } from '../nodes.ts'
import { DAY, HOUR } from '../../lib/seconds.ts'
import { greatest, stretches, type Track } from '../track.ts'
import type { Remembered, View } from '../view.ts'

const NO_ONE: ReadonlyMap<string, number> = new Map()
const NO_TRACKS: readonly Track[] = []

/** Nodes that report now, and those that may have reported within the day: mostly those of the network, which all share. */
function sourcesOf(view: View): readonly string[] {
  const names = view.of('network').fact(nodeNames)
  const isOther = ({ source }: Vote) => !names.includes(source)
  const others = [...view.fact(connectedVotes).filter(isOther), ...view.fact(l1ConnectedVotes).filter(isOther)]
  return others.length === 0 ? names : [...names, ...new Set(others.map(({ source }) => source))]
}
const nodeNames = (network: View) => network.fact(nodesOf).map(({ labels }) => labels['source']!)

/** What is remembered by nodes, if one of them has lost the validator within the day. */
function tracksOf(view: View, remembered: Remembered): readonly Track[] {
  const sources = view.fact(sourcesOf)
  const isLost = sources.some((source) => view.track(remembered, source).includes(1))
  return isLost ? sources.map((source) => view.track(remembered, source)) : NO_TRACKS
}

/** 1 for each node that has just lost the validator, 0 for those that are connected; nothing while no one has lost it. */
function missedBy(name: string, votes: (view: View) => readonly Vote[], shareLately: Remembered): Remembered {
  const remembered: Remembered = {
    name,
    of: 'validator',
    for: DAY,
    read(view) {
      if (!isTracked(view) || view.fact(validatorInMaintenance)) return NO_ONE
      const all = view.fact(votes)
      const most = mostConnected(view, shareLately)
      if (all.length === 0 || (most !== undefined && most < 0.5)) return NO_ONE
      if (all.every(({ value }) => value !== 0) && tracksOf(view, remembered).length === 0) return NO_ONE
      return new Map(all.map(({ source, value }) => [source, value === 0 ? 1 : 0]))
    },
  }
  return remembered
}

const missed = missedBy('missed', connectedVotes, connectedLately)
const l1Missed = missedBy('l1_missed', l1ConnectedVotes, l1ConnectedLately)

const isOutageFiring = (view: View) =>
  view.hasFired('validator_disconnected') || view.hasFired('l1_validator_disconnected')
/** 1 while the outage itself pages: its alert keeps firing for a while after the validator is back. */
const outageFired: Remembered = {
  name: 'outage_fired',
  of: 'validator',
  for: HOLD,
  read: (view) => (isOutageFiring(view) ? 1 : undefined),
}

const remembered = [connectedLately, l1ConnectedLately, missed, l1Missed, outageFired]
const FLAPPING_READS = [...CONNECTION_READS, ...L1_CONNECTION_READS, ...remembered]

/** Of the two kinds of connections. */
const losses = (view: View) => [missed, l1Missed].map((remembered) => tracksOf(view, remembered))

/** Share of the last seconds for which each node had lost the validator. */
function missedShares(tracks: readonly Track[], now: number, span: number): number[] {
  return tracks.flatMap((track) => {
    const known = [...stretches(track, now, span)]
    return known.length === 0 ? [] : known.reduce((sum, { value, seconds }) => sum + value * seconds, 0) / span
  })
}

/** The median share of the last seconds, where most nodes had lost the validator for at least `least` of them. */
function missedFor(view: View, span: number, least: number): number | undefined {
  const tracks = view.fact(losses)
  if (tracks.every(({ length }) => length === 0)) return undefined
  if (isOutageFiring(view) || greatest(view.track(outageFired), view.now, HOLD) === 1) return undefined
  for (const some of tracks) {
    const shares = missedShares(some, view.now, span)
    const most = shares.filter((one) => one >= least)
    if (most.length > 0.5 * shares.length) return median(shares) ?? undefined
  }
  return undefined
}

export const validatorFlapping: Condition = {
  alert: 'StakewatchValidatorFlapping',
  panel: 'validator: Connection by observer',
  severity: 'critical',
  for: 0,
  quietFor: 'validator',
  heldBy: ['uptime', 'l1-liveness'],
  reads: [...FLAPPING_READS, 'stakewatch_validator_in_set'],
  isOfMachine: true,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const away = missedFor(view, HOUR, view.limits.awayMostly)
      if (away !== undefined) return problem(away)
      if (view.fact(connectedShare) !== undefined || view.fact(l1ConnectedShare) !== undefined) return OK
      return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports on it')
    },
  },
  title: '{{ $labels.validator }} keeps disconnecting',
  summary: 'The validator keeps disconnecting and is offline about half of the time.',
  action: 'Stop the restart loop of {{ $labels.validator }}, then look at its memory, disk and network.',
  description: `Most of the nodes that watch validator ${validator} saw it disconnected for {{ humanizePercentage $value }} of the last hour, in outages of a few minutes each. It loses uptime as if it were down.${machineText}`,
  details: MACHINE_DETAILS,
}

export const validatorUnsteady: Condition = {
  alert: 'StakewatchValidatorUnsteady',
  panel: 'validator: Connection by observer',
  severity: 'warning',
  for: 0,
  quietFor: 'validator',
  reads: FLAPPING_READS,
  explainedBy: ['validator_flapping'],
  isOfMachine: true,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const { awayOfHour, awayOfDay } = view.limits
      const away = missedFor(view, HOUR, awayOfHour) ?? missedFor(view, DAY, awayOfDay)
      return away === undefined ? OK : problem(away)
    },
  },
  title: '{{ $labels.validator }} has short outages',
  summary: 'The validator has many short outages.',
  action: 'Compare the times of the outages with the log and the jobs on the machine of {{ $labels.validator }}.',
  description: `Most of the nodes that watch validator ${validator} saw it disconnected for {{ humanizePercentage $value }} of the last hour or day, in outages of a few minutes each. None was long enough to page, but its uptime is dropping.${machineText}`,
  details: MACHINE_DETAILS,
}
