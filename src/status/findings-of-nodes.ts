// What needs attention of a node, as the alert rules about nodes have it (alerts/nodes.ts).

import { thresholds as limits } from '../alerts/thresholds.ts'
import { finding } from './findings.ts'
import { ofNetwork, ofNode } from './metrics.ts'
import { keyOf, type Readings, type Said, saidOf } from './readings.ts'
import type { Finding, Upstream, Validator } from './schema.ts'
import { durationText, percent } from './words.ts'

export interface AroundNode {
  /** When its health was last asked for; null before. */
  askedForHealth: number | null
  /** It is a tracked validator. */
  isOwn: boolean
  /** As most of those that watch say, the reward of that validator is lost. */
  isLost: boolean
  /** That validator has told other nodes that it does not know the coming upgrade. */
  isLate: boolean
  isUpgradeNear: boolean
  /** Too little weight of an L1 of the network takes part, so that a health check of each of its nodes fails. */
  isL1Low: boolean
  /** When the newest block that the data service lists was made. */
  listedAt: (chain: string) => number | null
}

export function findingsOfNode(own: Said, around: AroundNode): Finding[] {
  const isForeign = isForeignNode(own)
  const dead = [...own.all(ofNode.evmState), ...own.all(ofNode.l1State)].filter(
    ({ labels, value }) => labels['state'] === 'dead' && value === 1,
  )
  const health = isForeign || dead.length > 0 ? [] : aboutHealth(own, around)
  const found = [...health, ...aboutAdmin(own)]
  if (dead.length > 0) found.push(finding('StakewatchChainProcessDead', 'the process of a chain has died'))
  if (isForeign) return [finding('StakewatchNodeOfOtherNetwork', 'it belongs to another network'), ...found]
  const isUnhealthy = health.length > 0
  found.push(...aboutBlocks(own, around, dead.length > 0, isUnhealthy), ...aboutUpgrade(own, around))
  found.push(...aboutStake(own, around), ...(isUnhealthy ? [] : aboutPeers(own)))
  return found
}

/** Nothing that it says is about the configured network. */
export const isForeignNode = (own: Said) => own.isSo(ofNode.inNetwork) === false

/** Fails until the node has caught up with its chains since it started, and most others fail with it. */
const STARTING = 'bootstrapped'
/** Fails while an upgrade is to come that the node does not know. */
const UPGRADE = 'futureupgrade'
/** A check of the chain of an L1 is named by the id of the chain. */
const OF_L1 = /^[1-9A-HJ-NP-Za-km-z]{40,}$/

function aboutHealth(own: Said, { askedForHealth: asked, isOwn, isL1Low }: AroundNode): Finding[] {
  const checks = own.all(ofNode.passing)
  const failing = checks.filter(({ value }) => value === 0).flatMap(({ labels: { check = '' } }) => check)
  const alert = isOwn ? 'StakewatchOwnNodeUnhealthy' : 'StakewatchNodeUnhealthy'
  if (failing.includes(STARTING)) {
    const since = own.value(ofNode.failingSince, 'check', STARTING)
    const isLong = asked !== null && since !== null && asked - since > limits.nodeStarting
    return isLong ? [finding(alert, `it has not caught up for ${durationText(asked - since)}`)] : []
  }
  const counting = failing
    .filter((check) => check !== UPGRADE || own.isSo(ofNode.upgradeReady) !== false)
    .filter((check) => !OF_L1.test(check) || !isL1Low)
  if (counting.length > 0) return [finding(alert, `checks fail: ${counting.join(', ')}`)]
  if (asked === null || failing.length > 0) return []
  const still = Math.max(0, ...own.all(ofNode.checkedAt).map(({ value }) => asked - value))
  return still > limits.healthStill ? [finding(alert, `it has made no health check for ${durationText(still)}`)] : []
}

function aboutBlocks(own: Said, { listedAt }: AroundNode, isDead: boolean, isUnhealthy: boolean): Finding[] {
  const forked = own
    .all(ofNode.onCanonicalChain)
    .flatMap(({ labels: { chain = '' }, value }) => (value === 0 ? chain : []))
  const found = forked.map((chain) =>
    finding('StakewatchNodeForked', `it has other blocks of ${chain} than are listed`),
  )
  if (isUnhealthy) return found
  const late = lateIndexes(own, listedAt)
  for (const { chain, lag } of late) {
    found.push(finding('StakewatchIndexStalled', `its index of ${chain} is ${durationText(lag)} behind the chain`))
  }
  if (isDead) return found
  // Where its index is behind the node itself, or has other blocks, that is said instead.
  const told = [...forked, ...late.filter(({ isByOwnHead }) => isByOwnHead).map(({ chain }) => chain)]
  for (const { labels, value } of own.all(ofNode.behind)) {
    const { chain = '' } = labels
    if (value <= limits.nodeBehindBlocks || told.includes(chain)) continue
    found.push(finding('StakewatchNodeBehind', `it lacks ${value} blocks of ${chain}`))
  }
  return found
}

/** Against the newest block that is listed, where the node has kept up with it, or against its own newest one. */
function lateIndexes(own: Said, listedAt: AroundNode['listedAt']) {
  const blocks = own.all(ofNode.indexed).filter(({ labels }) => labels['index'] === 'block')
  return blocks.flatMap(({ labels: { chain = '' }, value: indexed }) => {
    const behind = own.value(ofNode.behind, 'chain', chain)
    const listed = behind !== null && behind <= limits.nodeBehindBlocks ? listedAt(chain) : null
    const head = own.value(ofNode.evmHeadTime, 'chain', chain)
    const isByOwnHead = head !== null && head - indexed > limits.indexBehind
    const lag =
      listed !== null && listed - indexed > limits.indexBehind ? listed - indexed : (head ?? indexed) - indexed
    return lag > limits.indexBehind ? [{ chain, lag, isByOwnHead }] : []
  })
}

