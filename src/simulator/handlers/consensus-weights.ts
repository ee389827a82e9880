// The validators of a subnet as consensus counts them.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { World } from '../world/world.ts'
import { newestBlockTime } from './newest-block.ts'

interface Weighed {
  /** Undefined for an inactive L1 validator. */
  nodeId: string | undefined
  publicKey: string | undefined
  /** On the primary network with what is delegated. */
  weight: bigint
}

/** None where there is no such subnet. */
export function weightsIn(world: World, subnetId: string): Weighed[] {
  const { validators, l1s } = world
  if (subnetId === PRIMARY_NETWORK_ID) {
    return [...validators.all.values()].map(({ nodeId, signer, weight, delegations }) => ({
      nodeId,
      publicKey: signer?.publicKey,
      weight: delegations.reduce((sum, one) => sum + one.weight, weight),
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
