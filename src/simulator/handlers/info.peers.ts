// info.peers: the validators that the asked node has a connection to, those of L1s too.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { peers } from '../../operations/node/info.ts'
import { nodeTime } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'
import { random } from '../world/random.ts'
import { benchedChains, isBenched, uptimeOf, type View } from '../world/views.ts'
import type { World } from '../world/world.ts'

/** Seconds for which a peer does not say what it has seen after the connection came back. */
const SILENT = 22
/** Where the peers listen for each other. */
const FIRST_PORT = 9_671

export const handlePeers = handles(peers, (place, { nodeIDs = [] }) => {
  const { world } = place
  const { nodeId } = nodeOf(place)
  const connected = [...known(world, nodeId)].filter(
    ([peer, view]) => peer !== nodeId && (view.since === undefined || isBenched(view)),
  )
  const wanted = connected.filter(([peer]) => nodeIDs.length === 0 || nodeIDs.includes(peer))
  const tracked = trackers(world)
  const found = wanted.map(([peer, view], at) => ({
    ...peerOf(peer, view, at, nodeId, world),
    trackedSubnets: [PRIMARY_NETWORK_ID, ...(tracked.get(peer) ?? [])],
  }))
  return { numPeers: String(found.length), peers: found }
})

/** Every validator once, with what the node has seen of it. */
function known({ validators, l1s }: World, nodeId: string): Map<string, View> {
  const ofL1s = l1s.all.flatMap((l1) => [...l1.validators, ...l1.legacy])
  return new Map([
    ...ofL1s.map((one) => [one.nodeId, l1s.viewOf(one, nodeId)] as const),
    ...[...validators.all.values()].map((one) => [one.nodeId, one.views.get(nodeId)!] as const),
  ])
}

function peerOf(nodeID: string, view: View, at: number, asked: string, world: World) {
  const now = world.now()
  const { version, upgradeTime } = world.releases.of(nodeID, now)
  const address = `127.0.0.1:${FIRST_PORT + 2 * at}`
  return {
    ip: address,
    publicIP: address,
    nodeID,
    version,
    upgradeTime,
    lastSent: nodeTime(now),
    lastReceived: nodeTime(now),
    observedUptime: String(observedBy(nodeID, view, asked, world)),
    supportedACPs: [],
    objectedACPs: [],
    benched: benchedChains(nodeID, view),
  }
}

/** The subnets that a node tracks, without the primary network: those that it validates, or whose chain it runs. */
function trackers({ l1s }: World): Map<string, string[]> {
  const pairs = l1s.all.flatMap(({ subnetId, validators, legacy, followers }) =>
    [...new Set([...validators.map(({ nodeId }) => nodeId), ...legacy.map(({ nodeId }) => nodeId), ...followers])].map(
      (nodeId) => ({ nodeId, subnetId }),
    ),
  )
  return new Map(
    [...Map.groupBy(pairs, ({ nodeId }) => nodeId)].map(([nodeId, some]) => [nodeId, some.map((one) => one.subnetId)]),
  )
}

/** What the peer has seen of the asked node, in whole percent. Only nodes that answer questions look: a peer repeats one of them. */
function observedBy(peer: string, { over }: View, asked: string, { validators, now }: World): number {
  const own = validators.all.get(asked)
  const last = over.at(-1)?.[1]
  if (!own || (last !== undefined && now() < last + SILENT)) return 0
  const others = validators.observers.filter((one) => one !== asked)
  const witness = others.includes(peer) ? peer : random('witness', peer).pick(others)
  return Math.floor(100 * uptimeOf(own, own.views.get(witness)!, now()))
}
