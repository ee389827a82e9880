// The health checks that a node runs on itself and on its chains, in rounds. It reports them over JSON-RPC and as pages.

import { PRIMARY_NETWORK_ID, type PrimaryChain } from '../../lib/primary-network.ts'
import { toCb58 } from '../../lib/ids.ts'
import { connectedShare, type Member, membersOf, primaryMembers, weightOf } from './connected.ts'
import { failures, type NodeState, runsChain, type Trouble } from './node-state.ts'
import { nodeTime } from './node-words.ts'
import { nodeOf, type Place } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'
import type { L1 } from '../world/l1.ts'
import type { World } from '../world/world.ts'

/** Seconds from one round of checks to the next. */
const EVERY = 30
/** A chain is unhealthy when less of the stake is connected: what nodes of the public networks need. */
const ENOUGH = 0.8
/** Seconds that the checks wait for a process that does not answer. */
const PATIENCE = 60
/** Seconds after its start from which on a node reports which validators have connected to it. */
const GRACE = 600

/** One of the names under which a node makes known how it is. */
export type Report = 'health' | 'readiness' | 'liveness'

interface Failure {
  error: string
  /** Unix seconds: the next check finds it. */
  since: number
}

interface Found {
  message?: unknown
  failure?: Failure | undefined
  duration: number
  /** The subnet that it checks; undefined for a check of the node itself, which every report has. */
  subnetId?: string
}

/** With tags only the checks of these subnets, and those of the node itself. */
export function healthOf(place: Place, report: Report, tags: readonly string[] = []) {
  const { world } = place
  const node = nodeOf(place)
  const found = checksOf(report, node, world)
  const reported = Object.entries(found).filter(
    ([, { subnetId }]) => tags.length === 0 || subnetId === undefined || tags.includes(subnetId),
  )
  const last = lastRound(node, world.now())
  const checks = Object.fromEntries(
    reported.map(([name, one]) => [
      name,
      isNew(name, one, node, last) ? NOT_YET_RUN : checkOf(one, node, last, world.epoch),
    ]),
  )
  return { checks, healthy: Object.values(checks).every((one) => !('error' in one)) }
}

function checksOf(report: Report, node: NodeState, world: World): Record<string, Found> {
  if (report === 'liveness') return {}
  const bootstrapped = bootstrappedCheck(node, world)
  if (report === 'readiness') return { bootstrapped }
  const there = (['C', 'P', 'X'] as const).filter((chain) => runsChain(node, world, chainIds[chain]))
  const l1s = world.l1s.all.filter(({ blockchainId }) => runsChain(node, world, blockchainId))
  const failed = [...node.troubles].flatMap(([id, one]) =>
    one.kind === 'failed' && node.phase !== 'starting' ? [[id, failedCheck(one)] as const] : [],
  )
  return {
    ...Object.fromEntries(there.map((chain) => [chain, primaryCheck(chain, node, world)])),
    ...ofNode(node, world),
    bootstrapped,
    ...Object.fromEntries(l1s.map((l1) => [l1.blockchainId, l1Check(l1, node, world)])),
    ...Object.fromEntries(failed),
  }
}

/** All checks of a round wait for a chain whose process is frozen. */
function lastRound({ troubles }: NodeState, now: number): number {
  const stuck = [...troubles.values()].filter(({ kind, since }) => kind === 'frozen' && now < since + PATIENCE)
  return roundBefore(Math.min(now, ...stuck.map(({ since }) => since)))
}

const roundBefore = (time: number) => Math.floor(time / EVERY) * EVERY

/** A check that was added since the last round, in the words of the node. */
const NOT_YET_RUN = { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 }

/** A node adds the checks of its chains, and the one for all of them, after the first round of a start. */
function isNew(name: string, { subnetId }: Found, { upSince }: NodeState, last: number): boolean {
  return (subnetId !== undefined || name === 'bootstrapped') && last <= upSince && upSince > 0
}