function aboutUpgrade(own: Said, { isUpgradeNear, isLate }: AroundNode): Finding[] {
  const peers = own.value(ofNode.peersReady)
  if (own.isSo(ofNode.upgradeReady) !== false || peers === null || peers <= limits.upgradeOfMost) return []
  // The last days before an upgrade, and a tracked validator, have alerts of their own.
  if (isUpgradeNear || isLate) return []
  return [
    finding('StakewatchNodeNotUpgraded', `it does not know the coming upgrade, ${percent(peers)} of the stake do`),
  ]
}

function aboutStake(own: Said, { isLost }: AroundNode): Finding[] {
  const rewarding = own.value(ofNode.rewardingStake)
  if (rewarding === null || rewarding >= limits.rewardingStake || isLost) return []
  return [finding('StakewatchRewardingStakeLow', `only ${percent(rewarding)} of the stake would vote for its reward`)]
}

function aboutPeers(own: Said): Finding[] {
  const shares = own.all(ofNode.peerStake)
  const share = shares.reduce((sum, { value }) => sum + value, 0)
  if (shares.length === 0 || share >= limits.peerStake) return []
  return [finding('StakewatchPeerStakeLow', `it is connected to ${percent(share)} of the stake`)]
}

const VERBOSE = ['debug', 'trace', 'verbo']

function aboutAdmin(own: Said): Finding[] {
  const isExposed = own.isSo(ofNode.adminReachable) === true && own.isSo(ofNode.adminExpected) === false
  // The level of each output is a series, and all levels but the current one are 0 or missing.
  const verbose = new Set(
    own
      .all(ofNode.logger)
      .filter(({ labels: { level = '' }, value }) => value === 1 && VERBOSE.includes(level))
      .map(({ labels }) => labels['logger']),
  )
  return [
    ...(isExposed ? [finding('StakewatchAdminApiExposed', 'its admin interface answers, and must not')] : []),
    ...(verbose.size > 0
      ? [finding('StakewatchLoggerVerbose', `${verbose.size} of its loggers write everything`)]
      : []),
  ]
}

/** What is said of each node, by network and name. */
export const saidOfNodes = (readings: Readings) =>
  saidOf(readings, [...new Set(Object.values(ofNode))], ({ network = '', source }) =>
    source === undefined ? undefined : keyOf(network, source),
  )

/** Networks in which too little weight of an L1 takes part: as the node sees it that sees most, else by who has a balance. */
export function networksWithLowL1(readings: Readings): Set<string> {
  const said = saidOf(readings, Object.values(ofNetwork), ({ network = '', subnet }) =>
    subnet === undefined ? undefined : keyOf(network, subnet),
  )
  const subnets = [ofNetwork.l1Weight, ofNetwork.weight, ofNetwork.listedWeight].flatMap((metric) =>
    (readings.get(metric) ?? []).map(({ labels: { network = '', subnet = '' } }) => ({ network, subnet })),
  )
  const low = subnets.filter(({ network, subnet }) => {
    const share = l1ShareOf(said(keyOf(network, subnet)))
    return share !== null && share < limits.l1Healthy
  })
  return new Set(low.map(({ network }) => network))
}

function l1ShareOf(own: Said): number | null {
  const seen = own.all(ofNetwork.l1Weight)
  const shares = seen
    .filter(({ labels }) => labels['of'] === 'connected')
    .flatMap(({ labels: { source }, value }) => {
      const total = seen.find(({ labels }) => labels['of'] === 'total' && labels['source'] === source)
      return total ? [value / total.value] : []
    })
  if (shares.length > 0) return Math.max(...shares)
  const inactive = own.value(ofNetwork.weight, 'state', 'inactive')
  const all = own.all(ofNetwork.weight).reduce((sum, { value }) => sum + value, 0)
  if (inactive !== null) return 1 - inactive / all
  const [active, listed] = ['active', 'total'].map((of) => own.value(ofNetwork.listedWeight, 'of', of))
  return active == null || listed == null ? null : active / listed
}

/** Networks and ids of tracked validators that no node was told of as ready for the coming upgrade. */
export function lateValidators(readings: Readings): (validator: Pick<Validator, 'network' | 'node_id'>) => boolean {
  const said = saidOf(readings, [ofNetwork.validatorReady], ({ network = '', node_id: id = '' }) => keyOf(network, id))
  return ({ network, node_id }) => {
    const told = said(keyOf(network, node_id)).all(ofNetwork.validatorReady)
    return told.length > 0 && told.every(({ value }) => value === 0)
  }
}

/** Networks for which an upgrade comes so near that nobody may wait for the morning. */
export function networksNearUpgrade(readings: Readings, now: number): Set<string> {
  const near = (readings.get(ofNode.upgrade) ?? []).filter(({ value }) => value - now < limits.upgradeNear)
  return new Set(near.map(({ labels }) => labels['network'] ?? ''))
}

/** The tracked validations of a node. */
export function validationsOf({ network, node_id: id }: Upstream, validators: readonly Validator[]): Validator[] {
  return id === null ? [] : validators.filter((one) => one.network === network && one.node_id === id)
}
