// Facts about nodes that several conditions share: whether they answer, which machine they are, and whether they vote.

import { MINUTE } from '../lib/seconds.ts'
import type { Remembered, View } from './view.ts'
import { greatest } from './track.ts'

/** Upstreams other than nodes. */
const SERVICES: ReadonlySet<string> = new Set(['data-api', 'metrics-api'])

export const UP = 'stakewatch_upstream_up'
/** The configuration names this validator, and whether it is in its set. */
export const TRACKED = 'stakewatch_validator_tracked'
export const IN_SET = 'stakewatch_validator_in_set'

/** In a template: whether the alert is about a service. */
export const IF_SERVICE = `if eq $labels.source ${[...SERVICES].map((name) => `"${name}"`).join(' ')}`
export const isService = (upstream: View) => SERVICES.has(upstream.labels['source']!)
export const isNode = (upstream: View) => upstream.has(UP) && !isService(upstream)

/** The nodes of the network: a fact of the network. */
export const nodesOf = (network: View): readonly View[] => [...network.every('node')].filter(isNode)

export const upLately: Remembered = { name: 'upstream_up', of: 'node', for: 5 * MINUTE, read: (view) => view.value(UP) }

/** Whether the upstream answered none of its requests within the last seconds, at most five minutes; undefined if nothing is known. */
export function isSilentFor(upstream: View, seconds: number): boolean | undefined {
  const most = greatest(upstream.track(upLately), upstream.now, seconds)
  return most === undefined ? undefined : most === 0
}

/** The node ids that the node reports: an address may lead to several nodes. */
export const nodeIds = (node: View): ReadonlySet<string> =>
  new Set(node.all('stakewatch_node_info').map(({ labels }) => labels['id']!))

/** The tracked validations of each machine in the network, by node id. */
export const machinesOf = (network: View): ReadonlyMap<string, readonly View[]> =>
  Map.groupBy(
    [...network.every('validator')].filter((one) => one.has(TRACKED)),
    ({ labels }) => labels['node_id']!,
  )

/** The tracked validations of the machine that the node is. */
export function ownValidators(node: View): readonly View[] {
  const machines = node.of('network').fact(machinesOf)
  return [...node.fact(nodeIds)].flatMap((id) => machines.get(id) ?? [])
}

/** Whether the node is one of the tracked validators. */
export const isOwn = (node: View) => node.fact(ownValidators).length > 0

/** A node of another network: none of its reports is about this one. */
export const isForeign = (node: View) => node.value('stakewatch_node_in_network') === 0

/** A node that answers but is still bootstrapping the primary network: its P-Chain API reports nothing yet. */
export function isStarting(node: View): boolean {
  const state = node.state('stakewatch_node_state')
  return state === 'starting' || state === 'bootstrapping'
}

/** Share of the stake that the node is connected to. A node without peers has no series by version, so it counts as 0. */
export function peerStake(node: View): number | undefined {
  const byVersion = node.all('stakewatch_node_peer_stake_ratio')
  if (byVersion.length > 0) return byVersion.reduce((sum, { value }) => sum + value, 0)
  return node.value('stakewatch_node_peers') === 0 ? 0 : undefined
}

/** Whether a health check of the node passes; undefined if it does not report on it. */
const passes = (node: View, check: string) => node.value('stakewatch_node_health_check_passing', { check })

/** The node has lost its peers, so it sees no validator. */
function isAlone(node: View): boolean {
  const stake = node.fact(peerStake)
  return passes(node, 'network') === 0 || (stake !== undefined && stake < node.limits.isolated)
}

/** The node says that it reaches too little stake. */
function isShort(node: View): boolean {
  const stake = node.fact(peerStake)
  return stake !== undefined && passes(node, 'P') === 0 && stake < node.limits.peerStake
}

/** The node has lost its peers or reaches too little stake, so the validators that it misses may be online. */
export const isIsolated = (node: View) => isAlone(node) || isShort(node)

/** Who votes: the one place that decides it. A node that is down, foreign, starting or isolated does not. */
export const isVoting = (node: View) => isReporting(node) && !node.fact(isIsolated)

const isReporting = (node: View) => !isForeign(node) && !isStarting(node) && isSilentFor(node, 2 * MINUTE) !== true

/** Nodes that do not vote only because they reach too little stake: one may be at fault itself, several that agree are not. */
export const shortNodes = (network: View): ReadonlySet<string> =>
  new Set(
    network
      .fact(nodesOf)
      .filter((node) => isReporting(node) && isShort(node) && !isAlone(node))
      .map(({ labels }) => labels['source']!),
  )

/** The names of the nodes that do not vote: a fact of the network, which asks each node once. */
export const mutedNodes = (network: View): ReadonlySet<string> =>
  new Set([...network.every('node')].filter((node) => !node.fact(isVoting)).map(({ labels }) => labels['source']!))

/** Whether a node can report on its network. */
export const READY_READS = [UP, upLately, 'stakewatch_node_in_network', 'stakewatch_node_state']
/** Which machine a node is. */
export const OWN_READS = [TRACKED, 'stakewatch_node_info']
export const PEER_STAKE_READS = ['stakewatch_node_peer_stake_ratio', 'stakewatch_node_peers']
export const VOTE_READS = [...READY_READS, 'stakewatch_node_health_check_passing', ...PEER_STAKE_READS]
