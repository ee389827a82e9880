// platform.getCurrentValidators: the set with the asked node's own view of uptime and connection.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { type Dialect, handles, nodeOf } from '../handler.ts'
import type { World } from '../world/world.ts'
import type { L1 } from '../world/l1.ts'
import type { Validator } from '../world/stakes.ts'
import { uptimeOf } from '../world/views.ts'
import { newestBlockTime } from './newest-block.ts'
import { ownerOf } from './owner-record.ts'

export const handleGetCurrentValidators = handles(
  getCurrentValidators,
  (place, { subnetID = PRIMARY_NETWORK_ID, nodeIDs = [] }) => {
    const { world } = place
    const observer = nodeOf(place).nodeId
    const wanted = [...new Set(nodeIDs)]
    if (subnetID !== PRIMARY_NETWORK_ID) {
      const l1 = world.l1s.all.find(({ subnetId }) => subnetId === subnetID)
      const isWanted = ({ nodeID }: { nodeID: string }) => wanted.length === 0 || wanted.includes(nodeID)
      return { validators: l1 ? l1Records(l1, world).filter(isWanted) : [] }
    }
    const { all } = world.validators
    const found = wanted.length === 0 ? [...all.values()] : wanted.flatMap((id) => all.get(id) ?? [])
    const now = world.now()
    const isAlone = wanted.length === 1
    return {
      validators: found.map((validator) => ({
        ...record(validator, observer, now),
        ...spelt(validator, place.dialect),
        ...(isAlone ? { delegators: delegatorsOf(validator) } : {}),
      })),
    }
  },
)

function record(validator: Validator, observer: string, now: number) {
  const { nodeId, txId, start, end, weight, reward, fee, owner, delegations, renewal } = validator
  const view = validator.views.get(observer)!
  return {
    txID: txId,
    startTime: String(start),
    endTime: String(end),
    weight: String(weight),
    nodeID: nodeId,
    validationRewardOwner: ownerOf(owner),
    delegationRewardOwner: ownerOf(owner),
    potentialReward: String(reward),
    delegationFee: fee.toFixed(4),
    uptime: (uptimeOf(validator, view, now) * 100).toFixed(4),
    connected: view.since === undefined,
    delegatorCount: String(delegations.length),
    delegatorWeight: String(delegations.reduce((sum, { weight }) => sum + weight, 0n)),
    ...(renewal
      ? {
          validatorAuthority: ownerOf(owner),
          nextPeriod: String(renewal.period),
          autoCompoundRewardShares: String(renewal.shares),
        }
      : {}),
  }
}

/** What the document and live nodes do not have alike. */
function spelt({ signer, accrued }: Validator, dialect: Dialect) {
  if (dialect === 'live') return { accruedDelegateeReward: String(accrued), ...(signer ? { signer } : {}) }
  if (!signer) return {}
  const { publicKey, proofOfPossession: proofOfPosession } = signer
  return { signer: { publicKey, proofOfPosession } }
}

function delegatorsOf({ delegations, nodeId }: Validator) {
  return delegations.map(({ txId, start, end, weight, reward, owner }) => ({
    txID: txId,
    startTime: String(start),
    endTime: String(end),
    weight: String(weight),
    nodeID: nodeId,
    rewardOwner: ownerOf(owner),
    potentialReward: String(reward),
  }))
}

/** Those with a balance, as of the last accepted block, and those from before the conversion, who have none but an end. */
function l1Records({ validators, legacy }: L1, world: World) {
  const time = newestBlockTime(world)
  const paying = validators.map((validator) => ({
    validationID: validator.validationId,
    nodeID: validator.nodeId,
    publicKey: validator.publicKey,
    remainingBalanceOwner: ownerOf(validator.owner),
    deactivationOwner: ownerOf(validator.owner),
    startTime: String(validator.start),
    weight: String(validator.weight),
    minNonce: String(validator.minNonce),
    balance: String(world.l1s.balance(validator, time)),
  }))
  const running = legacy.filter(({ end }) => end > time)
  const permissioned = running.map(({ txId, nodeId, weight, start, end }) => ({
    txID: txId,
    startTime: String(start),
    endTime: String(end),
    weight: String(weight),
    nodeID: nodeId,
  }))
  return [...paying, ...permissioned]
}
