// Facts about the health of nodes: failing checks, checks that nodes no longer run, and chain processes that have died.

import { isShortageKnown, SHORTAGE_READS } from './validators/connections.ts'
import { isTooLight, L1_WEIGHT_READS } from './l1-weights.ts'
import { isForeign, isStarting, VOTE_READS } from './nodes.ts'
import { askedAt, RUN_READS } from './runs.ts'
import type { View } from './view.ts'

export const PASSING = 'stakewatch_node_health_check_passing'
const FAILING_SINCE = 'stakewatch_node_health_check_failing_since_timestamp_seconds'
const MADE_AT = 'stakewatch_node_health_check_timestamp_seconds'
export const CHAIN_FAILED = 'stakewatch_node_chain_failed'
const STATE_SINCE = 'stakewatch_node_state_since_timestamp_seconds'
const CHAIN_INFO = 'stakewatch_l1_chain_info'
const EVM_STATE = 'stakewatch_node_evm_chain_state'
const L1_STATE = 'stakewatch_l1_chain_state'

export const CHAIN_PROCESS_READS = [EVM_STATE, L1_STATE]
export const STARTING_READS = ['stakewatch_node_state', STATE_SINCE, ...RUN_READS]
export const HEALTH_READS = [
  ...SHORTAGE_READS,
  ...VOTE_READS,
  ...L1_WEIGHT_READS,
  ...STARTING_READS,
  ...CHAIN_PROCESS_READS,
  PASSING,
  FAILING_SINCE,
  MADE_AT,
  CHAIN_FAILED,
  CHAIN_INFO,
  'stakewatch_node_upgrade_ready',
]

/** A failing check has the value 0; a node whose checks have stopped has no check, and the seconds since the oldest one. */
export interface Complaint {
  check?: string
  value: number
}

/** Whether a chain process is dead, by the source that reports on any. An L1 with an EVM has two series, as a chain and as an L1. */
function chainProcesses(network: View): ReadonlyMap<string, boolean> {
  const dead = new Map<string, boolean>()
  for (const { labels, value } of [
    ...[...network.every('chain')].flatMap((chain) => chain.all(EVM_STATE)),
    ...[...network.every('subnet')].flatMap((subnet) => subnet.all(L1_STATE)),
  ]) {
    const source = labels['source']!
    dead.set(source, dead.get(source) === true || (labels['state'] === 'dead' && value === 1))
  }
  return dead
}

/** Whether a chain process of the node has died; undefined if it reports on none. */
export const isDead = (node: View): boolean | undefined =>
  node.of('network').fact(chainProcesses).get(node.labels['source']!)

/** How long the node has been bootstrapping (seconds); undefined if it is not, or if that is not known. */
export function startingFor(node: View): number | undefined {
  const [asked, since] = [askedAt(node, 'node-state'), node.value(STATE_SINCE)]
  return !isStarting(node) || asked === undefined || since === undefined ? undefined : asked - since
}

/** Checks of chains of L1s with too little weight online, by source: the L1 has alerts of its own. */
function lightChains(network: View): ReadonlySet<string> {
  const light = new Set<string>()
  for (const subnet of network.every('subnet')) {
    const chains = subnet.all(CHAIN_INFO)
    if (chains.length === 0 || !isTooLight(subnet)) continue
    for (const { labels } of chains) light.add(`${labels['source']}\n${labels['id']}`)
  }
  return light
}

/**
 * Failing checks, except: bootstrapping; upgrades that are still to come, which have alerts of their own; every other check while
 * the network check fails, because it is the cause; chains that lack the stake of validators which have pages; and the chain of an
 * L1 with too little weight online, which has alerts too.
 */
function failing(node: View): readonly Complaint[] {
  if (isStarting(node)) return []
  const light = node.of('network').fact(lightChains)
  const isUpgradeKnown = node.value('stakewatch_node_upgrade_ready') === 0
  const hasNoPeers = node.value(PASSING, { check: 'network' }) === 0
  return node.all(PASSING).flatMap(({ labels, value }) => {
    const check = labels['check']!
    const isExcused =
      check === 'bootstrapped' ||
      (check === 'futureupgrade' && isUpgradeKnown) ||
      (check !== 'network' && hasNoPeers) ||
      (PRIMARY_CHAINS.has(check) && node.fact(isShortageKnown)) ||
      node.value(CHAIN_FAILED, { check }) !== undefined ||
      light.has(`${node.labels['source']}\n${check}`)
    return value !== 0 || isExcused ? [] : [{ check, value: 0 }]
  })
}

/** They fail together where the node reaches too little stake. */
const PRIMARY_CHAINS: ReadonlySet<string> = new Set(['P', 'X', 'C'])

/** A bootstrapping node fails most of its checks: one of them counts, after a while. */
function isStartingSlowly(node: View): boolean {
  const time = startingFor(node)
  return time !== undefined && time > node.limits.nodeStarting
}

/** A running node that still waits for a subnet's chain, other than one that it could not create. */
function isWaiting(node: View): boolean {
  if (node.value(PASSING, { check: 'bootstrapped' }) !== 0 || isStarting(node) || node.has(CHAIN_FAILED)) return false
  const [asked, since] = [askedAt(node, 'node-health'), node.value(FAILING_SINCE, { check: 'bootstrapped' })]
  return asked !== undefined && since !== undefined && asked - since > node.limits.nodeStarting
}

/** Age of the oldest health check, if it is too old: one check that hangs blocks all others. */
function stuck(node: View): readonly Complaint[] {
  const asked = askedAt(node, 'node-health')
  const made = node.all(MADE_AT)
  if (asked === undefined || made.length === 0 || node.all(PASSING).some(({ value }) => value === 0)) return []
  const age = asked - Math.min(...made.map(({ value }) => value))
  return age > node.limits.healthStill ? [{ value: age }] : []
}

/** What is wrong with the health of the node, by check. */
export function complaints(node: View): readonly Complaint[] {
  if (isForeign(node) || isDead(node)) return []
  const bootstrapped = isStartingSlowly(node) || isWaiting(node) ? [{ check: 'bootstrapped', value: 0 }] : []
  return [...failing(node), ...bootstrapped, ...stuck(node)]
}

export const isUnhealthy = (node: View): boolean => node.fact(complaints).length > 0
