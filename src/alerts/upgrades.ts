// Alerts about network upgrades that a validator or node does not support.

import { type Known, latest, MINUTE, named, type Rule, upgradeIsNear, VALIDATOR_LATE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Nodes that are not ready, with one node id each: an address may lead to several nodes. */
const NAMED_NODE_LATE = `max without (id) (label_replace(
        (${latest('stakewatch_node_upgrade_ready')} == 0)
          * on (job, network, source) group_left (id)
          topk by (job, network, source) (1, max by (job, network, source, id) (stakewatch_node_info)),
        "node_id", "$1", "id", "(.+)"
      ))`
/** Most of the stake must be ready: a few peers may announce an upgrade that is not the network's. */
const mostAreReady = ({ upgradeOfMost }: Thresholds) =>
  `and on (job, network) max by (job, network) (stakewatch_node_peers_upgrade_ready_ratio) > ${upgradeOfMost}`

/** Whether the machine is ready, as a node or as a validator. It ends when nodes know of no further upgrade. */
const KNOWN_UPGRADE: Known = {
  by: `stakewatch_node_upgrade_ready or ${latest('stakewatch_validator_upgrade_ready', 'source')}`,
  ended: {
    series: `(
    stakewatch_collector_success{collector="node-peers"} == 1
    unless on (job, network) stakewatch_node_upgrade_timestamp_seconds
  )`,
    labels: 'job, network',
  },
  labels: 'job, network, source, validator',
  name: '{{ with $labels.source }}node {{ . }}{{ end }}{{ with $labels.validator }}validator {{ . }}{{ end }}',
  of: {
    series: 'stakewatch_upstream_up or stakewatch_validator_tracked',
    labels: 'job, network, source, validator',
  },
}

export const upgrades = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchValidatorNotUpgraded',
    panel: 'chains: Peers of nodes and the next upgrade',
    severity: 'warning',
    // If the machine is a configured node too, the alert about nodes excludes it.
    expr: `${VALIDATOR_LATE}
  ${mostAreReady(limits)}
  unless on (job, network) ${upgradeIsNear(limits)}`,
    for: 25 * MINUTE,
    summary: 'The validator does not support the next upgrade, and most of the stake does.',
    description: `Validator ${named} on {{ $labels.network }} runs software that does not support the next upgrade of the network, while most of the stake does. Upgrade it first, or it goes down when the upgrade activates.`,
  },
  {
    alert: 'StakewatchUpgradeNear',
    panel: 'chains: Peers of nodes and the next upgrade',
    severity: 'critical',
    // One page for a machine that is both a node and a validator.
    expr: `(
    ${NAMED_NODE_LATE}
    or on (job, network, source) ${latest('stakewatch_node_upgrade_ready')} == 0
    or (
      ${VALIDATOR_LATE}
      unless on (job, network, node_id) ${NAMED_NODE_LATE}
    )
  )
  ${mostAreReady(limits)}
  and on (job, network) ${upgradeIsNear(limits)}`,
    for: 5 * MINUTE,
    known: KNOWN_UPGRADE,
    summary: 'A network upgrade that the validator or node does not support is about to activate.',
    description: `{{ if $labels.source }}Node {{ $labels.source }}{{ with $labels.node_id }} ({{ . }}){{ end }}{{ else }}Validator ${named}{{ end }} on {{ $labels.network }} does not support an upgrade that activates soon, and most of the stake does. Upgrade it now, or it stops following the network.`,
  },
]
