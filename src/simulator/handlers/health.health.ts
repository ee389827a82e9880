// health.health: the checks that a node makes of itself and of the chains that it runs.

import { PRIMARY_NETWORK_ID, type PrimaryChain } from '../../lib/primary-network.ts'
import { health } from '../../operations/node/health.health.ts'
import type { NodeState } from '../node-state.ts'
import { nodeTime } from '../node-words.ts'
import { handles, nodeOf } from '../serve.ts'
import type { L1 } from '../world/l1.ts'
import type { World } from '../world/world.ts'

/** Seconds from one round of checks to the next. */
const EVERY = 30
/** A chain is unhealthy when less of the stake is connected. */
const ENOUGH = 0.8
/** What stands for all L1 validators without a balance. */
const INACTIVE = 'NodeID-111111111111111111116DBWJs'

interface Failure {
  error: string
  /** Unix seconds: the next check finds it. */
  since: number
}

export const handleHealth = handles(health, (place) => {
  const { world } = place
  const node = nodeOf(place)
  const last = Math.floor(world.now() / EVERY) * EVERY
  const l1s = world.l1s.all.filter(({ hasChain, followers }) => hasChain && followers.has(node.nodeId))
  const found = {
    ...Object.fromEntries((['C', 'P', 'X'] as const).map((chain) => [chain, primaryCheck(chain, node, world)])),
    ...ofNode(node, world),
    ...Object.fromEntries(l1s.map((l1) => [l1.blockchainId, l1Check(l1, node, world)])),
  }
  const checks = Object.fromEntries(Object.entries(found).map(([name, one]) => [name, checkOf(one, last)]))
  return { checks, healthy: Object.values(checks).every((one) => !('error' in one)) }
})

interface Found {
  message?: unknown
  failure?: Failure | undefined
  duration: number
}

function checkOf({ message, failure, duration }: Found, last: number) {
  const told = { ...(message === undefined ? {} : { message }), timestamp: checkTime(last), duration }
  if (!failure) return told
  const first = Math.ceil(failure.since / EVERY) * EVERY
  if (first > last) return told
  const contiguousFailures = (last - first) / EVERY + 1
  return { ...told, error: failure.error, contiguousFailures, timeOfFirstFailure: checkTime(first) }
}

/** No node makes a check at a whole second. */
const checkTime = (seconds: number) => nodeTime(seconds).replace('Z', '.107289142Z')

function ofNode({ startedAt, nodeId }: NodeState, { releases, validators, now }: World): Record<string, Found> {
  const { upgradeTime } = releases.of(nodeId, now())
  const peers = [...validators.all.values()].filter(
    ({ nodeId: id, views }) => id !== nodeId && views.get(nodeId)!.since === undefined,
  )
  return {
    bls: { message: 'node has the correct BLS key', duration: 4_878 },
    bootstrapped: {
      message: startedAt === undefined ? [] : [PRIMARY_NETWORK_ID],
      failure: startedAt === undefined ? undefined : { error: 'subnets not bootstrapped', since: startedAt },
      duration: 3_739,
    },
    database: { duration: 8_629 },
    diskspace: { message: { availableDiskBytes: 60_652_298_240, availableDiskPercentage: 22 }, duration: 4_685 },
    futureupgrade: {
      message: {
        localUpgradeTime: nodeTime(upgradeTime),
        modeUpgradeTime: nodeTime(upgradeTime),
        modeUpgradeWeightPercentage: 80.006_198_078_595_63,
        numUpgradeTimes: 1,
      },
      duration: 41_917,
    },
    network: {
      message: {
        connectedPeers: peers.length,
        sendFailRate: 0,
        timeSinceLastMsgReceived: '19.813136ms',
        timeSinceLastMsgSent: '19.813136ms',
      },
      duration: 10_405,
    },
    router: { message: { longestRunningRequest: '0s', outstandingRequests: 0 }, duration: 2_238 },
  }
}

/** Who of a validator set is away in the eyes of the node, and since when. */
interface Member {
  nodeId: string
  weight: bigint
  awaySince: number | undefined
}

function primaryCheck(name: PrimaryChain, { nodeId }: NodeState, { chains, validators }: World): Found {
  const chain = chains[name]
  const members = [...validators.all.values()].map((one) => ({
    nodeId: one.nodeId,
    weight: one.weight,
    awaySince: one.views.get(nodeId)!.since,
  }))
  const consensus = {
    lastAcceptedHeight: chain.head(),
    lastAcceptedID: chain.block(chain.head())!.hash,
    longestProcessingBlock: '0s',
    processingBlocks: 0,
  }
  return chainCheck(members, consensus, null)
}

function l1Check({ validators, legacy, blockchainId }: L1, { nodeId }: NodeState, { l1s, evm, now }: World): Found {
  const paying = validators.map((one): Member => {
    const { since } = l1s.viewOf(one, nodeId)
    const { inactiveSince, weight } = one
    if (inactiveSince === undefined) return { nodeId: one.nodeId, weight, awaySince: since }
    return { nodeId: INACTIVE, weight, awaySince: Math.min(inactiveSince, since ?? inactiveSince) }
  })
  const permissioned = legacy
    .filter(({ end }) => end > now())
    .map((one) => ({ nodeId: one.nodeId, weight: one.weight, awaySince: l1s.viewOf(one, nodeId).since }))
  const chain = evm.find((one) => one.blockchainId === blockchainId)
  const consensus = chain
    ? {
        lastAcceptedHeight: chain.head(),
        lastAcceptedID: blockchainId,
        longestProcessingBlock: '0s',
        processingBlocks: 0,
      }
    : {}
  return chainCheck([...paying, ...permissioned], consensus, { database: null, health: null })
}

function chainCheck(members: readonly Member[], consensus: object, vm: object | null): Found {
  const away = members.filter(({ awaySince }) => awaySince !== undefined)
  const total = weightOf(members)
  const percentConnected = total === 0n ? 1 : 1 - Number(weightOf(away)) / Number(total)
  const disconnectedValidators = [...new Set(away.map(({ nodeId }) => nodeId))]
  return {
    message: { engine: { consensus, vm }, networking: { disconnectedValidators, percentConnected } },
    failure: percentConnected < ENOUGH ? tooFew(away, total, percentConnected) : undefined,
    duration: 13_119,
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

function weightOf(members: readonly Member[]): bigint {
  return members.reduce((sum, { weight }) => sum + weight, 0n)
}
