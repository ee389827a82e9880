// node-peers: the peers of each node, their stake and software, and the uptime of the node that they saw. info.peers
// and info.upgrades (the node's own interface, info); the stakes are from platform.getCurrentValidators (document 2,
// Validator record).

import type { Validator } from '../../config/schema.ts'
import { totalOf } from '../../judgements/stake.ts'
import { requiredUptime } from '../../judgements/reward.ts'
import { expectedUpgrade, heliconTime, knowsUpgrade, scheduled } from '../../judgements/upgrades.ts'
import { votesOf, voteStateOf, voteStates } from '../../judgements/votes.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { toRatio } from '../../lib/units.ts'
import { ofNode, opinionOfValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { peers as infoPeers, upgrades as infoUpgrades } from '../../operations/node/info.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { boundedKey } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { members, trackedOnPrimary, type ValidatorRecord, votingWeight } from '../subjects/subnets.ts'

const metrics = {
  peerCount: ofNode.gauge('stakewatch_node_peers', {
    help: 'Number of peers that the node is connected to (info.peers).',
  }),
  benchedCount: ofNode.gauge('stakewatch_node_benched_peers', {
    help: 'Number of peers that the node has benched on at least one chain because they did not answer (info.peers).',
  }),
  benched: opinionOfValidator.gauge('stakewatch_validator_benched', {
    help: 'Whether the node `source` has benched the tracked validator on any chain: 1 or 0 (info.peers).',
    details: 'A benched validator counts as disconnected for this node; absent while the node is not connected to it.',
  }),
  stakeByVersion: ofNode.gauge('stakewatch_node_peer_stake_ratio', {
    is: 'share',
    help: "Share of the primary network's stake that the node is connected to, by validator version (info.peers, platform.getCurrentValidators).",
    details: 'The node itself is left out; what is missing to 1 is not connected.',
    labels: ['version'],
  }),
  voteStake: ofNode.gauge('stakewatch_node_vote_stake_ratio', {
    is: 'share',
    help: "Share of the primary network's stake by its vote on the node's reward (info.peers, platform.getCurrentValidators).",
    details:
      '`vote` is for, against, or unknown (not connected, or for less than half a minute); the node itself is left out; absent for a node that is no validator.',
    labels: ['vote'],
  }),
  voteState: ofNode.stateSet('stakewatch_node_vote_state', {
    help: "Outcome of a vote on the node's reward now: 1 for the current state (info.peers, platform.getCurrentValidators).",
    details:
      '`granted` or `refused`: more than half of the stake is for or against; `undecided`: neither is known; uncertain when both sides are nearly equal; absent for a node that is no validator.',
    states: voteStates,
  }),
  upgradeTime: ofNode.gauge('stakewatch_node_upgrade_timestamp_seconds', {
    is: 'future',
    help: "When the scheduled network upgrade activates, by its name in the node's software (info.upgrades, info.peers).",
    details:
      "`unknown`: only the node's peers announce it; if validators know different upgrades, the one with more stake counts; absent while none is scheduled.",
    labels: ['upgrade'],
  }),
  peersReady: ofNode.gauge('stakewatch_node_peers_upgrade_ready_ratio', {
    is: 'share',
    help: "Share of the primary network's stake whose software knows the coming upgrade (info.peers, info.upgrades, platform.getCurrentValidators).",
    details:
      'The node itself is left out; absent while no upgrade is scheduled, or while a connected validator has no readable upgrade time.',
  }),
  isReady: ofNode.gauge('stakewatch_node_upgrade_ready', {
    help: "Whether the node's software knows the coming upgrade: 1 or 0; absent while none is scheduled (info.upgrades, info.peers).",
  }),
  validatorReady: opinionOfValidator.gauge('stakewatch_validator_upgrade_ready', {
    help: "Whether the tracked validator's software knows the coming upgrade, as reported to the node `source`: 1 or 0 (info.peers, info.upgrades).",
    details: 'Absent while no upgrade is scheduled or the node is not connected to the validator.',
  }),
}

/** Other collectors ask for the whole set as well. */
const SET = { maxAge: '10m' }
/** Number of versions in use: an estimate. */
const USUAL_VERSIONS = 5

type Peers = ReadonlyMap<string, AnswerOf<typeof infoPeers>['peers'][number]>

/** A validator other than the node itself. */
interface Other {
  weight: bigint
  /** Undefined while the node is not connected to it. */
  peer: AnswerOf<typeof infoPeers>['peers'][number] | undefined
}

export const nodePeers = defineCollector({
  name: 'node-peers',
  about: 'Peers of each node: their stake, versions and readiness for the next upgrade.',
  every: '5m',
  uses: [infoPeers, infoUpgrades, getCurrentValidators],
  observer: 'each',
  metrics: Object.values(metrics),
  subjects: (network) => [
    { name: 'all', labels: {}, tracked: network.validators, onPrimary: trackedOnPrimary(network) },
  ],
  estimate: ({ tracked }) => ({ series: 11 + USUAL_VERSIONS + 2 * tracked.length }),
  async collect({ subject: { tracked, onPrimary }, network, now, call, attempt }) {
    // Before the peers, when other collectors ask for it too, so that it is one request.
    const set = await attempt((ask) => ask.call(getCurrentValidators, { subnetID: PRIMARY_NETWORK_ID }, SET))
    const { value, dropped, nodeId } = await call(infoPeers, {})
    const peers: Peers = new Map(value.peers.map((peer) => [peer.nodeID, peer]))
    const counted = [metrics.peerCount.sample({}, value.numPeers), ...trackedSamples(tracked, peers)]
    // An unreadable peer may be benched, and may have any stake.
    if (dropped > 0) return { samples: counted }
    const plan = await attempt((ask) => ask.call(infoUpgrades, {}))
    // Without the unreadable records every share would be wrong.
    const records = set.value?.dropped === 0 ? members(set.value.value.validators) : []
    const others = othersOf(records, nodeId, peers)
    const own = records.find(({ nodeID }) => nodeID === nodeId)
    const known = plan.value && scheduled(plan.value.value, now / 1_000)
    return {
      samples: [metrics.benchedCount.sample({}, value.peers.filter(isBenched).length), ...counted],
      parts: [
        {
          name: 'stake',
          of: [set],
          samples: versionSamples(others),
        },
        {
          name: 'votes',
          of: [set, ...(network.upgrade_time === undefined ? [plan] : [])],
          samples: voteSamples(own, others, onPrimary, network.upgrade_time ?? heliconTime(plan.value?.value ?? {})),
        },
        { name: 'upgrade', of: [set, plan], samples: upgradeSamples(known, others, now / 1_000, tracked, peers) },
      ],
    }
  },
})

function isBenched({ benched: chains }: { benched: readonly string[] | undefined }): boolean {
  return chains !== undefined && chains.length > 0
}

function trackedSamples(validators: readonly Validator[], peers: Peers): Sample[] {
  return validators.flatMap(({ subnet, node_id, name }) => {
    const peer = peers.get(node_id)
    return peer ? [metrics.benched.sample({ subnet, node_id, validator: name }, isBenched(peer))] : []
  })
}

/** Empty while the stake of one of them is unknown, or all are 0: there is no share. */
function othersOf(records: readonly ValidatorRecord[], nodeId: string | undefined, peers: Peers): Other[] {
  const all = records
    .filter(({ nodeID }) => nodeID !== nodeId)
    .map((record) => ({ weight: votingWeight(record, { isPrimary: true }), peer: peers.get(record.nodeID) }))
  const isWeighed = all.every((one): one is Other => one.weight !== undefined)
  return isWeighed && stakeOf(all) > 0n ? all : []
}

const stakeOf = (some: readonly Other[]) => totalOf(some.map(({ weight }) => weight))!
const shareOf = (some: readonly Other[], all: readonly Other[]) => Number(stakeOf(some)) / Number(stakeOf(all))

/** Beyond the limit, the versions with the least stake share the name `other`. */
function versionSamples(others: readonly Other[]): Sample[] {
  const connected = others.filter(({ peer }) => peer !== undefined)
  const byVersion = [...Map.groupBy(connected, ({ peer }) => peer!.version ?? 'unknown')]
  const heaviestFirst = byVersion.toSorted(([, a], [, b]) => (stakeOf(a) > stakeOf(b) ? -1 : 1))
  const named: Record<string, Other[]> = {}
  for (const [version, some] of heaviestFirst) {
    const key = boundedKey(named, version)
    named[key] = [...(named[key] ?? []), ...some]
  }
  return Object.entries(named).map(([version, some]) =>
    metrics.stakeByVersion.sample({ version }, shareOf(some, others)),
  )
}

function voteSamples(
  own: ValidatorRecord | undefined,
  others: readonly Other[],
  onPrimary: readonly Validator[],
  upgradeTime: number | undefined,
): Sample[] {
  if (own?.startTime === undefined || others.length === 0) return []
  const tracked = onPrimary.find(({ node_id }) => node_id === own.nodeID)
  const required = tracked?.required_uptime ?? requiredUptime(own.startTime, upgradeTime)
  const votes = votesOf(
    others.map(({ weight, peer }) => ({ weight, uptime: toRatio(peer?.observedUptime) })),
    required,
  )
  const all = Number(stakeOf(others))
  return [
    ...Object.entries(votes).map(([vote, stake]) => metrics.voteStake.sample({ vote }, Number(stake) / all)),
    metrics.voteState.sample({}, voteStateOf(votes)),
  ]
}

/** `known` is undefined for a node that does not report its upgrades. */
function upgradeSamples(
  known: ReturnType<typeof scheduled> | undefined,
  others: readonly Other[],
  now: number,
  tracked: readonly Validator[],
  peers: Peers,
) {
  const own = known ?? []
  const heard = others.map(({ weight, peer }) => ({ weight, upgradeTime: peer?.upgradeTime }))
  const expected = expectedUpgrade(
    heard,
    own.map(([, time]) => time),
    now,
  )
  if (!expected) return []
  const names: Record<string, true> = {}
  const samples = new Map<string, Sample>()
  for (const [name, time] of own) {
    const upgrade = boundedKey(names, name)
    names[upgrade] = true
    // The first is the next one.
    if (!samples.has(upgrade)) samples.set(upgrade, metrics.upgradeTime.sample({ upgrade }, time))
  }
  const isKnown = own.some(([, time]) => time === expected.time)
  const areHeard = others.every(({ peer }) => !peer || peer.upgradeTime !== undefined)
  if (!isKnown) samples.set('unknown', metrics.upgradeTime.sample({ upgrade: 'unknown' }, expected.time))
  return [
    ...readySamples(tracked, peers, expected.time),
    ...samples.values(),
    ...(known ? [metrics.isReady.sample({}, isKnown)] : []),
    ...(others.length > 0 && areHeard
      ? [metrics.peersReady.sample({}, Number(expected.ready) / Number(stakeOf(others)))]
      : []),
  ]
}

function readySamples(validators: readonly Validator[], peers: Peers, time: number): Sample[] {
  return validators.flatMap(({ subnet, node_id, name }) => {
    const newest = peers.get(node_id)?.upgradeTime
    const isKnown = newest === undefined ? undefined : knowsUpgrade(newest, time)
    return metrics.validatorReady.ifKnown({ subnet, node_id, validator: name }, isKnown)
  })
}
