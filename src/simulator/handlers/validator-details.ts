// Running validations of the primary network in the data service's words, with what its own node sees of the validator.
// That node is one of those that are asked in the simulated network, and never the validator itself.

import { PRIMARY_NETWORK_ID, type PrimaryChain } from '../../lib/primary-network.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { type Validator, wholeStake } from '../world/stakes.ts'
import { autoRenewRecord } from './auto-renew.ts'
import { benchedChains, isBenched, uptimeOf, type View } from '../world/views.ts'
import type { World } from '../world/world.ts'

/** Own and delegated stake over own stake, at most. */
const FACTOR = 5n
/** The greatest stake, own and delegated. */
const MOST = 3_000_000n * 1_000_000_000n

interface Wanted {
  nodeIds?: readonly string[] | undefined
  subnetId?: string | undefined
  validationStatus?: string | undefined
}

/** All of them run: the simulated service forgets a validation at its end. */
export function validationsOf(world: World, { nodeIds, subnetId, validationStatus }: Wanted): Validator[] {
  if ((subnetId ?? PRIMARY_NETWORK_ID) !== PRIMARY_NETWORK_ID) return []
  if ((validationStatus ?? 'active') !== 'active') return []
  const all = [...world.validators.all.values()]
  return nodeIds ? all.filter(({ nodeId }) => nodeIds.includes(nodeId)) : all
}

export function byNodeId({ nodeId: a }: Validator, { nodeId: b }: Validator): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function validatorRecord(validator: Validator, world: World) {
  const { nodeId, txId, start, end, weight, reward, fee, owner, delegations, signer } = validator
  const now = world.now()
  const delegated = wholeStake(validator) - weight
  const least = FACTOR * weight < MOST ? FACTOR * weight : MOST
  const room = least - weight - delegated
  const stakes = [...world.validators.all.values()].reduce((sum, one) => sum + one.weight, 0n)
  const view = viewOf(validator, world)
  return {
    txHash: txId,
    nodeId,
    subnetId: PRIMARY_NETWORK_ID,
    amountStaked: String(weight),
    delegationFee: String(fee),
    startTimestamp: start,
    endTimestamp: end,
    stakingType: validator.renewal ? 'autoRenewed' : 'fixed',
    ...(signer ? { blsCredentials: signer } : {}),
    stakePercentage: (100 * Number(weight)) / Number(stakes),
    delegatorCount: delegations.length,
    amountDelegated: String(delegated),
    uptimePerformance: Math.floor(100 * uptimeOf(validator, view, now)),
    avalancheGoVersion: world.releases.of(nodeId, now).version,
    delegationCapacity: String(room > 0n ? room : 0n),
    potentialRewards: {
      validationRewardAmount: String(reward),
      delegationRewardAmount: String(delegations.reduce((sum, one) => sum + one.reward, 0n)),
      rewardAddresses: [owner],
    },
    validationStatus: 'active',
    validatorHealth: healthOf(nodeId, view, world),
    geolocation: null,
    autoRenew: autoRenewRecord(validator),
  }
}

/** The service asks from a well-connected node of its own: it misses only a validator that no other node reaches. */
function viewOf({ nodeId, views }: Validator, { validators }: World): View {
  const others = validators.observers.filter((observer) => observer !== nodeId)
  const seen = (others.length > 0 ? others : validators.observers).map((observer) => views.get(observer)!)
  return seen.find(({ since }) => since === undefined) ?? seen[0]!
}

/** Benched on the chains that info.peers names. */
function healthOf(nodeId: string, view: View, { levels }: World) {
  const benched = benchedChains(nodeId, view)
  const share = (chain: PrimaryChain) => ([chain, chainIds[chain]].some((name) => benched.includes(name)) ? 100 : 0)
  const answered = Math.round(100 * (levels.reachability.get(nodeId) ?? 1))
  return {
    reachabilityPercent: view.since === undefined || isBenched(view) ? answered : 0,
    benchedPChainRequestsPercent: share('P'),
    benchedXChainRequestsPercent: share('X'),
    benchedCChainRequestsPercent: share('C'),
  }
}
