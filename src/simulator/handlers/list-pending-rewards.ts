// List pending rewards: one for each running validation, for the share of the validator in each delegation, and for
// each delegation, by the addresses they go to or by the node.

import { listPendingRewards } from '../../operations/data/list-pending-rewards.ts'
import { listed } from '../../operations/data/parameters.ts'
import { inOrder } from '../paging.ts'
import { handles, Refusal } from '../serve.ts'
import { walletsOf } from './utxos.ts'
import { amountOf } from './utxo-record.ts'
import { AVAX } from '../world/ids.ts'
import { type Delegation, feeOf, type Validator } from '../world/validators.ts'

interface Pending {
  type: 'VALIDATOR' | 'VALIDATOR_FEE' | 'DELEGATOR'
  nodeId: string
  /** As it is now: a validation that is renewed meanwhile must not move the cursor of a page token. */
  stake: Pick<Validator | Delegation, 'txId' | 'start' | 'end' | 'weight'>
  owner: string
  amount: bigint
}

export const handleListPendingRewards = handles(
  listPendingRewards,
  ({ world, paging }, { network, addresses, nodeIds, pageToken, pageSize, sortOrder = 'asc' }) => {
    if (network === 'mainnet') throw new Refusal(404, 'the simulated network is fuji')
    const wanted = new Set(addresses === undefined ? listed(nodeIds ?? '') : walletsOf(addresses))
    const validators = [...world.validators.all.values()]
    const asked = addresses === undefined ? validators.filter(({ nodeId }) => wanted.has(nodeId)) : validators
    const pending = asked.flatMap(pendingOf)
    const found = addresses === undefined ? pending : pending.filter(({ owner }) => wanted.has(owner))
    const { items, ...next } = paging.page<Pending>({
      list: ['pending rewards', sortOrder, ...[...wanted].toSorted()].join(' '),
      pageToken,
      pageSize,
      now: world.now(),
      after: inOrder(found, compare, sortOrder),
    })
    return { ...next, pendingRewards: items.map((one) => record(one, world.now())) }
  },
)

function pendingOf(validator: Validator): Pending[] {
  const { nodeId, txId, start, end, weight, owner, reward, delegations } = validator
  return [
    { type: 'VALIDATOR', nodeId, stake: { txId, start, end, weight }, owner, amount: reward },
    ...delegations.flatMap((stake): Pending[] => {
      const fee = feeOf(validator, stake)
      return [
        { type: 'VALIDATOR_FEE', nodeId, stake, owner, amount: fee },
        { type: 'DELEGATOR', nodeId, stake, owner: stake.owner, amount: stake.reward - fee },
      ]
    }),
  ]
}

/** By start; of the rewards of one transaction by type. */
function compare(a: Pending, b: Pending): number {
  const key = ({ stake, type }: Pending) => `${stake.txId} ${type}`
  return a.stake.start - b.stake.start || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
}

function record({ type, nodeId, stake, owner, amount }: Pending, now: number) {
  return {
    addresses: [owner],
    txHash: stake.txId,
    amountStaked: String(stake.weight),
    nodeId,
    startTimestamp: stake.start,
    endTimestamp: stake.end,
    rewardType: type,
    progress: Number(Math.min(1, (now - stake.start) / (stake.end - stake.start)).toFixed(4)),
    estimatedReward: amountOf(AVAX, amount),
  }
}
