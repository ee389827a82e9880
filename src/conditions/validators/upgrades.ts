// Network upgrades that a validator or node does not support.

import { named } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, unknown } from '../condition.ts'
import { machinesBy } from '../machines.ts'
import { isNode, nodeIds, PEER_STAKE_READS, peerStake, TRACKED } from '../nodes.ts'
import { runsOf } from '../runs.ts'
import { MINUTE } from '../../lib/seconds.ts'
import type { View } from '../view.ts'

const VALIDATOR_READY = 'stakewatch_validator_upgrade_ready'
const NODE_READY = 'stakewatch_node_upgrade_ready'
const READY_SHARE = 'stakewatch_node_peers_upgrade_ready_ratio'
const ACTIVATION = 'stakewatch_node_upgrade_timestamp_seconds'
const INFO = 'stakewatch_node_info'
const SUCCESS = 'stakewatch_collector_success'

const readyMachines = machinesBy(VALIDATOR_READY)
const trackedMachines = machinesBy(TRACKED)
const peerRuns = runsOf('node-peers')

/** One node that saw the validator announce support is enough. */
export const lateMachines = (network: View) => network.fact(readyMachines).filter(({ value }) => value === 0)

/** Most of the stake must be ready: a few peers may announce an upgrade that is not the network's. */
const areMostReady = (network: View) =>
  [...network.every('node')].some((node) => (node.value(READY_SHARE) ?? 0) > network.limits.upgradeOfMost)

const isShareKnown = (network: View) => [...network.every('node')].some((node) => node.has(READY_SHARE))

/** Seconds until the next upgrade of the network, by the node that expects it first. */
const untilUpgrade = (network: View) =>
  Math.min(...[...network.every('node')].flatMap((node) => node.all(ACTIVATION)).map(({ value }) => value)) -
  network.now

/** It is so near that it must page. */
export const isNear = (network: View) => network.fact(untilUpgrade) < network.limits.upgradeNear

const lateVerdict = (network: View) => problem(Math.max(network.fact(untilUpgrade), 0))

/** A run in which some peers or validators were unreadable knows neither stakes nor what the others announce. */
const isWholeRun = (run: View) =>
  run.value(SUCCESS) === 1 && run.of('node', { source: run.labels['source']! }).fact(peerStake) !== undefined

/** The nodes know of no further upgrade. */
const isOver = (network: View) =>
  network.fact(peerRuns).some(isWholeRun) && ![...network.every('node')].some((node) => node.has(ACTIVATION))

const isPressing = (network: View) => network.fact(areMostReady) && network.fact(isNear)
const mayBePressing = (network: View) => network.fact(isNear) && !network.fact(isShareKnown)
const SHARE_UNKNOWN = unknown('no node reports how much of the stake is ready')

/** One node id, because an address may lead to several nodes. */
const idOf = (node: View): string | undefined => [...node.fact(nodeIds)].toSorted()[0]

const isLateNode = (node: View) => node.value(NODE_READY) === 0
const lateIds = (network: View): ReadonlySet<string | undefined> =>
  new Set([...network.every('node')].filter(isLateNode).map(idOf))

const UPGRADE_READS = [VALIDATOR_READY, READY_SHARE, ACTIVATION]

export const validatorNotUpgraded: Condition = {
  alert: 'StakewatchValidatorNotUpgraded',
  panel: 'chains: Peers of nodes and the next upgrade',
  severity: 'warning',
  for: 25 * MINUTE,
  parts: ['node_id', 'validator'],
  reads: UPGRADE_READS,
  judge: {
    // If the machine is a configured node too, the alert about nodes excludes it.
    network(network) {
      if (!network.fact(isShareKnown)) return onlyParts([])
      if (!network.fact(areMostReady) || network.fact(isNear)) return OK
      return onlyParts(lateMachines(network).map(({ labels }) => ({ labels, verdict: problem(0) })))
    },
  },
  title: '{{ $labels.validator }} needs the next upgrade',
  summary: 'The validator does not support the next upgrade, and most of the stake does.',
  action: 'Plan the upgrade of {{ $labels.validator }}, one validator after the other.',
  description: `Validator ${named} on {{ $labels.network }} runs software that does not support the next upgrade of the network, while most of the stake does. Upgrade it first, or it goes down when the upgrade activates.`,
}

/** Tracked machines of which nothing reports whether they are ready, while there may be an upgrade. */
function unknownMachines(network: View) {
  if (network.fact(isOver)) return []
  const known = new Set(network.fact(readyMachines).map(({ labels }) => labels['validator']))
  return network.fact(trackedMachines).filter(({ labels }) => !known.has(labels['validator']))
}

export const upgradeNear: Condition = {
  alert: 'StakewatchUpgradeNear',
  panel: 'chains: Peers of nodes and the next upgrade',
  isTimeLeft: true,
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['node-peers'],
  parts: ['node_id', 'validator'],
  reads: [...UPGRADE_READS, ...PEER_STAKE_READS, NODE_READY, INFO, SUCCESS, TRACKED, 'stakewatch_upstream_up'],
  judge: {
    node(node) {
      const network = node.of('network')
      if (!node.has(NODE_READY)) {
        return onlyParts(
          [],
          !isNode(node) || network.fact(isOver) ? NOT_APPLICABLE : unknown('it is not known whether it is ready'),
        )
      }
      if (isLateNode(node) && network.fact(mayBePressing)) return onlyParts([], SHARE_UNKNOWN)
      if (!isLateNode(node) || !network.fact(isPressing)) return OK
      const id = idOf(node)
      return onlyParts([{ labels: id === undefined ? {} : { node_id: id }, verdict: lateVerdict(network) }])
    },
    // One page for a machine that is both a node and a validator.
    network(network) {
      const late = network.fact(isPressing) || network.fact(mayBePressing) ? lateMachines(network) : []
      const verdict = network.fact(mayBePressing) ? SHARE_UNKNOWN : lateVerdict(network)
      const ids = network.fact(lateIds)
      return onlyParts([
        ...late.filter(({ labels }) => !ids.has(labels['node_id'])).map(({ labels }) => ({ labels, verdict })),
        ...unknownMachines(network).map(({ labels }) => ({
          labels,
          verdict: unknown('no node reports whether it is ready'),
        })),
      ])
    },
  },
  title: '{{ or $labels.validator $labels.source }} must upgrade now',
  summary: 'A network upgrade that the validator or node does not support is about to activate.',
  action: 'Upgrade {{ or $labels.validator $labels.source }} now to the release that the network announced.',
  description: `{{ if $labels.source }}Node {{ $labels.source }}{{ with $labels.node_id }} ({{ . }}){{ end }}{{ else }}Validator ${named}{{ end }} on {{ $labels.network }} does not support the upgrade that activates {{ if eq $value 0.0 }}now{{ else }}in {{ humanizeDuration $value }}{{ end }}, and most of the stake does. From then on it no longer follows the network: a validator counts as offline, and its downtime adds up until its reward is lost.`,
}
