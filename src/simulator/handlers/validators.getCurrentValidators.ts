// validators.getCurrentValidators: an L1 as its own chain on the asked node sees it.

import { getCurrentValidatorsOfChain } from '../../operations/node/chains.ts'
import { chainIdOf } from '../node/node-state.ts'
import { refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'
import type { L1Validator } from '../world/l1.ts'
import type { View } from '../world/views.ts'

/** Seconds between two reads of its validators by the chain. */
const LOOK = 60

const nextLook = (after: number) => Math.floor(after / LOOK + 1) * LOOK

export const handleGetCurrentValidatorsOfChain = handles(
  getCurrentValidatorsOfChain,
  (place, { chain, nodeIDs = [] }) => {
    const { world } = place
    const node = nodeOf(place)
    const now = world.now()
    const id = chainIdOf(node, world, chain)
    const { validators, legacy } = world.l1s.all.find(({ blockchainId }) => blockchainId === id)!
    const paying = validators.map((one) => ({ ...one, isL1Validator: true }))
    const permissioned = legacy
      .filter(({ end }) => end > now)
      .map(({ txId, ...one }) => ({ ...one, validationId: txId, inactiveSince: undefined, isL1Validator: false }))
    const wanted = [...paying, ...permissioned].filter(({ nodeId }) => nodeIDs.length === 0 || nodeIDs.includes(nodeId))
    const unknown = wanted.find(({ start }) => now < nextLook(start))
    if (unknown) {
      const { validationId } = unknown
      throw refusal(`failed to get uptime for validation ID ${validationId}: validationID not found: ${validationId}`)
    }
    return { validators: wanted.map((one) => record(one, world.l1s.viewOf(one, node.nodeId), now)) }
  },
)

type Member = Pick<L1Validator, 'validationId' | 'nodeId' | 'weight' | 'start' | 'inactiveSince'> & {
  isL1Validator: boolean
}

function record(member: Member, { lost, since }: View, now: number) {
  const { validationId: validationID, nodeId: nodeID, weight, start, inactiveSince, isL1Validator } = member
  const isActive = inactiveSince === undefined || inactiveSince > now
  // Time without a balance counts as time without a connection.
  const away = Math.min(since ?? now, isActive ? now : inactiveSince)
  const uptimeSeconds = Math.max(0, now - start - lost - (now - away))
  return {
    validationID,
    nodeID,
    weight: Number(weight),
    startTimestamp: start,
    isActive,
    isL1Validator,
    isConnected: since === undefined && (isActive || now < nextLook(inactiveSince)),
    uptimePercentage: now > start ? Math.fround((100 * uptimeSeconds) / (now - start)) : 100,
    uptimeSeconds: Math.floor(uptimeSeconds),
  }
}