function checkOf({ message, failure, duration }: Found, { upSince }: NodeState, last: number, epoch: number) {
  // The process of a node that has not started since then is as old as the simulator's own.
  const checkTime = (seconds: number) => timeAt(seconds, upSince || epoch)
  const content = { ...(message === undefined ? {} : { message }), timestamp: checkTime(last), duration }
  if (!failure) return content
  // What was before the node started it has not seen.
  const first = Math.ceil(Math.max(failure.since, upSince) / EVERY) * EVERY
  if (first > last) return content
  const contiguousFailures = (last - first) / EVERY + 1
  return { ...content, error: failure.error, contiguousFailures, timeOfFirstFailure: checkTime(first) }
}

/** A node makes its checks at the same moment of a second, which its start decides. */
function timeAt(seconds: number, begin: number): string {
  const nanoseconds = (107_289_142 + (Math.floor(begin) % 9_973) * 618_034_000) % 1_000_000_000
  return nodeTime(seconds).replace('Z', `.${String(nanoseconds).padStart(9, '0')}Z`)
}

/** The subnets of which a chain has not begun. */
function bootstrappedCheck(node: NodeState, world: World): Found {
  const { phase, upSince, waiting, troubles } = node
  const failed = phase === 'starting' ? [] : [...troubles.values()].filter((one) => one.kind === 'failed')
  const behind = world.l1s.all.filter(
    ({ blockchainId }) => (phase !== 'running' || waiting.has(blockchainId)) && runsChain(node, world, blockchainId),
  )
  const message = [
    ...(phase === 'running' ? [] : [PRIMARY_NETWORK_ID]),
    ...new Set([...behind, ...failed].map(({ subnetId }) => subnetId)),
  ]
  const isSince = phase !== 'running' || behind.length > 0 ? upSince : Math.min(...failed.map(({ since }) => since))
  return {
    message,
    failure: message.length === 0 ? undefined : { error: 'subnets not bootstrapped', since: isSince },
    duration: 3_739,
  }
}

function ofNode(node: NodeState, world: World): Record<string, Found> {
  const { nodeId, upSince } = node
  const { validators, now } = world
  const self = validators.all.get(nodeId)
  const members = primaryMembers(node, world)
  const peers = members.filter((one) => one.nodeId !== nodeId && one.awaySince === undefined)
  const ingress = { ingressConnectionCount: peers.length, primaryNetworkValidator: self !== undefined }
  return {
    bls: { message: blsMessage(self), duration: 4_878 },
    database: { duration: 8_629 },
    diskspace: { message: { availableDiskBytes: 60_652_298_240, availableDiskPercentage: 22 }, duration: 4_685 },
    futureupgrade: { message: upgradeMessage(nodeId, peers, weightOf(members), world), duration: 41_917 },
    network: {
      message: {
        connectedPeers: peers.length,
        ...(now() - upSince > GRACE ? { 'primary network validator health': ingress } : {}),
        sendFailRate: 0,
        timeSinceLastMsgReceived: '19.813136ms',
        timeSinceLastMsgSent: '19.813136ms',
      },
      failure: peers.length > 0 ? undefined : { error: NO_PEERS, since: lostAt(members) },
      duration: 10_405,
    },
    router: { message: { longestRunningRequest: '0s', outstandingRequests: 0 }, duration: 2_238 },
  }
}

const NO_PEERS = 'network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0'

/** When the last of its peers was lost. */
const lostAt = (members: readonly Member[]) => Math.max(...members.flatMap(({ awaySince }) => awaySince ?? []))

function blsMessage(self: { signer: unknown } | undefined): string {
  if (!self) return 'node is not a validator'
  return self.signer ? 'node has the correct BLS key' : "validator doesn't have a BLS key"
}

/** The upgrade that most of the connected stake knows as the newest. */
function upgradeMessage(self: string, peers: readonly Member[], total: bigint, { releases, now }: World) {
  const timeOf = (nodeId: string) => releases.of(nodeId, now()).upgradeTime
  const local = timeOf(self)
  const byTime = Map.groupBy(peers, ({ nodeId }) => timeOf(nodeId))
  const weights = [...byTime].map(([time, some]) => ({ time, weight: weightOf(some) }))
  const mode = weights.reduce((most, one) => (one.weight > most.weight ? one : most), { time: local, weight: 0n })
  return {
    localUpgradeTime: nodeTime(local),
    modeUpgradeTime: nodeTime(mode.time),
    modeUpgradeWeightPercentage: (100 * Number(mode.weight)) / Number(total),
    numUpgradeTimes: weights.length,
  }
}

