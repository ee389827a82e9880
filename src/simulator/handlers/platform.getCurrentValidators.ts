// platform.getCurrentValidators: the set with the asked node's own view of uptime and connection.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import { handles } from '../serve.ts'
import { type Delegation, uptimeOf, type Validator } from '../world/validators.ts'

export const handleGetCurrentValidators = handles(
  getCurrentValidators,
  ({ world, observer }, { subnetID = PRIMARY_NETWORK_ID, nodeIDs = [] }) => {
    if (subnetID !== PRIMARY_NETWORK_ID) return { validators: [] }
    const { all } = world.validators
    const wanted = [...new Set(nodeIDs)]
    const found = wanted.length === 0 ? [...all.values()] : wanted.flatMap((id) => all.get(id) ?? [])
    const now = world.now()
    return { validators: found.map((validator) => record(validator, observer, now, wanted.length === 1)) }
  },
)

function record(validator: Validator, observer: string, now: number, withDelegators: boolean) {
  const { nodeId, txId, start, end, weight, reward, fee, owner, delegations } = validator
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
    ...(withDelegators ? { delegators: delegations.map((delegation) => delegator(delegation, nodeId)) } : {}),
  }
}

function delegator({ txId, start, end, weight, reward, owner }: Delegation, nodeId: string) {
  return {
    txID: txId,
    startTime: String(start),
    endTime: String(end),
    weight: String(weight),
    nodeID: nodeId,
    rewardOwner: ownerOf(owner),
    potentialReward: String(reward),
  }
}

function ownerOf(address: string) {
  return { locktime: '0', threshold: '1', addresses: [address] }
}
