// The validators of a subnet as consensus counts them.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { refusal } from '../node/node-words.ts'
import { wholeStake } from '../world/stakes.ts'
import type { World } from '../world/world.ts'
import { newestBlockTime } from './newest-block.ts'

/** A height of the P-Chain, or the one that a node would propose. */
type AtHeight = 'proposed' | bigint

interface Weighed {
  /** Undefined for an inactive L1 validator. */
  nodeId: string | undefined
  publicKey: string | undefined
  /** On the primary network with what is delegated. */
  weight: bigint
}

/** None where there is no such subnet. Of the past only the primary network's are known. */
export function weightsIn(world: World, subnetId: string, height: AtHeight = 'proposed'): Weighed[] {
  const { validators, l1s } = world
  if (subnetId === PRIMARY_NETWORK_ID) {
    const weights = height === 'proposed' ? weightsNow(world) : world.turns.weightsAt(Number(height))
    return [...weights].map(([nodeId, weight]) => ({
      nodeId,
      publicKey: validators.all.get(nodeId)?.signer?.publicKey,
      weight,
    }))
  }
  const l1 = l1s.all.find((one) => one.subnetId === subnetId)
  if (!l1) return []
  const time = newestBlockTime(world)
  const paying = l1.validators.map((one) => ({
    nodeId: l1s.balance(one, time) > 0 ? one.nodeId : undefined,
    publicKey: one.publicKey,
    weight: one.weight,
  }))
  const permissioned = l1.legacy
    .filter(({ end }) => end > time)
    // A node signs with the key that it has on the primary network, if it validates that as well.
    .map(({ nodeId, weight }) => ({ nodeId, publicKey: validators.all.get(nodeId)?.signer?.publicKey, weight }))
  return [...paying, ...permissioned]
}

function weightsNow({ validators }: World): [nodeId: string, weight: bigint][] {
  return [...validators.all.values()].map((one) => [one.nodeId, wholeStake(one)])
}

/** Whether there was nothing of the subnet at that height. */
export function isBefore({ ledger }: World, subnetId: string, height: AtHeight): boolean {
  if (height === 'proposed' || subnetId === PRIMARY_NETWORK_ID) return false
  return (ledger.find(subnetId)?.height ?? Infinity) > height
}

/** Of subnets and L1s the simulated nodes know the newest height alone. */
export function refuseUnknownHeight({ chains }: World, height: AtHeight, subnetId: string): void {
  const head = chains.P.head()
  if (height === 'proposed' || height === BigInt(head)) return
  const failed = `failed to get validator set at ${height}:`
  if (height > head) {
    throw refusal(
      `${failed} failed to fetch validator set at unfinalized height with SubnetID = ${subnetId}: current P-chain height (${head}) < requested P-Chain height (${height})`,
    )
  }
  if (subnetId === PRIMARY_NETWORK_ID) return
  throw refusal(`${failed} simulated nodes keep no sets of the past of a subnet`)
}
