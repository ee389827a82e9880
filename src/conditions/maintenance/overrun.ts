// Objects that are still down after a maintenance window and its grace.

import { validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, unknown } from '../condition.ts'
import {
  connectedShare,
  isTracked,
  L1_CONNECTION_READS,
  l1ConnectedShare,
  MACHINE_DETAILS,
  machineText,
} from '../validators/connections.ts'
import { HEALTH_READS, isUnhealthy } from '../health.ts'
import { isPlanned, OVERRUN, windowsOver } from '../maintenance.ts'
import { isNode, isStarting, ownValidators, UP } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { greatest } from '../track.ts'
import type { Remembered, View } from '../view.ts'

/** This reaches back into the window: what has gone down after it is not still down. */
const LATELY = 5 * MINUTE

const NOTHING: ReadonlyMap<string, number> = new Map()

/** Most objects are in no window, and nothing is remembered of them. */
const isConcerned = (view: View) => windowsOver(view).length > 0 || view.hasFired(OVERRUN)

const lately = (name: string, of: 'validator' | 'node', read: Remembered['read']): Remembered => ({
  name,
  of,
  for: LATELY,
  read: (view) => (isConcerned(view) ? read(view) : NOTHING),
})

/** Whether each window over it is open. */
const openWindows = (view: View) => new Map(windowsOver(view).map(({ labels, value }) => [labels['window']!, value]))

const windows = {
  validator: lately('validator_windows', 'validator', openWindows),
  node: lately('node_windows', 'node', openWindows),
}
const connections = [
  lately('connected_lately', 'validator', (view) => view.fact(connectedShare)),
  lately('l1_connected_lately', 'validator', (view) => view.fact(l1ConnectedShare)),
]

/** 1 if the node answers, has bootstrapped and passes its health checks, else 0. */
function usable(node: View): number | undefined {
  const up = node.value(UP)
  return up !== undefined && (isUnhealthy(node) || isStarting(node)) ? 0 : up
}
const usability = lately('node_usable_lately', 'node', (view) => usable(view))

/** Windows whose grace has just ended, or whose objects have been down since; none that was extended and is open again. */
function endedWindows(view: View, open: Remembered): readonly string[] {
  const over = windowsOver(view)
  const ended = over
    .filter(
      ({ labels, value }) =>
        value === 0 && greatest(view.track(open, labels['window']), view.now, LATELY) === 1 && !isPlanned(view),
    )
    .map(({ labels }) => labels)
  const isOpen = (window: string) => over.some(({ labels, value }) => labels['window'] === window && value === 1)
  const names = [...ended, ...view.firedParts(OVERRUN)].map((labels) => labels['window']!)
  return [...new Set(names)].filter((window) => !isOpen(window))
}

/** The windows after which the validator has stayed offline, with the greatest share that was connected to it. */
function stillOffline(view: View): readonly { window: string; share: number }[] {
  if (!isTracked(view)) return []
  const shares = connections.flatMap((track) => greatest(view.track(track), view.now, LATELY) ?? [])
  const share = shares.find((one) => one < 0.5)
  return share === undefined ? [] : endedWindows(view, windows.validator).map((window) => ({ window, share }))
}

/** A machine is one page: that of its validator, also while that is held. */
const isCovered = (node: View) =>
  node.fact(ownValidators).some((one) => one.fact(stillOffline).length > 0 || one.hasFired(OVERRUN))

/** The windows after which the node has stayed unusable. */
function stillDown(node: View): readonly string[] {
  if (!isNode(node) || greatest(node.track(usability), node.now, LATELY) !== 0) return []
  return isCovered(node) ? [] : endedWindows(node, windows.node)
}

const hasVotes = (view: View) => view.fact(connectedShare) !== undefined || view.fact(l1ConnectedShare) !== undefined

export const maintenanceOverrun: Condition = {
  alert: 'StakewatchMaintenanceOverrun',
  panel: 'validator: Connection by observer',
  severity: 'critical',
  // What is polled once a minute is polled after the end of the grace: it may be back since.
  for: 2 * MINUTE,
  heldBy: ['uptime', 'l1-liveness', 'node-health'],
  parts: ['window'],
  isOfMachine: true,
  reads: [...HEALTH_READS, ...L1_CONNECTION_READS, ...Object.values(windows), ...connections, usability],
  judge: {
    validator(view) {
      if (!isConcerned(view) || !isTracked(view)) return NOT_APPLICABLE
      const parts = view
        .fact(stillOffline)
        .map(({ window, share }) => ({ labels: { window }, verdict: problem(share) }))
      return onlyParts(parts, hasVotes(view) ? OK : unknown('no node that votes reports on it'))
    },
    node(view) {
      if (!isConcerned(view) || !isNode(view)) return NOT_APPLICABLE
      return onlyParts(stillDown(view).map((window) => ({ labels: { window }, verdict: problem(0) })))
    },
  },
  title: '{{ or $labels.validator $labels.source }} down past maintenance',
  summary: 'A maintenance window is over, and something that it covers is still down.',
  action: 'Finish or roll back the work on {{ or $labels.validator $labels.source }}, or extend the window.',
  description: `{{ if $labels.validator }}Validator ${validator} is still disconnected{{ else }}Node {{ $labels.source }} on {{ $labels.network }} still does not answer or is unhealthy{{ end }}, although the maintenance window “{{ $labels.window }}” and its time to recover are over.{{ if $labels.validator }}${machineText}{{ end }}`,
  details: MACHINE_DETAILS,
}
