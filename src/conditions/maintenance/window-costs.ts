// What a maintenance window costs, said a day before it opens.

import { median } from '../../lib/statistics.ts'
import { validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, type Verdict } from '../condition.ts'
import { ifKnown } from '../details.ts'
import { L1_WEIGHT_READS, onlineShare } from '../l1-weights.ts'
import { windowsOver } from '../maintenance.ts'
import { mutedNodes, VOTE_READS } from '../nodes.ts'
import type { View } from '../view.ts'

const START = 'stakewatch_maintenance_start_timestamp_seconds'
const END = 'stakewatch_maintenance_end_timestamp_seconds'
const OVER = 'stakewatch_validator_in_maintenance'
const DOWN = 'stakewatch_maintenance_validator_down'
const MAY_STOP = 'stakewatch_validator_may_stop_seconds'
const STAKE_END = 'stakewatch_validator_end_timestamp_seconds'
const WEIGHT = 'stakewatch_validator_weight'
const SUBNET_WEIGHT = 'stakewatch_subnet_weight'

/** Times in seconds since the epoch. */
interface Window {
  start: number
  end: number
}

/** Windows that open within the notice or are open, by name. */
function nearWindows(network: View): ReadonlyMap<string, Window> {
  const near = new Map<string, Window>()
  for (const one of network.every('window')) {
    const [start, end] = [one.value(START), one.value(END)]
    if (start === undefined || !(start - network.now < network.limits.maintenanceNotice)) continue
    near.set(one.labels['window']!, { start, end: end ?? NaN })
  }
  return near
}

/** A verdict about each near window over the validator. */
function overValidator(judge: (window: Window, view: View) => Verdict) {
  return (view: View) => {
    const near = view.of('network').fact(nearWindows)
    if (near.size === 0) return NOT_APPLICABLE
    const parts = windowsOver(view).flatMap(({ labels }) => {
      const window = near.get(labels['window']!)
      return window === undefined ? [] : [{ labels: { window: labels['window']! }, verdict: judge(window, view) }]
    })
    return parts.length === 0 ? NOT_APPLICABLE : onlyParts(parts)
  }
}

/** How long it may be down, by each node that votes; by those that report where none does, as that is better than no word. */
function mayStopVotes(view: View): readonly number[] {
  const [all, muted] = [view.all(MAY_STOP), view.of('network').fact(mutedNodes)]
  const voting = all.filter(({ labels }) => !muted.has(labels['source']!))
  return (voting.length > 0 ? voting : all).map(({ value }) => value)
}

export const maintenanceTooLong: Condition = {
  alert: 'StakewatchMaintenanceTooLong',
  panel: 'validator: Maintenance windows over it',
  severity: 'warning',
  for: 0,
  parts: ['window'],
  reads: [OVER, START, END, MAY_STOP, STAKE_END, ...VOTE_READS],
  judge: {
    validator: overValidator(({ start, end }, view) => {
      const mayStop = median(mayStopVotes(view))
      const stakeEnd = view.value(STAKE_END)
      const left = end - Math.max(start, view.now)
      // A lost reward cannot be lost again. A stake that ends or renews before the window has a new budget by then, if any.
      const isAtStake = mayStop !== null && mayStop > 0 && !(stakeEnd !== undefined && start >= stakeEnd)
      return isAtStake && left > mayStop ? problem(left) : OK
    }),
  },
  title: '{{ $labels.window }} too long for {{ $labels.validator }}',
  summary: 'A maintenance window, or what is left of it, is longer than a validator may be down.',
  action: 'Shorten maintenance window {{ $labels.window }}, or split it.',
  description: `${ifKnown('open', 'Another {{ humanizeDuration $value }} of maintenance window {{ $labels.window }} is left', 'Maintenance window {{ $labels.window }} takes {{ humanizeDuration $value }}')}, and validator ${validator} may not be down for that long: it would lose its reward${ifKnown('may_stop', ' after {{ . | first | value | humanizeDuration }}')}.`,
  details: {
    reads: [],
    of(view, labels) {
      const window = view.of('network').fact(nearWindows).get(labels['window']!)
      const isOpen = window !== undefined && window.start < view.now
      return { may_stop: median(mayStopVotes(view)) ?? undefined, open: isOpen ? 1 : undefined }
    },
  },
}

export const maintenanceEndsStake: Condition = {
  alert: 'StakewatchMaintenanceEndsStake',
  panel: 'validator: Maintenance windows over it',
  severity: 'warning',
  for: 0,
  parts: ['window'],
  reads: [OVER, START, END, STAKE_END],
  judge: {
    validator: overValidator(({ start, end }, view) => {
      const stakeEnd = view.value(STAKE_END)
      return stakeEnd !== undefined && start < stakeEnd && end > stakeEnd ? problem(start) : OK
    }),
  },
  title: '{{ $labels.validator }}: stake ends in maintenance',
  summary: 'A stake ends or renews inside a maintenance window.',
  action: 'Move maintenance window {{ $labels.window }} away from the end of the stake of {{ $labels.validator }}.',
  description: `The stake of validator ${validator} ends or renews inside maintenance window {{ $labels.window }}${ifKnown('end', ', at {{ . | first | value | humanizeTimestamp }}')}. Its last hours count for the reward, and an end needs someone to stake again.`,
  details: { reads: [], of: (view) => ({ end: view.value(STAKE_END) }) },
}

/** Weights that are down by plan when each near window opens, by subnet and window. */
function plannedWeights(network: View): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const near = network.fact(nearWindows)
  const weights = new Map<string, Map<string, number>>()
  if (near.size === 0) return weights
  for (const one of network.every('validator')) {
    const weight = one.value(WEIGHT)
    if (weight === undefined) continue
    for (const { labels, value } of one.all(DOWN)) {
      const window = labels['window']!
      if (!near.has(window)) continue
      const subnet = one.labels['subnet']!
      const ofSubnet = weights.get(subnet) ?? new Map<string, number>()
      weights.set(subnet, ofSubnet.set(window, (ofSubnet.get(window) ?? 0) + weight * value))
    }
  }
  return weights
}

export const maintenanceStallsL1: Condition = {
  alert: 'StakewatchMaintenanceStallsL1',
  panel: 'l1s: Weight of L1s by their own chain',
  severity: 'warning',
  for: 0,
  parts: ['window'],
  reads: [START, DOWN, WEIGHT, ...L1_WEIGHT_READS],
  judge: {
    subnet(view) {
      const subnet = view.labels['subnet']!
      const planned = view.of('network').fact(plannedWeights).get(subnet)
      const all = view.all(SUBNET_WEIGHT).reduce((sum, { value }) => sum + value, 0)
      if (subnet === 'primary' || planned === undefined || all === 0) return NOT_APPLICABLE
      if (view.fact(onlineShare) === undefined) return NOT_APPLICABLE
      return onlyParts(
        [...planned].map(([window, weight]) => {
          const left = 1 - weight / all
          return { labels: { window }, verdict: left < view.limits.l1Blocks ? problem(left) : OK }
        }),
      )
    },
  },
  title: '{{ $labels.window }} would stall {{ $labels.subnet }}',
  summary: 'A maintenance window takes too much weight of an L1 away.',
  action:
    'Split maintenance window {{ $labels.window }}, so that fewer validators of {{ $labels.subnet }} are down at once.',
  description:
    'When maintenance window {{ $labels.window }} opens, at most {{ humanizePercentage $value }} of the weight of L1 {{ $labels.network }}/{{ $labels.subnet }} is left, counting windows that are open at the same time. It would stop making blocks.',
}
