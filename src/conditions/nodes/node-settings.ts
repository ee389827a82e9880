// Nodes with an exposed admin API, too few peers, verbose loggers or another id.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { isShortageKnown } from '../validators/connections.ts'
import { HEALTH_READS, isUnhealthy } from '../health.ts'
import { missing } from './node-health.ts'
import { peerStake, UP } from '../nodes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { growth } from '../track.ts'
import type { Remembered } from '../view.ts'

const ADMIN = 'stakewatch_node_admin_api_reachable'
const ADMIN_EXPECTED = 'stakewatch_node_admin_api_expected'
const LOGGER = 'stakewatch_node_logger_level'
const CHANGES = 'stakewatch_node_id_changes_total'

export const adminApiExposed: Condition = {
  alert: 'StakewatchAdminApiExposed',
  panel: 'chains: Nodes themselves',
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['node-admin'],
  reads: [ADMIN, ADMIN_EXPECTED, UP],
  judge: {
    node(view) {
      const [isReachable, isExpected] = [view.value(ADMIN), view.value(ADMIN_EXPECTED)]
      // With `admin: off` nothing asks.
      if (isExpected === undefined) return NOT_APPLICABLE
      if (isReachable === undefined) return missing(view, 'whether the admin API answers is not known')
      return isReachable === 1 && isExpected === 0 ? problem(1) : OK
    },
  },
  title: '{{ $labels.source }}: admin API is exposed',
  summary: 'The admin API of the node is reachable, and must not be.',
  action: 'Close the API port of {{ $labels.source }} to others, then restart it without --api-admin-enabled.',
  description:
    'The admin API of node {{ $labels.source }} on {{ $labels.network }} answers stakewatch. Anyone with that access can change its logs, load code into it and slow it down. Disable it or close the port.',
}

export const peerStakeLow: Condition = {
  alert: 'StakewatchPeerStakeLow',
  panel: 'chains: Peers of nodes and the next upgrade',
  severity: 'warning',
  for: 15 * MINUTE,
  quietFor: 'node',
  explainedBy: ['node_of_other_network'],
  reads: HEALTH_READS,
  judge: {
    node(view) {
      const stake = view.fact(peerStake)
      // A node that reports the problem itself fails a health check instead.
      if (stake === undefined || view.fact(isUnhealthy)) return NOT_APPLICABLE
      return stake < view.limits.peerStake && !view.fact(isShortageKnown) ? problem(stake) : OK
    },
  },
  title: '{{ $labels.source }} sees too little stake',
  summary: 'The node is connected to too little of the stake.',
  action:
    'Check the staking port and the network of {{ $labels.source }}; restart it after half an hour without peers.',
  description:
    'Node {{ $labels.source }} on {{ $labels.network }} is connected to validators with only {{ humanizePercentage $value }} of the stake. It sees too few votes, and reports every validator that it cannot reach as disconnected.',
}

const VERBOSE: ReadonlySet<string> = new Set(['debug', 'trace', 'verbo'])

export const loggerVerbose: Condition = {
  alert: 'StakewatchLoggerVerbose',
  panel: 'chains: Loggers of nodes',
  severity: 'warning',
  for: 25 * MINUTE,
  reads: [LOGGER],
  judge: {
    node(view) {
      if (!view.has(LOGGER)) return NOT_APPLICABLE
      const verbose = view.all(LOGGER).filter(({ labels }) => VERBOSE.has(labels['level']!))
      // A logger may be verbose on both of its outputs.
      const loggers = new Set(verbose.map(({ labels }) => labels['logger']))
      return loggers.size > 0 ? problem(loggers.size) : OK
    },
  },
  title: '{{ $labels.source }} logs at debug level',
  summary: 'Loggers of the node were left at a debug level.',
  action: 'Set the loggers of {{ $labels.source }} back to info with `stakewatch admin admin.setLoggerLevel`.',
  description:
    '{{ $value }} logger{{ if ne $value 1.0 }}s{{ end }} of node {{ $labels.source }} on {{ $labels.network }} {{ if eq $value 1.0 }}writes{{ else }}write{{ end }} at the level debug, trace or verbo. That slows the node down and fills its disk.',
}

const changeCount: Remembered = {
  name: 'node_id_changes',
  of: 'node',
  for: HOUR,
  read: (view) => view.value(CHANGES),
}

export const nodeExchanged: Condition = {
  alert: 'StakewatchNodeExchanged',
  panel: 'chains: Nodes themselves',
  severity: 'warning',
  // A change of the id cannot be undone, so there is no reason to wait.
  for: 0,
  explainedBy: ['node_of_other_network'],
  reads: [CHANGES, changeCount],
  judge: {
    node(view) {
      const changes = growth(view.track(changeCount), view.now, HOUR)
      if (changes === undefined) return NOT_APPLICABLE
      return changes > 0 ? problem(changes) : OK
    },
  },
  title: '{{ $labels.source }} is a different node now',
  summary: 'A different node answers at the address of a node.',
  action: 'Ask your team whether the node behind {{ $labels.source }} was replaced; if not, check its staking key.',
  description:
    'The node id at the address of node {{ $labels.source }} on {{ $labels.network }} changed within the last hour: the machine was replaced, the node lost its staking key, or the address leads to several nodes.',
}
