// List delegators: the running delegations, by start.

import { listDelegators } from '../../operations/data/validators.ts'
import { listed } from '../../operations/data/parameters.ts'
import { inOrder } from '../services/paging.ts'
import { handles } from '../handler.ts'
import { type Delegation, feeOf, type Validator } from '../world/stakes.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { walletsOf } from './utxos.ts'

interface Found {
  delegation: Delegation
  to: Validator
}

export const handleListDelegators = handles(listDelegators, ({ world, paging }, params) => {
  const { network, nodeIds, rewardAddresses, delegationStatus = 'active', pageToken, pageSize } = params
  const { sortOrder = 'asc' } = params
  mustBeFuji(network)
  const nodes = nodeIds === undefined ? undefined : new Set(listed(nodeIds))
  const wallets = rewardAddresses === undefined ? undefined : new Set(walletsOf(rewardAddresses))
  const all = [...world.validators.all.values()]
    .flatMap((to) => to.delegations.map((delegation): Found => ({ delegation, to })))
    .filter(({ delegation, to }) => (nodes?.has(to.nodeId) ?? true) && (wallets?.has(delegation.owner) ?? true))
  const { items, ...next } = paging.page<Found>({
    list: ['delegators', ...[nodes, wallets].map((some) => [...(some ?? [])].toSorted().join(',')), sortOrder].join(
      ' ',
    ),
    pageToken,
    pageSize,
    now: world.now(),
    // A delegation that is over is forgotten, and none waits to begin.
    after: inOrder(delegationStatus === 'active' ? all : [], byStart, sortOrder),
  })
  return { ...next, delegators: items.map(record) }
})

function byStart({ delegation: a }: Found, { delegation: b }: Found): number {
  return a.start - b.start || (a.txId < b.txId ? -1 : a.txId > b.txId ? 1 : 0)
}

function record({ delegation, to }: Found) {
  const { txId, owner, weight, start, end, reward } = delegation
  return {
    txHash: txId,
    nodeId: to.nodeId,
    rewardAddresses: [owner],
    amountDelegated: String(weight),
    delegationFee: String(to.fee),
    startTimestamp: start,
    endTimestamp: end,
    estimatedGrossReward: String(reward),
    estimatedNetReward: String(reward - feeOf(to, delegation)),
    delegationStatus: 'active',
  }
}