function primaryCheck(name: PrimaryChain, node: NodeState, world: World): Found {
  const chain = world.chains[name]
  const consensus = node.phase === 'running' ? consensusOf(chain.head(), chain.block(chain.head())!.hash) : {}
  const { message, failure } = chainCheck(primaryMembers(node, world), consensus, null)
  return { message, failure, duration: 13_119, subnetId: PRIMARY_NETWORK_ID }
}

function l1Check(l1: L1, node: NodeState, world: World): Found {
  const { blockchainId, subnetId } = l1
  const chain = world.evm.find((one) => one.blockchainId === blockchainId)
  const isBehind = node.phase !== 'running' || node.waiting.has(blockchainId) || !chain
  const consensus = isBehind ? {} : consensusOf(chain.head(), idOfHash(chain.block(chain.head())?.hash ?? '0x'))
  const engineFailure = engineFailureOf(node.troubles.get(blockchainId), world.now())
  const vm = engineFailure ? null : { database: null, health: null }
  const { message, failure } = chainCheck(membersOf(l1, node, world), consensus, vm)
  return { message, failure: both(engineFailure, failure), duration: 824_634, subnetId }
}

const idOfHash = (hash: string) => toCb58(Buffer.from(hash.slice(2), 'hex'))

/** A process that is frozen counts as lost when the checks have waited for long enough. */
function engineFailureOf(trouble: Trouble | undefined, now: number): Failure | undefined {
  if (trouble?.kind === 'dead') {
    const desc = 'grpc: the client connection is closing'
    return { error: `health check failed: rpc error: code = Canceled desc = ${desc}`, since: trouble.since }
  }
  const since = trouble?.kind === 'frozen' ? trouble.since + PATIENCE : Infinity
  if (now < since) return undefined
  const read = 'raw-read tcp 127.0.0.1:39432->127.0.0.1:39843: use of closed network connection'
  const desc = `connection error: desc = "error reading server preface: ${read}"`
  return { error: `health check failed: rpc error: code = Unavailable desc = ${desc}`, since }
}

function both(engine: Failure | undefined, networking: Failure | undefined): Failure | undefined {
  if (!engine || !networking) return engine ?? networking
  const error = `engine: ${engine.error}; networking: ${networking.error}`
  return { error, since: Math.min(engine.since, networking.since) }
}

function failedCheck({ subnetId, reason, since }: Extract<Trouble, { kind: 'failed' }>): Found {
  const error = `failed to create chain on subnet ${subnetId}: ${failures[reason]}`
  return { failure: { error, since }, duration: 1_386, subnetId }
}

function consensusOf(lastAcceptedHeight: number, lastAcceptedID: string) {
  return { lastAcceptedHeight, lastAcceptedID, longestProcessingBlock: '0s', processingBlocks: 0 }
}

function chainCheck(members: readonly Member[], consensus: object, vm: object | null) {
  const away = members.filter(({ awaySince }) => awaySince !== undefined)
  const percentConnected = connectedShare(members)
  const disconnectedValidators = [...new Set(away.map(({ nodeId }) => nodeId))]
  return {
    message: { engine: { consensus, vm }, networking: { disconnectedValidators, percentConnected } },
    failure: percentConnected < ENOUGH ? tooFew(away, weightOf(members), percentConnected) : undefined,
  }
}

/** It fails since the one went away who was one too many, of those that are still away. */
function tooFew(away: readonly Member[], total: bigint, percentConnected: number): Failure {
  const inOrder = away.toSorted((a, b) => a.awaySince! - b.awaySince!)
  const isTooMany = (_: Member, at: number) => {
    return 1 - Number(weightOf(inOrder.slice(0, at + 1))) / Number(total) < ENOUGH
  }
  const connected = (100 * percentConnected).toFixed(6)
  return {
    error: `not connected to enough stake: connected to ${connected}%; required at least 80.000000%`,
    since: inOrder.find(isTooMany)!.awaySince!,
  }
}
